"""The plan's cost and constraints around a base, as a convex quadratic program.

Unknowns, in this order: changes of the coefficients (3 count w), shifts of the free stances (2 each), one slack a stance on
the length of its leg. Only the cones, the largest force and the box of the shifts are hard, and no force at all satisfies
them: the program always has a solution.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .force_cost import ForceCost
from .force_set import force_faces
from .horizon import Horizon, simpson
from .linearization import Base, Goal
from .qp import UNBOUND, Quadratic
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

# entries of the matrix of a cross product: row, column, component, sign
CROSS = ((0, 1, 2, -1.0), (0, 2, 1, 1.0), (1, 0, 2, 1.0), (1, 2, 0, -1.0), (2, 0, 1, -1.0), (2, 1, 0, 1.0))


def expand(h: Horizon, base: Base, goal: Goal, weights: PlanWeights, limits: PlanLimits,
           forces: ForceCost) -> Quadratic:
    """Gauss-Newton expansion of the plan's cost about a base."""
    free = np.array([k for k, s in enumerate(h.stances) if s.free], np.int64)
    count = 3 * h.count * len(h.windows)
    moved = count + 2 * len(free)
    turned, spun = _rotations(h, base, free, count, moved, limits.fastest_spin, coupled=weights.rotation > 0)
    hessian, gradient = _rotation_cost(base, goal, weights, turned, spun, moved, len(h.stances))
    forces.add(hessian, gradient, base.coefficients)
    for k, stance in enumerate(free):
        at = slice(count + 2 * k, count + 2 * k + 2)
        hessian[at, at] += weights.shift * np.eye(2)
        gradient[at] += weights.shift * (base.positions[stance] - h.stances[stance].position)[:2]
    slack = np.arange(moved, moved + len(h.stances))
    hessian[slack, slack] += weights.slack[0]
    gradient[slack] += 0.5 * weights.slack[1]
    hessian[np.arange(moved), np.arange(moved)] += 1e-6
    faces, most = _cones(h, base, limits)
    rows, bound = _leg_rows(h, base, limits, free, count, moved, len(gradient))
    return Quadratic(hessian, gradient, faces, most, rows, bound, *_box(h, base, limits, free, count, len(gradient)), turned, free)


def _rotations(h: Horizon, base: Base, free: NDArray[np.int64], count: int, moved: int, fastest: float,
               coupled: bool) -> tuple[Array, Array]:
    """Changes of the rotations and angular velocities at the nodes. Each (n, 3, moved + 1), the last column constant.

    Not coupled, the body is taken to turn as the base does whatever happens: then nothing grows from node to node.
    """
    value, _, twice = h.basis
    m, w = len(h.times), len(h.windows)
    arm = (h.arms(base.positions) - base.com[:, None]).swapaxes(1, 2)                      # (m, 3, w)
    total = base.force.reshape(m, -1) @ np.tile(h.gravity * np.eye(3), (w, 1))             # (m, 3), times g
    # d(arm x f) = arm x df + F x dc - f x dp; integrated as vectors, then by axis, as a cross product's matrix is mostly zeros
    lever = (arm[..., None] * value.reshape(m, 1, w, h.count)).reshape(m, 3, -1)
    lever += total[:, :, None] * twice[:, None]
    lever = simpson(lever, h.dt)                                                           # (m, 3, count w)
    momentum = np.zeros((m, 3, moved + 1))
    for row, column, axis, sign in CROSS:
        momentum[:, row, column:count:3] = sign * lever[:, axis]
    for k, stance in enumerate(free):
        own = simpson(base.force[:, h.window_stance == stance].sum(1), h.dt)
        momentum[:, :, count + 2 * k:count + 2 * k + 2] = -so3.hat(own)[:, :, :2]
    if base.momentum_error is not None:
        momentum[:, :, -1] += base.momentum_error
    nodes = h.nodes
    inverse = h.world_inverse(base.rotation, 0)                                            # (n, 3, 3)
    if not coupled:
        return np.zeros((nodes, 3, moved + 1)), inverse @ momentum[::2]
    # a guess may spin the body wildly; that must not make the expansion unstable
    spin, middle = _held(base.spin, fastest), _held(base.middle_spin, fastest)
    own = (h.world_inertia(base.rotation, 0) @ spin[..., None])[..., 0]
    tilt = inverse @ so3.hat(own) - so3.hat(spin)              # spin = I^-1 l, both turning with the body
    step = so3.exp(middle * h.dt) + h.dt * tilt[:-1]
    # theta_k+1 = step_k theta_k + dt I^-1 l_k + gap_k, unrolled through the product of the steps
    product = so3.products(step)
    undone = np.linalg.inv(product[1:])
    pulled = (h.dt * undone @ inverse[:-1]) @ momentum[1::2]
    pulled[:, :, -1] += (undone @ base.gap[..., None])[..., 0]
    turned = np.zeros((nodes, 3, moved + 1))
    np.cumsum(pulled, axis=0, out=turned[1:])
    turned[:, :, -1] += base.start_error
    turned = product @ turned
    return turned, inverse @ momentum[::2] + tilt @ turned


