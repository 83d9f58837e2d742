"""What a physics engine must be able to do, whichever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootLoad:
    """What the ground did to one foot during the last step, on the mean over it.

    `forces` are those on the corners of its sole, in the order of the model's;
    their places are told by the body.
    """

    normal: float  # N, sum of the forces' upward parts
    force: Array  # (3,) N, their sum
    pressure: Array  # (3,) m, centre of pressure; nan where nothing bears
    forces: Array  # (points, 3) N


@dataclass(frozen=True)
class PhysicsState:
    """Of a simulated body, at the end of the last step.

    `trouble` says in words why this is no walk any more, empty while it is: what touched the
    ground, or what is not finite.
    """

    time: float  # s
    pose: Array  # (nq,) of the simulated model, quaternions w x y z
    velocity: Array  # (nv,) root's linear one in the world, angular ones in the links' own axes
    foot_loads: tuple[FootLoad, ...]
    trouble: str = ""


class Physics(Protocol):
    """A body on a ground that torques, pushes and contacts move."""

    @property
    def state(self) -> PhysicsState:
        """As it is now."""
        ...

    def reset(self, pose: Array, velocity: Array | None = None, time: float = 0.0) -> PhysicsState:
        """Put the body into a pose (nq,), at rest unless a velocity (nv,) is given."""
        ...

    def step(self, torques: Array, seconds: float) -> PhysicsState:
        """Hold torques (nv - 6,) Nm for a time, in steps of about a millisecond,
        and tell what came of it.
        """
        ...

    def push(self, link: int, force: Array, seconds: float, point: Array | None = None) -> None:
        """From now on push a link of the character with a force (3,) N, world axes, for a time.

        Args:
            point: (3,) in the link's frame, m; without it the link's centre of mass.
        """
        ...


def create_unloaded_foot(points: int) -> FootLoad:
    """Of a foot in the air."""
    return FootLoad(0.0, np.zeros(3), np.full(3, np.nan), np.zeros((points, 3)))
