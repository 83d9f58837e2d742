"""The plan's cost and constraints around a base, as a convex quadratic program.

Unknowns, in this order: changes of the coefficients (3 COUNT w), shifts of the free stances (2 each), one slack a stance on
the length of its leg. Only the cones, the largest force and the box of the shifts are hard, and no force at all satisfies
them: the program always has a solution.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import so3
from .base import Base, Goal
from .force_basis import COUNT, difference_penalty
from .force_set import force_faces
from .horizon import Horizon, simpson
from .program import UNBOUND, Quadratic
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

# entries of the matrix of a cross product: row, column, component, sign
CROSS = ((0, 1, 2, -1.0), (0, 2, 1, 1.0), (1, 0, 2, 1.0), (1, 2, 0, -1.0), (2, 0, 1, -1.0), (2, 1, 0, 1.0))


def expand(h: Horizon, base: Base, goal: Goal, weights: PlanWeights, limits: PlanLimits,
           kept: tuple[Array, Array] | None) -> Quadratic:
    """Gauss-Newton expansion of the plan's cost. `kept` are the rows and values that the forces at the start had before."""
    free = np.array([k for k, s in enumerate(h.stances) if s.free], np.int64)
    count = 3 * COUNT * len(h.windows)
    moved = count + 2 * len(free)
    turned, spun = _rotations(h, base, free, count, moved, limits.fastest_spin, coupled=weights.rotation > 0)
    hessian, gradient = _rotation_cost(base, goal, weights, turned, spun, moved, len(h.stances))
    _force_cost(h, base, goal, weights, hessian, gradient, count)
    if kept is not None:
        _continuity_cost(base, weights, kept, hessian, gradient, count)
    for k, stance in enumerate(free):
        at = slice(count + 2 * k, count + 2 * k + 2)
        hessian[at, at] += weights.shift * np.eye(2)
        gradient[at] += weights.shift * (base.positions[stance] - h.stances[stance].position)[:2]
    slack = np.arange(moved, moved + len(h.stances))
    hessian[slack, slack] += weights.slack[0]
    gradient[slack] += 0.5 * weights.slack[1]
    hessian[np.arange(moved), np.arange(moved)] += 1e-6
    rows, bound, lower, upper = _constraints(h, base, limits, free, count, moved)
    return Quadratic(hessian, gradient, rows, bound, lower, upper, turned, free)


def _rotations(h: Horizon, base: Base, free: NDArray[np.int64], count: int, moved: int, fastest: float,
               coupled: bool) -> tuple[Array, Array]:
    """Changes of the rotations and angular velocities at the nodes. Each (n, 3, moved + 1), the last column constant.

    Not coupled, the body is taken to turn as the base does whatever happens: then nothing grows from node to node.
    """
    value, _, twice = h.basis
    m, w = len(h.times), len(h.windows)
    arm = h.arms(base.positions) - base.com[:, None]                                       # (m, w, 3)
    total = base.force.sum(1)                                                              # (m, 3)
    rate = np.zeros((m, 3, moved + 1))
    # d(arm x f) = arm x df + F x dc - f x dp; by axis, as a cross product's matrix is mostly zeros
    lever = arm[:, :, None] * value.reshape(m, w, COUNT, 1)                                # (m, w, COUNT, 3)
    lever = lever.reshape(m, -1, 3) + h.gravity * total[:, None] * twice[:, :, None]       # (m, COUNT w, 3)
    by_force = np.zeros((m, 3, COUNT * w, 3))
    for row, column, axis, sign in CROSS:
        by_force[:, row, :, column] = sign * lever[:, :, axis]
    rate[:, :, :count] = by_force.reshape(m, 3, count)
    for k, stance in enumerate(free):
        own = base.force[:, h.window_stance == stance].sum(1)
        rate[:, :, count + 2 * k:count + 2 * k + 2] = -so3.hat(own)[:, :, :2]
    momentum = simpson(rate, h.dt)
    if base.momentum_error is not None:
        momentum[:, :, -1] += base.momentum_error
    nodes = h.nodes
    inertia = h.world_inertia(base.rotation, 0)
    inverse = np.linalg.inv(inertia)                                                       # (n, 3, 3)
    if not coupled:
        return np.zeros((nodes, 3, moved + 1)), inverse @ momentum[::2]
    # a guess may spin the body wildly; that must not make the expansion unstable
    spin, middle = _held(base.spin, fastest), _held(base.middle_spin, fastest)
    own = (inertia @ spin[..., None])[..., 0]
    tilt = inverse @ so3.hat(own) - so3.hat(spin)              # spin = I^-1 l, both turning with the body
    step = so3.exp(middle * h.dt) + h.dt * tilt[:-1]
    drive = h.dt * (inverse[:-1] @ momentum[1::2])
    drive[:, :, -1] += base.gap
    # theta_k+1 = step_k theta_k + drive_k, unrolled through the product of the steps
    product = np.empty((nodes, 3, 3))
    product[0] = np.eye(3)
    for k in range(nodes - 1):
        product[k + 1] = step[k] @ product[k]
    pulled = np.linalg.solve(product[1:], drive)
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
    error_r = so3.log(base.rotation @ np.swapaxes(goal.rotation, 1, 2))[..., None]
    error_s = (base.spin - goal.spin)[..., None]
    rows = np.concatenate([(turned + _last(error_r, moved)) * np.sqrt(share_r), (spun + _last(error_s, moved)) * np.sqrt(share_s)])
    rows = rows.reshape(-1, moved + 1)
    square = rows.T @ rows
    hessian = np.zeros((moved + stances, moved + stances))
    hessian[:moved, :moved] = square[:moved, :moved]
    gradient = np.zeros(moved + stances)
    gradient[:moved] = square[:moved, moved]
    return hessian, gradient


