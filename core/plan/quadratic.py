"""The plan's cost and constraints around a base, as a convex quadratic program.

Unknowns, in this order: changes of the coefficients (3 count w), shifts of the free stances (2
each), one slack a stance on the length of its leg. Only the cones, the largest force and the box of
the shifts are hard, and no force at all satisfies them: the program always has a solution.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .force_cost import ForceCost
from .force_set import build_force_faces
from .horizon import Horizon, integrate_simpson
from .linearization import NominalTrajectory, TrackingGoal
from .qp import UNBOUNDED, QuadraticProgram
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

# entries of the matrix of a cross product: row, column, component, sign
CROSS_PRODUCT_ENTRIES = (
    (0, 1, 2, -1.0),
    (0, 2, 1, 1.0),
    (1, 0, 2, 1.0),
    (1, 2, 0, -1.0),
    (2, 0, 1, -1.0),
    (2, 1, 0, 1.0),
)


def expand_cost(
    h: Horizon,
    nominal: NominalTrajectory,
    goal: TrackingGoal,
    weights: PlanWeights,
    limits: PlanLimits,
    force_cost: ForceCost,
) -> QuadraticProgram:
    """Gauss-Newton expansion of the plan's cost about a base."""
    shiftable = np.array([k for k, s in enumerate(h.stances) if s.is_shiftable], np.int64)
    force_unknowns = 3 * h.coefficient_count * len(h.windows)
    motion_unknowns = force_unknowns + 2 * len(shiftable)
    rotation_map, spin_map = _build_rotation_maps(
        h,
        nominal,
        shiftable,
        force_unknowns=force_unknowns,
        motion_unknowns=motion_unknowns,
        max_spin=limits.max_spin,
        coupled=weights.rotation > 0,
    )
    hessian, gradient = _build_rotation_cost(
        nominal,
        goal,
        weights,
        rotation_map=rotation_map,
        spin_map=spin_map,
        motion_unknowns=motion_unknowns,
        stance_count=len(h.stances),
    )
    force_cost.add_to(hessian, gradient, nominal.coefficients)
    for k, stance in enumerate(shiftable):
        entries = slice(force_unknowns + 2 * k, force_unknowns + 2 * k + 2)
        hessian[entries, entries] += weights.shift * np.eye(2)
        gradient[entries] += (
            weights.shift * (nominal.positions[stance] - h.stances[stance].position)[:2]
        )
    slack = np.arange(motion_unknowns, motion_unknowns + len(h.stances))
    hessian[slack, slack] += weights.slack[0]
    gradient[slack] += 0.5 * weights.slack[1]
    hessian[np.arange(motion_unknowns), np.arange(motion_unknowns)] += 1e-6
    faces, face_bounds = _build_cones(h, nominal, limits)
    constraint_rows, row_bounds = _build_leg_rows(
        h,
        nominal,
        limits,
        shiftable=shiftable,
        force_unknowns=force_unknowns,
        motion_unknowns=motion_unknowns,
        size=len(gradient),
    )
    return QuadraticProgram(
        hessian,
        gradient,
        faces,
        face_bounds,
        constraint_rows,
        row_bounds,
        *_build_bounds(
            h,
            nominal,
            limits,
            shiftable=shiftable,
            force_unknowns=force_unknowns,
            size=len(gradient),
        ),
        rotation_map,
        shiftable,
    )


