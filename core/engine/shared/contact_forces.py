"""Distribute the force that a motion needs to the contact points of the feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Share of the friction of the ground that distributed forces use, so that a cone is kept although
# the rounds of the solver end before it is exact.
FRICTION_SHARE = 0.9
# Deviation over which the angular momentum is smoothed before it is differentiated [s], a frame and
# a bit at 60 a second, between which poses are solved separately.
MOMENTUM_SMOOTHING = 0.02


@dataclass(frozen=True)
class ForceParameters:
    """How forces are distributed.

    Args:
        rest: weight of the squared forces against that of the squared error, in body weights.
            Numerical: it chooses among the forces of points that explain the same motion.
        moment_weight: weight of the squared error of the moment, in body weights and meters: half
            of that of the force, which moves the body.
        rounds: rounds of the solver. Numerical, as the next.
        step: weight that ties the forces to those within friction in a round. Numerical.
        ramp_time: time over which a point takes up its load, and gives it up [s], that of human
            heels and balls.
        max_ramp_share: greatest share of a contact over which it does, so that short contacts bear
            in their middle.
        least_load: load at both ends of a contact. It is above 0, so that points at rest share a
            force as soon as they touch.
    """

    rest: float = 1e-4
    moment_weight: float = 0.5
    rounds: int = 25
    step: float = 0.03
    ramp_time: float = 0.1
    max_ramp_share: float = 0.45
    least_load: float = 0.02


FORCES = ForceParameters()


@dataclass(frozen=True)
class ContactPoints:
    """Contact points of a body over n frames.

    Args:
        arms: from the center of mass to each of p points [m], shape (n, p, 3).
        load: how much each point can bear, 0 to 1, 0 without contact, shape (n, p).
    """

    arms: Array
    load: Array


def compute_load(times: Array, begin: float, end: float) -> Array:
    """Return how much a point in contact from `begin` to `end` [s] can bear, 0 to 1, (n,)."""
    ramp = max(min(FORCES.ramp_time, FORCES.max_ramp_share * (end - begin)), 1e-6)
    u = np.clip(np.minimum(times - begin, end - times) / ramp, 0.0, 1.0)
    load = FORCES.least_load + (1 - FORCES.least_load) * u * u * (3 - 2 * u)
    return np.where((times >= begin) & (times <= end), load, 0.0)


def distribute_forces(points: ContactPoints, force: Array, moment: Array, friction: float) -> Array:
    """Return forces of the points that come as close as they can to a force and a moment.

    The forces push, within friction, and are small.

    Args:
        points: p points over n frames.
        force: force on the body [body weights], shape (n, 3).
        moment: moment about its center of mass [body weights m], shape (n, 3).
        friction: coefficient of friction.

    Returns:
        Shape (n, p, 3) [body weights].
    """
    n, p, _ = points.arms.shape
    out = np.zeros((n, p, 3))
    used = np.flatnonzero(points.load.any(1))
    if not used.size:
        return out
    load = points.load[used]
    maps = _build_maps(points.arms[used], load)  # (n, 6, 3 p)
    target = np.concatenate([force[used], FORCES.moment_weight * moment[used]], 1)
    transposed = np.swapaxes(maps, 1, 2)
    ridge = (FORCES.rest + FORCES.step) * np.eye(3 * p)
    inverse = np.linalg.inv(transposed @ maps + ridge)
    pull = inverse @ (transposed @ target[..., None])
    keep = FORCES.step * inverse
    # Alternating direction method of multipliers: forces x, forces z within friction, and the sum u
    # of their differences.
    z = np.zeros_like(pull)
    u = np.zeros_like(pull)
    for _ in range(FORCES.rounds):
        u = u + (pull + keep @ (z - u))
        z = _project_to_cones(u.reshape(-1, p, 3), friction).reshape(pull.shape)
        u -= z
    out[used] = z.reshape(-1, p, 3) * load[..., None]
    return out


def _build_maps(arms: Array, load: Array) -> Array:
    """Return the maps from forces, in shares of the load, to force and moment, (n, 6, 3 p)."""
    n, p, _ = arms.shape
    maps = np.zeros((n, 6, p, 3))
    maps[:, :3] = np.swapaxes(np.broadcast_to(np.eye(3), (n, p, 3, 3)), 1, 2)
    x, y, z = np.moveaxis(arms, -1, 0)
    moment = maps[:, 3:]
    moment[:, 0, :, 1] = -z
    moment[:, 0, :, 2] = y
    moment[:, 1, :, 0] = z
    moment[:, 1, :, 2] = -x
    moment[:, 2, :, 0] = -y
    moment[:, 2, :, 1] = x
    moment *= FORCES.moment_weight
    maps *= load[:, None, :, None]
    return maps.reshape(n, 6, 3 * p)


def _project_to_cones(forces: Array, friction: float) -> Array:
    """Return the nearest forces that push, within friction. (n, p, 3) -> (n, p, 3)."""
    tangential = np.hypot(forces[..., 0], forces[..., 1])
    normal = forces[..., 2]
    is_inside = tangential <= friction * normal
    height = np.maximum((normal + friction * tangential) / (1 + friction**2), 0.0)
    share = np.where(is_inside, 1.0, friction * height / np.maximum(tangential, 1e-12))
    projected = forces * share[..., None]
    projected[..., 2] = np.where(is_inside, normal, height)
    return projected
