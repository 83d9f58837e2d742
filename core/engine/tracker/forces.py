"""Contact forces that explain a motion of the whole body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...character.kinematic_model import KinematicModel
from ...motion import Footstep
from ..shared.contact_forces import (
    MOMENTUM_SMOOTHING,
    ContactPoints,
    compute_load,
    distribute_forces,
)
from ..shared.motion_builder import PushSeries

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MovingBody:
    """A motion whose forces are computed.

    Args:
        times: equally spaced [s], shape (n,).
        poses: shape (n, nq).
        com: center of mass of these [m], shape (n, 3).
        soles: places of heel and ball of both feet [m], shape (n, 4, 3).
        active: whether these rest, shape (n, 4).
        footsteps: contacts.
        pushes: resultant of the pushes.
    """

    times: Array
    poses: Array
    com: Array
    soles: Array
    active: NDArray[np.bool_]
    footsteps: tuple[Footstep, ...]
    pushes: PushSeries


def compute_contact_forces(
    model: KinematicModel, motion: MovingBody, gravity: float, friction: float
) -> Array:
    """Return the forces at heel and ball of both feet [N], shape (n, 2, 2, 3)."""
    weight = model.character.mass * gravity
    acceleration = _differentiate_twice(motion.com, motion.times[1] - motion.times[0])
    force = acceleration / gravity + [0.0, 0.0, 1.0] - motion.pushes.force / weight
    arm = motion.pushes.point - motion.com
    pushed = np.cross(arm, motion.pushes.force) + motion.pushes.moment
    moment = _compute_moment(model, motion) - pushed
    points = ContactPoints(motion.soles - motion.com[:, None], _compute_loads(motion))
    forces = distribute_forces(points, force, moment / weight, friction)
    return weight * forces.reshape(len(motion.times), 2, 2, 3)


def _differentiate_twice(values: Array, dt: float) -> Array:
    """Return second differences of n values, whose mean over a few frames is exact, (n, k).

    At the ends they go on as they change, since a clip may begin while a force rises.
    """
    inside = np.diff(values, 2, axis=0) / dt**2
    ends = 2 * inside[[0, -1]] - inside[[1, -2]]
    return np.concatenate([ends[:1], inside, ends[1:]])


def _compute_loads(motion: MovingBody) -> Array:
    """Return how much heel and ball of each foot can bear, shape (n, 4)."""
    load = np.zeros((len(motion.times), 4))
    for f in motion.footsteps:
        for point, span in enumerate((f.heel_span, f.ball_span)):
            column = 2 * f.leg + point
            load[:, column] = np.maximum(
                load[:, column], compute_load(motion.times, span.begin, span.end)
            )
    return load * motion.active


def _compute_moment(model: KinematicModel, motion: MovingBody) -> Array:
    """Return the rate of the angular momentum [N m], shape (n, 3)."""
    dt = motion.times[1] - motion.times[0]
    maps = model.compute_centroidal_dynamics(motion.poses).angular_map
    velocity = model.difference(motion.poses[:-1], motion.poses[1:]) / dt
    momentum = (0.5 * (maps[1:] + maps[:-1]) @ velocity[..., None])[..., 0]
    momentum = gaussian_filter1d(momentum, MOMENTUM_SMOOTHING / dt, axis=0, mode="nearest")
    rate = np.diff(momentum, axis=0) / dt
    return np.concatenate([rate[:1], rate, rate[-1:]])