def _build_rotation_maps(
    h: Horizon,
    nominal: NominalTrajectory,
    shiftable: NDArray[np.int64],
    force_unknowns: int,
    motion_unknowns: int,
    max_spin: float,
    coupled: bool,
) -> tuple[Array, Array]:
    """Changes of the rotations and angular velocities at the nodes.
    Each (n, 3, moved + 1), the last column constant.

    Not coupled, the body is taken to turn as the base does whatever happens:
    then nothing grows from node to node.
    """
    value, _, double_integral = h.basis
    m = len(h.times)
    w = len(h.windows)
    # (m, 3, w)
    arm = (h.place_contact_points(nominal.positions) - nominal.com[:, None]).swapaxes(1, 2)
    total = nominal.force.reshape(m, -1) @ np.tile(h.gravity * np.eye(3), (w, 1))  # (m, 3), times g
    # d(arm x f) = arm x df + F x dc - f x dp; integrated as vectors, then by axis, as a cross
    # product's matrix is mostly zeros
    lever = (arm[..., None] * value.reshape(m, 1, w, h.coefficient_count)).reshape(m, 3, -1)
    lever += total[:, :, None] * double_integral[:, None]
    lever = integrate_simpson(lever, h.dt)  # (m, 3, count w)
    momentum = np.zeros((m, 3, motion_unknowns + 1))
    for row, column, axis, sign in CROSS_PRODUCT_ENTRIES:
        momentum[:, row, column:force_unknowns:3] = sign * lever[:, axis]
    for k, stance in enumerate(shiftable):
        angular_momentum = integrate_simpson(
            nominal.force[:, h.window_stance == stance].sum(1), h.dt
        )
        momentum[:, :, force_unknowns + 2 * k : force_unknowns + 2 * k + 2] = -so3.hat(
            angular_momentum
        )[:, :, :2]
    if nominal.momentum_error is not None:
        momentum[:, :, -1] += nominal.momentum_error
    node_count = h.node_count
    inverse = h.inverse_inertia_in_world(nominal.rotation, 0)  # (n, 3, 3)
    if not coupled:
        return np.zeros((node_count, 3, motion_unknowns + 1)), inverse @ momentum[::2]
    # a guess may spin the body wildly; that must not make the expansion unstable
    spin = _clamp_spin(nominal.spin, max_spin)
    midpoint_spin = _clamp_spin(nominal.midpoint_spin, max_spin)
    angular_momentum = (h.inertia_in_world(nominal.rotation, 0) @ spin[..., None])[..., 0]
    # spin = I^-1 l, both turning with the body
    tilt = inverse @ so3.hat(angular_momentum) - so3.hat(spin)
    step_rotation = so3.exp(midpoint_spin * h.dt) + h.dt * tilt[:-1]
    # theta_k+1 = step_k theta_k + dt I^-1 l_k + gap_k, unrolled through the product of the steps
    product = so3.cumulative_products(step_rotation)
    inverse_product = np.linalg.inv(product[1:])
    pulled_back = (h.dt * inverse_product @ inverse[:-1]) @ momentum[1::2]
    pulled_back[:, :, -1] += (inverse_product @ nominal.rotation_gap[..., None])[..., 0]
    rotation_map = np.zeros((node_count, 3, motion_unknowns + 1))
    np.cumsum(pulled_back, axis=0, out=rotation_map[1:])
    rotation_map[:, :, -1] += nominal.start_error
    rotation_map = product @ rotation_map
    return rotation_map, inverse @ momentum[::2] + tilt @ rotation_map


def _clamp_spin(spin: Array, max_spin: float) -> Array:
    magnitude = np.linalg.norm(spin, axis=-1, keepdims=True)
    return spin * np.minimum(1.0, max_spin / np.maximum(magnitude, 1e-9))


def _build_rotation_cost(
    nominal: NominalTrajectory,
    goal: TrackingGoal,
    weights: PlanWeights,
    rotation_map: Array,
    spin_map: Array,
    motion_unknowns: int,
    stance_count: int,
) -> tuple[Array, Array]:
    n = len(rotation_map)
    mean = np.full((n, 1, 1), 1.0 / n)
    rotation_weights = weights.rotation * mean
    spin_weights = weights.spin * mean
    rotation_weights[-1] += weights.end[2]
    spin_weights[-1] += weights.end[3]
    rows = np.concatenate([rotation_map, spin_map])
    rows[:n, :, -1] += so3.log(nominal.rotation @ np.swapaxes(goal.rotation, 1, 2))
    rows[n:, :, -1] += nominal.spin - goal.spin
    rows *= np.sqrt(np.concatenate([rotation_weights, spin_weights]))
    rows = rows.reshape(-1, motion_unknowns + 1)
    square = rows.T @ rows
    hessian = np.zeros((motion_unknowns + stance_count, motion_unknowns + stance_count))
    hessian[:motion_unknowns, :motion_unknowns] = square[:motion_unknowns, :motion_unknowns]
    gradient = np.zeros(motion_unknowns + stance_count)
    gradient[:motion_unknowns] = square[:motion_unknowns, motion_unknowns]
    return hessian, gradient


