"""Targets of the frames of both feet, and the coefficients that track them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .parameters import LocomotionParameters
from .paths import SwingFootPath

Array = NDArray[np.float64]


@dataclass
class FootTracker:
    """Path that a foot follows.

    Args:
        begin: control step at which it began.
    """

    path: SwingFootPath
    begin: int


@dataclass(frozen=True)
class FootTargets:
    """Planned paths of the frames of both feet over n control steps.

    Args:
        places: (n, 2, 4, 3) of the ankle, and of toes and heel relative to the foot's center [m].
        velocities: (n, 2, 4, 3) [m/s].
        stationary: (n, 2, 4) whether they are planned to stand still.
    """

    places: Array
    velocities: Array
    stationary: NDArray[np.bool_]

    @staticmethod
    def from_trackers(feet: list[FootTracker], steps: NDArray[np.int64]) -> FootTargets:
        """Return the targets of both feet at control steps (n,)."""
        places = np.empty((len(steps), 2, 4, 3))
        velocities = np.empty((len(steps), 2, 4, 3))
        stationary = np.empty((len(steps), 2, 4), bool)
        for k, foot in enumerate(feet):
            path = foot.path
            rows = np.minimum(np.maximum(steps - foot.begin, 0), len(path.ankle) - 1)
            places[:, k, 0] = path.ankle[rows]
            places[:, k, 1:] = path.relative[rows]
            velocities[:, k, 0] = path.ankle_velocity[rows]
            velocities[:, k, 1:] = path.relative_velocity[rows]
            stationary[:, k] = path.stationary[rows]
        return FootTargets(places, velocities, stationary)


@dataclass(frozen=True)
class FrameGains:
    """PD coefficients of ankle, toes and heel (4, 3), alike along all axes."""

    stiffness: Array
    damping: Array

    @staticmethod
    def from_parameters(p: LocomotionParameters) -> FrameGains:
        """Return the coefficients of a controller."""
        return FrameGains(
            np.array([[p.ankle_stiffness] * 3, *[[p.sole_stiffness] * 3] * 3]),
            np.array([[p.ankle_damping] * 3, *[[p.sole_damping] * 3] * 3]),
        )


@dataclass(frozen=True)
class FrameForces:
    """Ideal forces on the frames of both feet in one instant.

    Args:
        jacobian: (12, joints) twists of the feet in their axes, by joint velocities.
        force: (2, 12) in the axes of the feet [N].
    """

    jacobian: Array
    force: Array
