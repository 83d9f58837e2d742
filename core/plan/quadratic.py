"""Gauss-Newton expansion of the plan's cost and constraints: a convex quadratic program.

Unknowns, in this order (see `UnknownLayout`): changes of the force coefficients (3 w K),
displacements of the shiftable stances (2 each), and one slack on the leg length per stance. Only
the friction cones, the largest force and the bounds of the displacements are hard constraints. Zero
force satisfies them, so the program always has a solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..quadratic_programs import UNBOUNDED
from .force_cost import ForceCost
from .forces import ForceFaces, build_force_faces
from .horizon import Horizon, integrate_simpson
from .linearization import NominalTrajectory, TrackingGoal, are_invertible, solve_recursion
from .qp import QuadraticProgram
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

# Nonzero entries of a cross product's matrix: row, column, component, sign
CROSS_PRODUCT_ENTRIES = (
    (0, 1, 2, -1.0),
    (0, 2, 1, 1.0),
    (1, 0, 2, 1.0),
    (1, 2, 0, -1.0),
    (2, 0, 1, -1.0),
    (2, 1, 0, 1.0),
)
# Leg-length constraints are built only at nodes where the leg is at least this share of its reach
NEAR_REACH_SHARE = 0.85
# Added to the Hessian's diagonal for forces and displacements, so that it is positive definite
REGULARIZATION = 1e-6


@dataclass(frozen=True)
class UnknownLayout:
    """Order of the unknowns of a plan's quadratic program."""

    force_count: int  # 3 w K changes of the coefficients
    shiftable: NDArray[np.int64]  # indices of the stances that may be displaced
    stance_count: int

    @staticmethod
    def from_horizon(h: Horizon) -> UnknownLayout:
        """Return the layout of a horizon's program."""
        shiftable = np.array([k for k, s in enumerate(h.stances) if s.is_shiftable], np.int64)
        return UnknownLayout(3 * h.coefficient_count * len(h.windows), shiftable, len(h.stances))

    @property
    def motion_count(self) -> int:
        """Number of unknowns that change the motion: coefficients and displacements."""
        return self.force_count + 2 * len(self.shiftable)

    @property
    def size(self) -> int:
        """Number of all unknowns."""
        return self.motion_count + self.stance_count

    def shift_entries(self, k: int) -> slice:
        """Return the displacement of the k-th shiftable stance along x and y."""
        return slice(self.force_count + 2 * k, self.force_count + 2 * k + 2)


@dataclass(frozen=True)
class PlanProgram:
    """Quadratic program of a plan, and what is needed to apply its solution."""

    program: QuadraticProgram
    layout: UnknownLayout
    # (n, 3, motion + 1) rotation vector at the nodes [rad] by the unknowns; last column constant
    rotation_map: Array


@dataclass(frozen=True)
class _RotationMaps:
    """Linear maps from the unknowns to changes at the nodes. The last column is constant."""

    rotation: Array  # (n, 3, motion + 1) [rad]
    spin: Array  # (n, 3, motion + 1) [rad/s]


@dataclass(frozen=True)
class _QuadraticCost:
    """Cost 1/2 x'Hx + g'x."""

    hessian: Array  # (size, size)
    gradient: Array  # (size,)


@dataclass(frozen=True)
class _Bounds:
    """Lower and upper bounds of the unknowns."""

    lower: Array  # (size,)
    upper: Array  # (size,)


@dataclass(frozen=True)
class _LegRows:
    """Constraints rows @ x <= bounds on the leg lengths."""

    rows: Array  # (r, size)
    bounds: Array  # (r,) [m]


@dataclass(frozen=True)
class _LegSamples:
    """Legs that are near their limit, one entry per stance and node."""

    stance: NDArray[np.int64]  # (r,)
    node: NDArray[np.int64]  # (r,)
    root: Array  # (r, 3) [m] root of the limb relative to the CoM
    direction: Array  # (r, 3) unit vector from the contact to the root
    reach: Array  # (r,) [m]


