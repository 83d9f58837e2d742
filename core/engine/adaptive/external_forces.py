"""Forces on a simulated body that are no torques of muscles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PushForce:
    """Push on one part of the body.

    Args:
        begin, end: [s] of the simulation.
        force: (3,) peak force [N].
        part: index of the part, see `BipedModel.parts`: 0 the upper body, 1 the pelvis.
        point: (3,) where it acts, in the frame of the part; None for the center of mass of the
            whole body [m].
        ramp: share of the duration in which the force rises, and in which it falls.
    """

    begin: float
    end: float
    force: Array
    part: int = 0
    point: Array | None = None
    ramp: float = 0.0

    def evaluate(self, time: float) -> float:
        """Return the share of the peak force at a time [s]."""
        phase = (time - self.begin) / (self.end - self.begin)
        if not 0.0 <= phase < 1.0:
            return 0.0
        if self.ramp <= 0:
            return 1.0
        return float(min(min(phase, 1.0 - phase) / self.ramp, 1.0))


@dataclass(frozen=True)
class AppliedPush:
    """Resultant of the pushes in one control step.

    Args:
        force: (3,) [N].
        point: (3,) mean of the points where they act, weighted by their sizes [m].
    """

    force: Array
    point: Array


NO_PUSH = AppliedPush(np.zeros(3), np.zeros(3))


@dataclass(frozen=True)
class ExternalForces:
    """Forces from outside.

    Args:
        helper_limit: largest helper force and torque (equation 7) [N], [N m].
        pushes: on parts of the body.
    """

    helper_limit: float = 0.0
    pushes: tuple[PushForce, ...] = ()
