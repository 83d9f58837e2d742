"""A point that the head turns to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from .entries import read_table
from .packed import read_array, write_array
from .part import TaskPart

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GazeTarget(TaskPart):
    """A point to look at over time: linear between the given times, constant outside of them.

    Args:
        places: (n, 3), or (3,) for a constant one [m].
        times: (n,) increasing times [s].

    Raises:
        TaskError: the numbers of places and times differ, the times do not increase, or a number
            is not finite.
    """

    places: Array
    times: Array

    def __init__(self, places: ArrayLike, times: ArrayLike = 0.0) -> None:
        points = np.atleast_2d(np.asarray(places, float))
        moments = np.atleast_1d(np.asarray(times, float))
        if (
            points.ndim != 2
            or points.shape[1] != 3
            or moments.shape != (len(points),)
            or not len(points)
        ):
            raise TaskError(
                f"The gaze target has places of the shape {points.shape} for {moments.size} "
                "times; give x, y and z for each."
            )
        if not (np.isfinite(points).all() and np.isfinite(moments).all()):
            raise TaskError("The gaze target has a place or a time that is not a finite number.")
        if (np.diff(moments) <= 0).any():
            raise TaskError("The times of the gaze target must increase.")
        object.__setattr__(self, "places", points)
        object.__setattr__(self, "times", moments)

    def position_at(self, times: Array) -> Array:
        """Return the point at times [s]. (n,) -> (n, 3) [m]."""
        return np.stack(
            [np.interp(times, self.times, coordinates) for coordinates in self.places.T], -1
        )

    def in_units(self, length: float, time: float) -> GazeTarget:
        """Return the target in units of `length` [m] and `time` [s]."""
        return GazeTarget(self.places * (1 / length), self.times * (1 / time))

    def shifted(self, seconds: float) -> GazeTarget:
        """Return the target later by `seconds`."""
        return GazeTarget(self.places, self.times + seconds)

    def to_table(self) -> dict[str, Any]:
        """Return the target as a task file holds it."""
        return {"places": write_array(self.places), "times": write_array(self.times)}

    @classmethod
    def from_table(cls, table: object, key: str) -> GazeTarget:
        """Return the target that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        return cls(
            read_array(entries.get("places", []), "look's places"),
            read_array(entries.get("times", [0.0]), "look's times"),
        )
