"""Interface of the physics engines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootLoad:
    """Ground reaction force on one foot, averaged over the last step."""

    normal: float  # [N] upward part of `force`
    force: Array  # (3,) [N]
    pressure: Array  # (3,) [m] center of pressure; NaN for an unloaded foot
    forces: Array  # (points, 3) [N] at the points of the sole, in the model's order


@dataclass(frozen=True)
class PhysicsState:
    """State of a simulated body at the end of the last step."""

    time: float  # [s]
    pose: Array  # (nq,) generalized coordinates; quaternions are (w, x, y, z)
    # (nv,) generalized velocity: linear of the root in world axes, angular in the axes of the links
    velocity: Array
    foot_loads: tuple[FootLoad, ...]
    # Why the simulation failed, in words: what touched the ground, or what is not finite. Empty
    # while all is well
    trouble: str = ""


@dataclass(frozen=True)
class BodyForce:
    """Force on a body of the model."""

    body: int
    force: Array  # (3,) [N] in world axes
    # (3,) [m] in world coordinates, or in the body's frame for an active push
    point: Array


class Physics(Protocol):
    """Simulation of a body on a ground under torques, pushes and contacts."""

    @property
    def state(self) -> PhysicsState:
        """Current state."""
        ...

    def reset(self, pose: Array, velocity: Array | None = None, time: float = 0.0) -> PhysicsState:
        """Set the state, and remove all pushes.

        Args:
            pose: (nq,) generalized coordinates.
            velocity: (nv,) generalized velocity; None for rest.
            time: [s].
        """
        ...

    def step(self, torques: Array, seconds: float) -> PhysicsState:
        """Simulate under constant torques, in substeps of about `model.SUBSTEP`.

        Args:
            torques: (nv - 6,) [Nm].
            seconds: [s].

        Returns:
            The state at the end.
        """
        ...

    def push(self, link: int, force: Array, seconds: float, point: Array | None = None) -> None:
        """Push a link of the character from now on.

        Args:
            link: index of the link.
            force: (3,) [N] in world axes.
            seconds: [s] duration.
            point: (3,) [m] in the link's frame; None for the link's CoM.
        """
        ...


def create_unloaded_foot(points: int) -> FootLoad:
    """Return the load of a foot in the air, with `points` points on its sole."""
    return FootLoad(0.0, np.zeros(3), np.full(3, np.nan), np.zeros((points, 3)))