def expand_cost(
    h: Horizon,
    nominal: NominalTrajectory,
    goal: TrackingGoal,
    weights: PlanWeights,
    limits: PlanLimits,
    force_cost: ForceCost,
) -> PlanProgram:
    """Expand the plan's cost about a nominal trajectory (Gauss-Newton).

    The constraints are equations 11, 12, 14 and 17 of Kwon et al. 2020; the equation of motion (10)
    is eliminated.

    Args:
        h: the horizon.
        nominal: the expansion point.
        goal: the reference at the nodes.
        weights: weights of the cost; without a weight on rotations they are left out.
        limits: limits of forces, legs and displacements.
        force_cost: the part of the cost that does not depend on the expansion point.
    """
    layout = UnknownLayout.from_horizon(h)
    maps = _build_rotation_maps(
        h, nominal, layout, max_spin=limits.max_spin, coupled=weights.rotation > 0
    )
    cost = _build_rotation_cost(nominal, goal, weights, maps=maps, layout=layout)
    force_cost.add_to(cost.hessian, cost.gradient, nominal.coefficients)
    _add_shift_and_slack_cost(cost, h, nominal, weights=weights, layout=layout)
    faces = _build_cones(h, nominal, limits)
    legs = _build_leg_rows(h, nominal, limits, layout)
    bounds = _build_bounds(h, nominal, limits, layout)
    program = QuadraticProgram(
        cost.hessian,
        cost.gradient,
        faces.normals,
        faces.bounds,
        legs.rows,
        legs.bounds,
        bounds.lower,
        bounds.upper,
    )
    return PlanProgram(program, layout, maps.rotation)


def _build_rotation_maps(
    h: Horizon,
    nominal: NominalTrajectory,
    layout: UnknownLayout,
    max_spin: float,
    coupled: bool,
) -> _RotationMaps:
    """Linearize the rotations and angular velocities at the nodes.

    With theta the change of the rotation (a rotation vector in world axes), l that of the angular
    momentum and w the angular velocity,

        theta_k+1 = step_k theta_k + dt I^-1 l_k+1/2 + gap_k
        step_k = exp(w_k+1/2 dt) + dt tilt_k,   tilt = I^-1 [I w]x - [w]x,

    since both inertia and angular velocity rotate with the body. The recursion is solved through
    the products of the steps.

    Args:
        h: the horizon.
        nominal: the expansion point.
        layout: order of the unknowns.
        max_spin: [rad/s] to which angular velocities are clipped; a poor warm start may spin the
            body fast enough to make the recursion unstable.
        coupled: whether rotations change with the forces. Otherwise the rotations of the nominal
            trajectory are kept.
    """
    momentum = _build_momentum_map(h, nominal, layout)
    inverse = h.inverse_inertia_in_world(nominal.rotation, 0)  # (n, 3, 3)
    if not coupled:
        return _RotationMaps(
            np.zeros((h.node_count, 3, layout.motion_count + 1)), inverse @ momentum[::2]
        )
    spin = _clip_spin(nominal.spin, max_spin)
    midpoint_spin = _clip_spin(nominal.midpoint_spin, max_spin)
    angular_momentum = (h.inertia_in_world(nominal.rotation, 0) @ spin[..., None])[..., 0]
    tilt = inverse @ so3.hat(angular_momentum) - so3.hat(spin)
    step_rotation = so3.exp(midpoint_spin * h.dt) + h.dt * tilt[:-1]
    product = so3.cumulative_products(step_rotation)
    if are_invertible(product):
        inverse_product = np.linalg.inv(product[1:])
        pulled_back = (h.dt * inverse_product @ inverse[:-1]) @ momentum[1::2]
        pulled_back[:, :, -1] += (inverse_product @ nominal.rotation_gap[..., None])[..., 0]
        rotation_map = np.zeros((h.node_count, 3, layout.motion_count + 1))
        np.cumsum(pulled_back, axis=0, out=rotation_map[1:])
        rotation_map[:, :, -1] += nominal.start_error
        rotation_map = product @ rotation_map
    else:
        added = (h.dt * inverse[:-1]) @ momentum[1::2]
        added[:, :, -1] += nominal.rotation_gap
        rotation_map = solve_recursion(step_rotation, added, nominal.start_error)
    return _RotationMaps(rotation_map, inverse @ momentum[::2] + tilt @ rotation_map)


