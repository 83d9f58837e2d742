"""A number over time."""

from __future__ import annotations

from copy import copy
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]


class Profile:
    """A number over time, straight between given moments and constant before the
    first and after the last.

    Args:
        label: its name, for messages.
        values: one number of `min_value` or more, or as many as `times`.
        times: rising moments in seconds.

    Raises:
        TaskError: a number that is negative or not finite, or moments that do not rise.
    """

    min_value = 0.0
    _not_finite_hint = "."  # ends of messages, for what is to be said of one kind of number alone
    _negative_hint = "; it must be at least 0."

    def __init__(self, label: str, values: ArrayLike, times: ArrayLike = 0.0) -> None:
        self.values = np.atleast_1d(np.asarray(values, float))
        self.times = np.atleast_1d(np.asarray(times, float))
        if self.values.shape != self.times.shape or self.values.ndim != 1:
            raise TaskError(
                f"The {label} profile has {self.values.size} {label}s for {self.times.size} "
                f"moments; it needs one {label} for each."
            )
        if not (np.isfinite(self.values).all() and np.isfinite(self.times).all()):
            raise TaskError(f"The {label} is not a finite number{self._not_finite_hint}")
        if (self.values < self.min_value).any():
            raise TaskError(f"The {label} is {self.values.min():g}{self._negative_hint}")
        if (np.diff(self.times) <= 0).any():
            raise TaskError(f"The moments of the {label} profile must rise.")

    def value_at(self, time: ArrayLike) -> Array:
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
