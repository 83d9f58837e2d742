"""A number over time, such as the speed or the direction that a body faces relative to its path."""

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

# Maximum rate of the turn relative to the path [degrees/s], 90 degrees in a step; faster ones are
# refused, as feet would stand on each other.
MAX_TURN_RATE = 180.0


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


class SpeedProfile(Profile):
    """Horizontal speed over time [m/s]; see `Profile`."""

    _not_finite_hint = "; give it in meters per second."
    _negative_hint = (
        " m/s; it cannot be negative. To move in the other direction, reverse the path."
    )

    def __init__(self, speeds: ArrayLike, times: ArrayLike = 0.0) -> None:
        super().__init__("speed", speeds, times)

    @property
    def max_speed(self) -> float:
        """Maximum speed [m/s]."""
        return float(self.values.max())

    def to_table(self) -> dict[str, Any]:
        """Return the speeds as a task file holds them."""
        return {"speeds": write_array(self.values), "times": write_array(self.times)}

    @classmethod
    def from_table(cls, table: object, key: str) -> Self:
        """Return the speeds that a table or a number describes; see `Profile.from_table`."""
        if table is None:
            raise TaskError("The speed is missing; write `speed = 1.2`, in meters per second.")
        samples = read_samples(table, key, values_key="speeds")
        return cls(samples.values, samples.times)


class FacingOffset(Profile):
    """Angle between body and path over time [degrees], positive to the left.

    0 is forward, 90 and -90 are sideways, 180 is backward; larger angles are full turns.

    Raises:
        TaskError: as `Profile`, or the turn exceeds `MAX_TURN_RATE`.
    """

    min_value = -np.inf

    def __init__(self, degrees: ArrayLike, times: ArrayLike = 0.0) -> None:
        super().__init__("turn against the path", degrees, times)
        if len(self.times) > 1:
            turn_rate = float(np.abs(np.diff(self.values) / np.diff(self.times)).max())
            if turn_rate > MAX_TURN_RATE * (1 + 1e-9):
                raise TaskError(
                    f"The body would turn by {turn_rate:.0f} degrees per second relative to its "
                    f"path; at most {MAX_TURN_RATE:.0f} are possible. Give the turn more time."
                )

    def to_table(self) -> dict[str, Any] | None:
        """Return the angles as a task file holds them; None if the body faces along its path."""
        return super().to_table() if self.values.any() else None

    @classmethod
    def from_table(cls, table: object, key: str) -> Self:
        """Return the angles that a table or a number describes; see `Profile.from_table`."""
        samples = read_samples(table, key)
        return cls(samples.values, samples.times)
