"""Arms and head that move as in the upper body of a style, in the rhythm of the steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...clip import Style
from ...clip.style.style import OPTIONAL_CURVES, ROWS, evaluate_harmonics
from ...geometry import so3
from ..shared.scaling import REFERENCE_GRAVITY
from .speeds import REFERENCE_LENGTH

Array = NDArray[np.float64]

# Curves of an arm: forward, outward and about its axis, and the bend of the elbow
ARM_CURVES = ("arm", "arm_out", "arm_turn", "elbow")


@dataclass(frozen=True)
class StepRhythm:
    """Where a body is in its steps.

    Args:
        speed: of the walk [m/s].
        swing: foot that swings, 0 left, 1 right.
        share: part of the half-cycle that is over.
    """

    speed: float
    swing: int
    share: float

    @property
    def phases(self) -> Array:
        """Phases of both legs (2,), left and right, 0 when a foot lands and 1 at the next time."""
        swings = np.array([self.swing == 0, self.swing == 1])
        return np.asarray(0.5 * (self.share + swings))


@dataclass(frozen=True)
class UpperBodyAngles:
    """Angles of arms and head of a style in an instant.

    Args:
        arms: (2, 4) of the left and the right arm: shoulder about x, y and z, and elbow [rad].
        head: (3, 3) rotation relative to the facing.
    """

    arms: Array
    head: Array


@dataclass(frozen=True)
class UpperBodyStyle:
    """Arms and head of a style; its chest is what the controllers move."""

    style: Style

    def evaluate(self, rhythm: StepRhythm) -> UpperBodyAngles:
        """Return the angles in an instant of the walk."""
        froude = rhythm.speed / np.sqrt(REFERENCE_GRAVITY * REFERENCE_LENGTH)
        curves = self.style.curves_at(self.style.find_keys([froude], [0.0]))[0]
        values = (evaluate_harmonics(rhythm.phases) @ curves.T).real  # (2, rows)
        arms = np.empty((2, 4))
        for k, (side, suffix) in enumerate(((1.0, ""), (-1.0, ".R"))):
            rows = [ROWS.index(f"{name}{suffix}") for name in ARM_CURVES]
            swing, out, turn, elbow = values[k, rows]
            arms[k] = [side * out, -swing, -side * turn, -elbow]
        turn, nod, tilt = values[0, [ROWS.index(name) for name in OPTIONAL_CURVES]]
        head = (
            so3.rotation_about("z", turn)
            @ so3.rotation_about("y", nod)
            @ so3.rotation_about("x", tilt)
        )
        return UpperBodyAngles(arms, head)
