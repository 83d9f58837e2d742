"""A number over time."""
from __future__ import annotations

from copy import copy
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]


class Profile:
    """A number over time, straight between given moments and constant before the first and after the last.

    Args:
        what: its name, for messages.
        values: one number of `least` or more, or as many as `times`.
        times: rising moments in seconds.

    Raises:
        TaskError: a number that is negative or not finite, or moments that do not rise.
    """

    least = 0.0
    _not_finite = "."              # ends of messages, for what is to be said of one kind of number alone
    _negative = "; it must be at least 0."

    def __init__(self, what: str, values: ArrayLike, times: ArrayLike = 0.0) -> None:
        self.values = np.atleast_1d(np.asarray(values, float))
        self.times = np.atleast_1d(np.asarray(times, float))
        if self.values.shape != self.times.shape or self.values.ndim != 1:
            raise TaskError(f"The {what} profile has {self.values.size} {what}s for {self.times.size} moments; "
                            f"it needs one {what} for each.")
        if not (np.isfinite(self.values).all() and np.isfinite(self.times).all()):
            raise TaskError(f"The {what} is not a finite number{self._not_finite}")
        if (self.values < self.least).any():
            raise TaskError(f"The {what} is {self.values.min():g}{self._negative}")
        if (np.diff(self.times) <= 0).any():
            raise TaskError(f"The moments of the {what} profile must rise.")

    def at(self, time: ArrayLike) -> Array:
        """The number at any times. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(time, float), self.times, self.values))

    def shifted(self, seconds: float) -> Self:
        """The same, later by so much."""
        later = copy(self)
        later.times = self.times + seconds
        return later

    def scaled(self, value: float, time: float) -> Self:
        """The same with numbers and moments multiplied by factors above 0."""
        other = copy(self)
        other.values, other.times = self.values * value, self.times * time
        return other