def _last(column: Array, moved: int) -> Array:
    out = np.zeros(column.shape[:-1] + (moved + 1,))
    out[..., -1:] = column
    return out


def _force_cost(h: Horizon, base: Base, goal: Goal, weights: PlanWeights, hessian: Array, gradient: Array, count: int) -> None:
    """Tracking of the centre of mass, exact and convex, and calm forces.

    The total force has a weight of its own: by their coefficients alone, forces are cheapest where most points share them,
    and the body would be thrown up by every double support.
    """
    value, once, twice = h.basis
    total = value[::2]                                                                      # (n, COUNT w)
    place, pace = h.gravity * twice[::2], h.gravity * once[::2]                             # (n, COUNT w)
    com = h.coasting[0][::2] + place @ base.coefficients - goal.com
    velocity = h.coasting[1][::2] + pace @ base.coefficients - goal.velocity
    calm = np.kron(np.eye(len(h.windows)), weights.coefficient * np.eye(COUNT) + weights.difference * difference_penalty())
    n = h.nodes
    fight = _fight(h, value[::2])
    for axis in range(3):
        share_c, share_v = np.full(n, weights.com[axis] / n), np.full(n, weights.velocity[axis] / n)
        share_c[-1] += weights.end[0]
        share_v[-1] += weights.end[1]
        factor = 1.0 if axis == 2 else weights.sideways
        push = total @ base.coefficients[:, axis] - goal.force[:, axis]
        hessian[axis:count:3, axis:count:3] += ((place.T * share_c) @ place + (pace.T * share_v) @ pace
                                                + weights.force / n * total.T @ total + factor * calm)
        gradient[axis:count:3] += (place.T @ (share_c * com[:, axis]) + pace.T @ (share_v * velocity[:, axis])
                                   + weights.force / n * total.T @ push + factor * calm @ base.coefficients[:, axis])
        if axis < 2:
            hessian[axis:count:3, axis:count:3] += weights.fight / n * fight
            gradient[axis:count:3] += weights.fight / n * fight @ base.coefficients[:, axis]


def _fight(h: Horizon, value: Array) -> Array:
    """Quadratic form of horizontal forces of heel and ball that do not go the same way. (COUNT w, COUNT w).

    While both points of a foot are down, the load goes over from heel to ball; horizontal forces that are handed over in the
    same way have nothing against each other.

    Args:
        value: (n, COUNT w) of the coefficients' curves at the nodes.
    """
    times, w = h.times[::2], len(h.windows)
    curves = value.reshape(len(times), w, COUNT)
    form = np.zeros((w, COUNT, w, COUNT))
    for heel in np.flatnonzero(h.window_point == 0):
        for ball in np.flatnonzero((h.window_point == 1) & (h.window_stance == h.window_stance[heel])):
            begin, end = max(h.windows[heel, 0], h.windows[ball, 0]), min(h.windows[heel, 1], h.windows[ball, 1])
            both = (times > begin) & (times < end)
            share = (times[both, None] - begin) / max(end - begin, 1e-9)
            rows = np.concatenate([share * curves[both, heel], (share - 1) * curves[both, ball]], 1)
            square = (rows.T @ rows).reshape(2, COUNT, 2, COUNT)
            form[np.ix_((heel, ball), range(COUNT), (heel, ball), range(COUNT))] += square
    return form.reshape(w * COUNT, w * COUNT)