def _held(spin: Array, fastest: float) -> Array:
    size = np.linalg.norm(spin, axis=-1, keepdims=True)
    return spin * np.minimum(1.0, fastest / np.maximum(size, 1e-9))


def _rotation_cost(base: Base, goal: Goal, weights: PlanWeights, turned: Array, spun: Array, moved: int,
                   stances: int) -> tuple[Array, Array]:
    n = len(turned)
    mean = np.full((n, 1, 1), 1.0 / n)
    share_r, share_s = weights.rotation * mean, weights.spin * mean
    share_r[-1] += weights.end[2]
    share_s[-1] += weights.end[3]
    rows = np.concatenate([turned, spun])
    rows[:n, :, -1] += so3.log(base.rotation @ np.swapaxes(goal.rotation, 1, 2))
    rows[n:, :, -1] += base.spin - goal.spin
    rows *= np.sqrt(np.concatenate([share_r, share_s]))
    rows = rows.reshape(-1, moved + 1)
    square = rows.T @ rows
    hessian = np.zeros((moved + stances, moved + stances))
    hessian[:moved, :moved] = square[:moved, :moved]
    gradient = np.zeros(moved + stances)
    gradient[:moved] = square[:moved, moved]
    return hessian, gradient


def _cones(h: Horizon, base: Base, limits: PlanLimits) -> tuple[Array, Array]:
    """Half-spaces of each change of a coefficient, (count w, 5, 3) and (count w, 5)."""
    frames = np.stack([s.rotation for s in h.stances])[h.window_stance]                     # (w, 3, 3)
    faces, most = force_faces(frames, np.array([s.grip for s in h.stances], bool)[h.window_stance], limits)
    each = np.repeat(faces, h.count, axis=0)
    return each, np.repeat(most, h.count, axis=0) - (each @ base.coefficients[..., None])[..., 0]


def _box(h: Horizon, base: Base, limits: PlanLimits, free: NDArray[np.int64], count: int, size: int) -> tuple[Array, Array]:
    """The least and the most of each unknown: of the shifts what is left of their room, of the slacks no less than none."""
    lower, upper = np.full(size, -UNBOUND), np.full(size, UNBOUND)
    for k, stance in enumerate(free):
        own, at = h.stances[stance], slice(count + 2 * k, count + 2 * k + 2)
        done, box = (base.positions[stance] - own.position)[:2], limits.shift * np.array([[-1.0], [1.0]])
        room = np.broadcast_to(box, (2, 2)) if own.room is None else np.clip(own.room, box[0], box[1])
        lower[at], upper[at] = room - done
    lower[count + 2 * len(free):] = 0.0
    return lower, upper


def _leg_rows(h: Horizon, base: Base, limits: PlanLimits, free: NDArray[np.int64], count: int, moved: int,
              size: int) -> tuple[Array, Array]:
    """Tangent planes of the spheres that the legs allow, where they are near: equation 14 with one plane a node."""
    times = h.times[::2]
    spans = np.array([(s.begin, s.end) for s in h.stances])
    on = (times > spans[:, :1] - limits.early) & (times < spans[:, 1:] + limits.early)
    stance, node = np.nonzero(on & (times > h.start + 1e-9))
    root = np.zeros((len(node), 3)) if h.roots is None else h.roots[stance, node]
    leg = base.com[::2][node] + root - base.positions[stance]
    length = np.linalg.norm(leg, axis=1)
    share = (times[node] - spans[stance, 0]) / (spans[stance, 1] - spans[stance, 0])
    reach = limits.leg(np.array([s.leg for s in h.stances])[stance], share, np.array([s.fallen for s in h.stances])[stance])
    near = length > 0.85 * reach
    stance, node, root, leg, length, reach = stance[near], node[near], root[near], leg[near], length[near], reach[near]
    along = leg / length[:, None]                                                           # (r, 3)
    _, _, twice = h.basis
    place = h.gravity * twice[::2][node]                                                    # (r, count w)
    rows = np.zeros((len(node), size))
    rows[:, :count] = (place[:, :, None] * along[:, None, :]).reshape(len(node), count)
    for k, f in enumerate(free):
        own = stance == f
        rows[own, count + 2 * k:count + 2 * k + 2] = -along[own, :2]
    rows[np.arange(len(node)), moved + stance] = -1.0
    # the base's centre of mass may be the wished one: the rows need the one that the base's forces give
    com = h.coasting[0][::2][node] + place @ base.coefficients
    return rows, reach - ((com + root - base.positions[stance]) * along).sum(1)