def _build_cones(h: Horizon, nominal: NominalTrajectory, limits: PlanLimits) -> tuple[Array, Array]:
    """Half-spaces of each change of a coefficient, (count w, 5, 3) and (count w, 5)."""
    frames = np.stack([s.rotation for s in h.stances])[h.window_stance]  # (w, 3, 3)
    faces, face_bounds = build_force_faces(
        frames, np.array([s.is_grip for s in h.stances], bool)[h.window_stance], limits
    )
    coefficient_faces = np.repeat(faces, h.coefficient_count, axis=0)
    return coefficient_faces, np.repeat(face_bounds, h.coefficient_count, axis=0) - (
        coefficient_faces @ nominal.coefficients[..., None]
    )[..., 0]


def _build_bounds(
    h: Horizon,
    nominal: NominalTrajectory,
    limits: PlanLimits,
    shiftable: NDArray[np.int64],
    force_unknowns: int,
    size: int,
) -> tuple[Array, Array]:
    """The least and the most of each unknown: of the shifts what is left of their room, of the
    slacks no less than none.
    """
    lower = np.full(size, -UNBOUNDED)
    upper = np.full(size, UNBOUNDED)
    for k, stance in enumerate(shiftable):
        planned = h.stances[stance]
        entries = slice(force_unknowns + 2 * k, force_unknowns + 2 * k + 2)
        current_shift = (nominal.positions[stance] - planned.position)[:2]
        box = limits.max_shift * np.array([[-1.0], [1.0]])
        allowed = (
            np.broadcast_to(box, (2, 2))
            if planned.shift_bounds is None
            else np.clip(planned.shift_bounds, box[0], box[1])
        )
        lower[entries], upper[entries] = allowed - current_shift
    lower[force_unknowns + 2 * len(shiftable) :] = 0.0
    return lower, upper


def _build_leg_rows(
    h: Horizon,
    nominal: NominalTrajectory,
    limits: PlanLimits,
    shiftable: NDArray[np.int64],
    force_unknowns: int,
    motion_unknowns: int,
    size: int,
) -> tuple[Array, Array]:
    """Tangent planes of the spheres that the legs allow, where they are near:
    equation 14 with one plane a node.
    """
    times = h.times[::2]
    spans = np.array([(s.begin, s.end) for s in h.stances])
    in_contact = (times > spans[:, :1] - limits.reach_margin) & (
        times < spans[:, 1:] + limits.reach_margin
    )
    stance, node = np.nonzero(in_contact & (times > h.start + 1e-9))
    root = np.zeros((len(node), 3)) if h.limb_roots is None else h.limb_roots[stance, node]
    leg = nominal.com[::2][node] + root - nominal.positions[stance]
    length = np.linalg.norm(leg, axis=1)
    share = (times[node] - spans[stance, 0]) / (spans[stance, 1] - spans[stance, 0])
    reach = limits.leg_reach_at(
        np.array([s.leg for s in h.stances])[stance],
        share,
        np.array([s.landing_speed for s in h.stances])[stance],
    )
    is_near = length > 0.85 * reach
    stance = stance[is_near]
    node = node[is_near]
    root = root[is_near]
    leg = leg[is_near]
    length = length[is_near]
    reach = reach[is_near]
    direction = leg / length[:, None]  # (r, 3)
    _, _, double_integral = h.basis
    com_map = h.gravity * double_integral[::2][node]  # (r, count w)
    rows = np.zeros((len(node), size))
    rows[:, :force_unknowns] = (com_map[:, :, None] * direction[:, None, :]).reshape(
        len(node), force_unknowns
    )
    for k, stance_index in enumerate(shiftable):
        is_stance_row = stance == stance_index
        rows[is_stance_row, force_unknowns + 2 * k : force_unknowns + 2 * k + 2] = -direction[
            is_stance_row, :2
        ]
    rows[np.arange(len(node)), motion_unknowns + stance] = -1.0
    # the base's centre of mass may be the wished one: the rows need the one
    # that the base's forces give
    com = h.contact_free_motion[0][::2][node] + com_map @ nominal.coefficients
    return rows, reach - ((com + root - nominal.positions[stance]) * direction).sum(1)