def _build_momentum_map(h: Horizon, nominal: NominalTrajectory, layout: UnknownLayout) -> Array:
    """Linearize the angular momentum at nodes and midpoints [m s]. (m, 3, motion + 1).

    The differential of the moment of a force f at arm a = p - x, with F the sum of all forces, is

        d(a x f) = a x df + F x dx - f x dp.

    It is integrated as vectors and spread over the axes afterwards, since most entries of the
    matrices of a cross product are zero.
    """
    m = len(h.times)
    w = len(h.windows)
    # (m, 3, w)
    arm = (h.place_contact_points(nominal.positions) - nominal.com[:, None]).swapaxes(1, 2)
    # (m, 3) [m/s^2] total force times gravity
    total = nominal.force.reshape(m, -1) @ np.tile(h.gravity * np.eye(3), (w, 1))
    basis_value = h.basis.value.reshape(m, 1, w, h.coefficient_count)
    lever = (arm[..., None] * basis_value).reshape(m, 3, -1)
    lever += total[:, :, None] * h.basis.double_integral[:, None]
    lever = integrate_simpson(lever, h.dt)  # (m, 3, w K)
    momentum = np.zeros((m, 3, layout.motion_count + 1))
    for row, column, axis, sign in CROSS_PRODUCT_ENTRIES:
        momentum[:, row, column : layout.force_count : 3] = sign * lever[:, axis]
    for k, stance in enumerate(layout.shiftable):
        impulse = integrate_simpson(nominal.force[:, h.window_stance == stance].sum(1), h.dt)
        momentum[:, :, layout.shift_entries(k)] = -so3.hat(impulse)[:, :, :2]
    if nominal.momentum_error is not None:
        momentum[:, :, -1] += nominal.momentum_error
    return momentum


def _clip_spin(spin: Array, max_spin: float) -> Array:
    """Limit the magnitude of angular velocities [rad/s]. (n, 3) -> (n, 3)."""
    magnitude = np.linalg.norm(spin, axis=-1, keepdims=True)
    return spin * np.minimum(1.0, max_spin / np.maximum(magnitude, 1e-9))


def _build_rotation_cost(
    nominal: NominalTrajectory,
    goal: TrackingGoal,
    weights: PlanWeights,
    maps: _RotationMaps,
    layout: UnknownLayout,
) -> _QuadraticCost:
    """Build the squared errors of rotation and angular velocity, for all unknowns."""
    n = len(maps.rotation)
    motion_count = layout.motion_count
    mean = np.full((n, 1, 1), 1.0 / n)
    rotation_weights = weights.rotation * mean
    spin_weights = weights.spin * mean
    rotation_weights[-1] += weights.end.rotation
    spin_weights[-1] += weights.end.spin
    rows = np.concatenate([maps.rotation, maps.spin])
    rows[:n, :, -1] += so3.log(nominal.rotation @ np.swapaxes(goal.rotation, 1, 2))
    rows[n:, :, -1] += nominal.spin - goal.spin
    rows *= np.sqrt(np.concatenate([rotation_weights, spin_weights]))
    rows = rows.reshape(-1, motion_count + 1)
    square = rows.T @ rows
    hessian = np.zeros((layout.size, layout.size))
    hessian[:motion_count, :motion_count] = square[:motion_count, :motion_count]
    gradient = np.zeros(layout.size)
    gradient[:motion_count] = square[:motion_count, motion_count]
    return _QuadraticCost(hessian, gradient)


