"""How fast, at what time."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]


class SpeedProfile:
    """Speed over time, straight between given moments and constant before the first and after the last.

    Args:
        speeds: one speed, or as many as `times`, m/s along the ground.
        times: rising moments in seconds.

    Raises:
        TaskError: a speed that is negative or not finite, or moments that do not rise.
    """

    def __init__(self, speeds: ArrayLike, times: ArrayLike = 0.0) -> None:
        self.speeds = np.atleast_1d(np.asarray(speeds, float))
        self.times = np.atleast_1d(np.asarray(times, float))
        if self.speeds.shape != self.times.shape or self.speeds.ndim != 1:
            raise TaskError(f"The speed profile has {self.speeds.size} speeds for {self.times.size} moments; "
                            "it needs one speed for each.")
        if not (np.isfinite(self.speeds).all() and np.isfinite(self.times).all()):
            raise TaskError("The speed is not a finite number; give it in metres a second.")
        if (self.speeds < 0).any():
            raise TaskError(f"The speed is {self.speeds.min():g} m/s; it cannot be negative. To go the other way, "
                            "turn the path round.")
        if (np.diff(self.times) <= 0).any():
            raise TaskError("The moments of the speed profile must rise.")

    def at(self, time: ArrayLike) -> Array:
        """Speed in m/s. (...,) -> (...,)."""
        return np.interp(np.asarray(time, float), self.times, self.speeds)

    @property
    def top(self) -> float:
        """The highest speed, m/s."""
        return float(self.speeds.max())
