"""Errors of the constraints at a change of stage, and how they vanish."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .controller import JointOffset

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Blend:
    """An error of the constraints at a transition, which vanishes within a time.

    It is a function of time, since the phase may hardly advance after an early landing.

    Args:
        error: at the begin [rad], shape (k,).
        rate: at the begin [rad/s], shape (k,).
        begin: [s].
        length: [s].
    """

    error: Array
    rate: Array
    begin: float
    length: float

    def sample(self, rows: NDArray[np.int64], time: float) -> JointOffset | None:
        """Return what is left of some rows of the error at a time [s]; None if there is none."""
        length = self.length
        u = (time - self.begin) / length
        if u >= 1:
            return None
        # Quintic with given value and rate at 0, and all zero at 1.
        w = 1 - u
        value = np.array([w**3 * (1 + 3 * u + 6 * u * u), w**3 * u * (1 + 3 * u) * length])
        rate = np.array([-30 * u * u * w * w / length, w * w * (1 + 2 * u - 15 * u * u)])
        acceleration = np.array(
            [
                -60 * u * w * (1 - 2 * u) / length**2,
                (-36 * u + 96 * u * u - 60 * u**3) / length,
            ]
        )
        both = np.stack([self.error[rows], self.rate[rows]])
        return JointOffset(value @ both, rate @ both, acceleration @ both)
