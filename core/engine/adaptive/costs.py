"""Cost of a walk (Wu and Popović 2010, section 8.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Deviation, as its square, that the cost of tracking forgives (section 8.1)
TRACKING_TOLERANCE = 2.5e-3


@dataclass
class WalkCost:
    """Terms of the cost (equation 6, and the impact of section 10) so far, with their weights.

    Args:
        tracking: errors of the frames.
        deviation: of the center of mass at the ends of half-cycles.
        energy: squared torques relative to their limits.
        impact: squared speeds at which feet land.
        closeness: squared distances by which feet are too near to each other sideways.
    """

    tracking: float = 0.0
    deviation: float = 0.0
    energy: float = 0.0
    impact: float = 0.0
    closeness: float = 0.0

    @property
    def total(self) -> float:
        """Sum of the terms."""
        return self.tracking + self.deviation + self.energy + self.impact + self.closeness


@dataclass(frozen=True)
class CostWeights:
    """Weights of section 8.3.

    Args:
        deviation: of the center of mass [1/m^2], that of the paper.
        energy: without unit, that of the paper.
        impact: which section 10 proposes. Tuned: without it feet stamp at 2 m/s [s^2/m^2].
        closeness: which stands for the collisions of legs of appendix C [1/m^2]. Tuned: without
            it a search put both feet on one line, 5 cm apart, so that legs passed through each
            other and a body that was pushed aside fell.
    """

    deviation: float = 100.0
    energy: float = 0.08
    impact: float = 0.1
    closeness: float = 30.0


COST_WEIGHTS = CostWeights()
# Distance between the ankles across the facing below which feet are too near to each other [m]: the
# step width of people, 0.1 m for legs of 0.93 m
LEAST_WIDTH = 0.12


def measure_closeness(feet: Array, facing: float) -> float:
    """Return the cost of feet that are too near to each other, or cross, in a control step.

    Args:
        feet: (2, 3) left and right ankle [m].
        facing: heading of the body [rad].
    """
    (left_x, left_y, _), (right_x, right_y, _) = feet.tolist()
    width = math.cos(facing) * (left_y - right_y) - math.sin(facing) * (left_x - right_x)
    return COST_WEIGHTS.closeness * max(LEAST_WIDTH - width, 0.0) ** 2


class Landings:
    """Record of the feet in the control step before, which shows how fast they land."""

    def __init__(self) -> None:
        self._was_touching = [True, True]
        self._squared_speed = [0.0, 0.0]  # of the ankles [m^2/s^2]

    def measure(self, is_touching: NDArray[np.bool_], velocity: Array) -> float:
        """Return the cost of the feet that land in this control step.

        Args:
            is_touching: (5,) blocks that touch the ground; toes and heel of the left foot first.
            velocity: (2, 3) of the ankles [m/s].
        """
        left_toes, left_heel, right_toes, right_heel, _ = is_touching.tolist()
        feet = [left_toes or left_heel, right_toes or right_heel]
        landing = [
            speed
            for speed, now, before in zip(
                self._squared_speed, feet, self._was_touching, strict=True
            )
            if now and not before
        ]
        self._was_touching = feet
        self._squared_speed = [x * x + y * y + z * z for x, y, z in velocity.tolist()]
        return COST_WEIGHTS.impact * sum(landing)