def _continuity_cost(base: Base, weights: PlanWeights, kept: tuple[Array, Array], hessian: Array, gradient: Array,
                     count: int) -> None:
    rows, values = kept                                                                     # (k, COUNT w), (k, 3)
    for axis in range(3):
        hessian[axis:count:3, axis:count:3] += weights.continuity * rows.T @ rows
        gradient[axis:count:3] += weights.continuity * rows.T @ (rows @ base.coefficients[:, axis] - values[:, axis])


def _constraints(h: Horizon, base: Base, limits: PlanLimits, free: NDArray[np.int64], count: int,
                 moved: int) -> tuple[Array, Array, Array, Array]:
    size = moved + len(h.stances)
    frames = np.stack([s.rotation for s in h.stances])[h.window_stance]                     # (w, 3, 3)
    local, most = force_faces(frames, np.array([s.grip for s in h.stances], bool)[h.window_stance], limits)
    each = np.repeat(local, COUNT, axis=0)                                                  # (COUNT w, 5, 3)
    c = len(each)
    cone = np.zeros((c, 5, size))
    cone[np.arange(c)[:, None, None], np.arange(5)[:, None], 3 * np.arange(c)[:, None, None] + np.arange(3)] = each
    bound = np.repeat(most, COUNT, axis=0) - np.einsum("cfa,ca->cf", each, base.coefficients)
    rows_l, bound_l = _leg_rows(h, base, limits, free, count, moved, size)
    lower, upper = np.full(size, -UNBOUND), np.full(size, UNBOUND)
    for k, stance in enumerate(free):
        own, at = h.stances[stance], slice(count + 2 * k, count + 2 * k + 2)
        done, box = (base.positions[stance] - own.position)[:2], limits.shift * np.array([[-1.0], [1.0]])
        room = np.broadcast_to(box, (2, 2)) if own.room is None else np.clip(own.room, box[0], box[1])
        lower[at], upper[at] = room - done
    lower[moved:] = 0.0
    return np.concatenate([cone.reshape(-1, size), rows_l]), np.concatenate([bound.ravel(), bound_l]), lower, upper


def _leg_rows(h: Horizon, base: Base, limits: PlanLimits, free: NDArray[np.int64], count: int, moved: int,
              size: int) -> tuple[Array, Array]:
    """Tangent planes of the spheres that the legs allow, where they are near: equation 14 with one plane a node."""
    times = h.times[::2]
    spans = np.array([(s.begin, s.end) for s in h.stances])
    stance, node = np.nonzero((times > spans[:, :1]) & (times < spans[:, 1:]) & (times > h.start + 1e-9))
    root = np.zeros((len(node), 3)) if h.roots is None else h.roots[stance, node]
    leg = base.com[::2][node] + root - base.positions[stance]
    length = np.linalg.norm(leg, axis=1)
    share = (times[node] - spans[stance, 0]) / (spans[stance, 1] - spans[stance, 0])
    reach = limits.leg(share, np.array([s.fallen for s in h.stances])[stance])
    near = length > 0.85 * reach
    stance, node, root, leg, length, reach = stance[near], node[near], root[near], leg[near], length[near], reach[near]
    along = leg / length[:, None]                                                           # (r, 3)
    _, _, twice = h.basis
    place = h.gravity * twice[::2][node]                                                    # (r, COUNT w)
    rows = np.zeros((len(node), size))
    rows[:, :count] = (place[:, :, None] * along[:, None, :]).reshape(len(node), count)
    for k, f in enumerate(free):
        own = stance == f
        rows[own, count + 2 * k:count + 2 * k + 2] = -along[own, :2]
    rows[np.arange(len(node)), moved + stance] = -1.0
    # the base's centre of mass may be the wished one: the rows need the one that the base's forces give
    com = h.coasting[0][::2][node] + place @ base.coefficients
    return rows, reach - ((com + root - base.positions[stance]) * along).sum(1)
