"""A number over time."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]


class Profile:
    """A number over time, straight between given moments and constant before the first and after the last.

    Args:
        what: its name, for messages.
        values: one number, or as many as `times`.
        times: rising moments in seconds.
        least: the smallest number allowed.

    Raises:
        TaskError: a number that is too small or not finite, or moments that do not rise.
    """

    def __init__(self, what: str, values: ArrayLike, times: ArrayLike = 0.0, least: float = 0.0) -> None:
        self.values = np.atleast_1d(np.asarray(values, float))
        self.times = np.atleast_1d(np.asarray(times, float))
        if self.values.shape != self.times.shape or self.values.ndim != 1:
            raise TaskError(f"The {what} has {self.values.size} values for {self.times.size} moments; it needs one for each.")
        if not (np.isfinite(self.values).all() and np.isfinite(self.times).all()):
            raise TaskError(f"The {what} is not a finite number.")
        if (self.values < least).any():
            raise TaskError(f"The {what} is {self.values.min():g}; it must be at least {least:g}.")
        if (np.diff(self.times) <= 0).any():
            raise TaskError(f"The moments of the {what} must rise.")

    def at(self, time: ArrayLike) -> Array:
        """The number at any times. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(time, float), self.times, self.values))

    def shifted(self, what: str, seconds: float) -> Profile:
        """The same, later by so much."""
        return Profile(what, self.values, self.times + seconds)

    def scaled(self, what: str, value: float, time: float) -> Profile:
        """The same with numbers and moments multiplied."""
        return Profile(what, self.values * value, self.times * time)