def _add_shift_and_slack_cost(
    cost: _QuadraticCost,
    h: Horizon,
    nominal: NominalTrajectory,
    weights: PlanWeights,
    layout: UnknownLayout,
) -> None:
    """Add the cost of displacements and slacks and the regularization, in place."""
    hessian = cost.hessian
    gradient = cost.gradient
    for k, stance in enumerate(layout.shiftable):
        entries = layout.shift_entries(k)
        hessian[entries, entries] += weights.shift * np.eye(2)
        gradient[entries] += (
            weights.shift * (nominal.positions[stance] - h.stances[stance].position)[:2]
        )
    slack = np.arange(layout.motion_count, layout.size)
    hessian[slack, slack] += weights.slack_square
    gradient[slack] += 0.5 * weights.slack_linear
    motion = np.arange(layout.motion_count)
    hessian[motion, motion] += REGULARIZATION


def _build_cones(h: Horizon, nominal: NominalTrajectory, limits: PlanLimits) -> ForceFaces:
    """Build the half-spaces of each change of a coefficient. w K entries."""
    frames = np.stack([s.rotation for s in h.stances])[h.window_stance]  # (w, 3, 3)
    is_grip = np.array([s.is_grip for s in h.stances], bool)[h.window_stance]
    faces = build_force_faces(frames, is_grip, limits)
    normals = np.repeat(faces.normals, h.coefficient_count, axis=0)
    bounds = np.repeat(faces.bounds, h.coefficient_count, axis=0)
    return ForceFaces(normals, bounds - (normals @ nominal.coefficients[..., None])[..., 0])


def _build_bounds(
    h: Horizon, nominal: NominalTrajectory, limits: PlanLimits, layout: UnknownLayout
) -> _Bounds:
    """Bound the remaining displacements (equation 17), and the slacks from below by zero."""
    lower = np.full(layout.size, -UNBOUNDED)
    upper = np.full(layout.size, UNBOUNDED)
    for k, stance in enumerate(layout.shiftable):
        planned = h.stances[stance]
        entries = layout.shift_entries(k)
        current_shift = (nominal.positions[stance] - planned.position)[:2]
        box = limits.max_shift * np.array([[-1.0], [1.0]])
        allowed = (
            np.broadcast_to(box, (2, 2))
            if planned.shift_bounds is None
            else np.clip(planned.shift_bounds, box[0], box[1])
        )
        lower[entries], upper[entries] = allowed - current_shift
    lower[layout.motion_count :] = 0.0
    return _Bounds(lower, upper)


def _build_leg_rows(
    h: Horizon, nominal: NominalTrajectory, limits: PlanLimits, layout: UnknownLayout
) -> _LegRows:
    """Build the leg-length constraints: equation 14 with one tangent plane per node.

    The sphere that a leg allows is replaced by its tangent plane in the direction of the leg. The
    rows use the CoM that the nominal forces give; `nominal.com` may be the reference instead.
    """
    legs = _find_long_legs(h, nominal, limits)
    stance = legs.stance
    direction = legs.direction
    row_count = len(stance)
    com_map = h.gravity * h.basis.double_integral[::2][legs.node]  # (r, w K)
    rows = np.zeros((row_count, layout.size))
    rows[:, : layout.force_count] = (com_map[:, :, None] * direction[:, None, :]).reshape(
        row_count, layout.force_count
    )
    for k, stance_index in enumerate(layout.shiftable):
        is_stance_row = stance == stance_index
        rows[is_stance_row, layout.shift_entries(k)] = -direction[is_stance_row, :2]
    rows[np.arange(row_count), layout.motion_count + stance] = -1.0
    com = h.contact_free_motion.com[::2][legs.node] + com_map @ nominal.coefficients
    bounds = legs.reach - ((com + legs.root - nominal.positions[stance]) * direction).sum(1)
    return _LegRows(rows, bounds)


def _find_long_legs(h: Horizon, nominal: NominalTrajectory, limits: PlanLimits) -> _LegSamples:
    """Return the legs that are near their reach, at the nodes within their contacts."""
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
    is_near = length > NEAR_REACH_SHARE * reach
    return _LegSamples(
        stance[is_near],
        node[is_near],
        root[is_near],
        direction=leg[is_near] / length[is_near][:, None],
        reach=reach[is_near],
    )
