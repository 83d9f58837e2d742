"""Rigid parts of a biped, in the neutral pose: x forward, y to the left, z up, ground at z = 0."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Hinge:
    """One hinge of a joint.

    Args:
        axis: (3,) in the neutral pose.
        low, high: range of the angle, 0 in the neutral pose [rad].
    """

    axis: tuple[float, float, float]
    low: float
    high: float


@dataclass(frozen=True)
class MovementPart:
    """Rigid part of a biped.

    Args:
        joint: (3,) joint to the part before it; of the upper body, the waist [m].
        mass: [kg].
        center: (3,) center of mass [m].
        inertia: (3, 3) about the center of mass [kg m^2].
        hinges: of the joint, in series; none for a ball joint.
    """

    joint: Array
    mass: float
    center: Array
    inertia: Array
    hinges: tuple[Hinge, ...] = ()

    def moved(self, offset: Array) -> MovementPart:
        """Return the part at another place, (3,) away [m]."""
        return replace(self, joint=self.joint + offset, center=self.center + offset)


@dataclass(frozen=True)
class UpperLimb:
    """An arm or a head that moves at the trunk.

    Args:
        name: "head", "arm.L" or "arm.R".
        parts: from the trunk outward, each with hinges.
    """

    name: str
    parts: tuple[MovementPart, ...]
