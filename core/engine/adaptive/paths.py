"""Paths of the end effectors, and the state of a body that they begin with."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .biped_model import FootFrames

Array = NDArray[np.float64]

# Speed below which a planned frame is stationary [m/s]
STATIONARY_SPEED = 0.05


@dataclass(frozen=True)
class SwingFootPath:
    """Planned path of a foot over n control steps; afterwards it stays at the last one.

    Args:
        ankle: (n, 3) [m].
        rotation: (n, 3, 3) foot to world.
        relative: (n, 3, 3) toes and heel from the foot's center [m].
        ankle_velocity: (n, 3) [m/s].
        relative_velocity: (n, 3, 3) [m/s].
        stationary: (n, 4) whether ankle, toes and heel are planned to stand still.
    """

    ankle: Array
    rotation: Array
    relative: Array
    ankle_velocity: Array
    relative_velocity: Array
    stationary: NDArray[np.bool_]


@dataclass(frozen=True)
class BodyPath:
    """Planned path of the upper body over the control steps of half a cycle, and its last point.

    Args:
        position: (n + 1, 3) center of mass [m].
        velocity: (n + 1, 3) [m/s].
        rotation: (n + 1, 3, 3).
        angular_velocity: (n + 1, 3) [rad/s].
    """

    position: Array
    velocity: Array
    rotation: Array
    angular_velocity: Array


@dataclass(frozen=True)
class WalkerBodyState:
    """What the planner knows at the beginning of half a cycle.

    Args:
        body_position: (3,) center of the upper body [m].
        body_rotation: (3, 3).
        foot_position: (3,) ankle of the swing foot [m].
        foot_rotation: (3, 3) of the swing foot.
        stance_ankle: (3,) place of the ankle of the stance foot, planned if it has not landed [m].
        deviation: (2,) of the upper body from its last target [m].
        facing: heading of the last goal [rad].
    """

    body_position: Array
    body_rotation: Array
    foot_position: Array
    foot_rotation: Array
    stance_ankle: Array
    deviation: Array
    facing: float


@dataclass(frozen=True)
class HalfCyclePlan:
    """Paths for half a cycle.

    Args:
        target: (2,) of the swing foot, before it avoids an edge [m]; None for a foot that stays.
    """

    swing: SwingFootPath
    body: BodyPath
    target: Array | None


def make_foot_path(
    frames: FootFrames, ankle: Array, rotation: Array, control_step: float
) -> SwingFootPath:
    """Return the path of a foot whose ankle and rotation are given.

    Args:
        frames: of the foot.
        ankle: (n, 3) [m].
        rotation: (n, 3, 3) foot to world.
        control_step: time between two control steps [s].
    """
    relative = (frames.offsets[1:] - frames.center) @ np.swapaxes(rotation, 1, 2)
    ankle_velocity = _come_to_rest(ankle, control_step)
    relative_velocity = _come_to_rest(relative, control_step)
    return SwingFootPath(
        ankle,
        rotation,
        relative,
        ankle_velocity,
        relative_velocity,
        stationary=_find_stationary(ankle_velocity, relative_velocity),
    )


def move_foot_path(path: SwingFootPath, ankle: Array, control_step: float) -> SwingFootPath:
    """Return a path with other places of the ankle (n, 3) [m] and the same rotations."""
    velocity = _come_to_rest(ankle, control_step)
    return replace(
        path,
        ankle=ankle,
        ankle_velocity=velocity,
        stationary=_find_stationary(velocity, path.relative_velocity),
    )


def _find_stationary(ankle: Array, relative: Array) -> NDArray[np.bool_]:
    """Return whether ankle, toes and heel stand still (n, 4).

    Args:
        ankle: (n, 3) velocities [m/s].
        relative: (n, 3, 3) of toes and heel beside that of the ankle [m/s].
    """
    velocity = np.concatenate([ankle[:, None], ankle[:, None] + relative], 1)
    return np.asarray(np.einsum("nki,nki->nk", velocity, velocity) < STATIONARY_SPEED**2)


def differentiate(path: Array, control_step: float) -> Array:
    """Return the velocities of a path (n, ...), as `numpy.gradient` in a fifth of its time.

    Args:
        path: of at least two points [m].
        control_step: time between them [s].
    """
    velocity = np.empty_like(path)
    velocity[0] = (path[1] - path[0]) / control_step
    velocity[1:-1] = (path[2:] - path[:-2]) / (2.0 * control_step)
    velocity[-1] = (path[-1] - path[-2]) / control_step
    return velocity


def _come_to_rest(path: Array, control_step: float) -> Array:
    """Return the velocities of a path, at rest at its end."""
    if len(path) == 1:
        return np.zeros_like(path)
    velocity = differentiate(path, control_step)
    velocity[-1] = 0.0
    return velocity
