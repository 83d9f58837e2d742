"""A number over time."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from .entries import read_number
from .packed import read_array, write_array

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Samples:
    """Numbers over time as a task file holds them.

    Args:
        values: (n,) numbers.
        times: (n,) times [s].
    """

    values: Array
    times: Array


def read_samples(entry: object, key: str, values_key: str = "values") -> Samples:
    """Return the samples of an entry: a table of values and times, or one number.

    Args:
        key: of the entry, for messages.
        values_key: of the values in the table.

    Raises:
        TaskError: the entry is neither, or holds something else than numbers.
    """
    if isinstance(entry, dict):
        return Samples(
            read_array(entry.get(values_key, []), key),
            read_array(entry.get("times", []), "times"),
        )
    return Samples(np.array(float(read_number(entry, key, float))), np.array(0.0))


class Profile:
    """A number over time: linear between the given times, constant outside of them.

    Its dimension is that of the task's field that holds it, see `field_kinds.OverTime`.

    Args:
        label: name of the number, for messages.
        values: (n,) numbers of at least `min_value`, or one of them.
        times: (n,) increasing times [s].

    Raises:
        TaskError: a number is too small or not finite, or the times do not increase.
    """

    min_value = 0.0
    # Ends of messages that subclasses complete with a unit or a remedy.
    _not_finite_hint = "."
    _negative_hint = "; it must be at least 0."

    def __init__(self, label: str, values: ArrayLike, times: ArrayLike = 0.0) -> None:
        self.values = np.atleast_1d(np.asarray(values, float))
        self.times = np.atleast_1d(np.asarray(times, float))
        if self.values.shape != self.times.shape or self.values.ndim != 1:
            raise TaskError(
                f"The {label} profile has {self.values.size} {label}s for {self.times.size} "
                f"times; it needs one {label} for each."
            )
        if not (np.isfinite(self.values).all() and np.isfinite(self.times).all()):
            raise TaskError(f"The {label} is not a finite number{self._not_finite_hint}")
        if (self.values < self.min_value).any():
            raise TaskError(f"The {label} is {self.values.min():g}{self._negative_hint}")
        if (np.diff(self.times) <= 0).any():
            raise TaskError(f"The times of the {label} profile must increase.")

    def value_at(self, time: ArrayLike) -> Array:
        """Return the number at times [s]. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(time, float), self.times, self.values))

    def shifted(self, seconds: float) -> Self:
        """Return the profile later by `seconds`."""
        later = copy(self)
        later.times = self.times + seconds
        return later

    def scaled(self, value: float, time: float) -> Self:
        """Return the profile with its values and its times multiplied by factors above 0."""
        other = copy(self)
        other.values = self.values * value
        other.times = self.times * time
        return other

    def to_table(self) -> dict[str, Any] | None:
        """Return the profile as a task file holds it."""
        return {"values": write_array(self.values), "times": write_array(self.times)}

    @classmethod
    def from_table(cls, table: object, key: str) -> Self:
        """Return the profile that a table or a number describes; its key is its label."""
        samples = read_samples(table, key)
        return cls(key, samples.values, samples.times)
