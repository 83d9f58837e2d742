"""What a head turns to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GazeTarget:
    """A place that is looked at, over time: straight between given moments, and still before the
    first and after the last.

    Args:
        places: (n, 3) or, for one that stays, (3,); m.
        times: (n,) rising moments, s.

    Raises:
        TaskError: no place for each moment, moments that do not rise,
            or a number that is not finite.
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
                f"What is looked at has places of the shape {points.shape} for {moments.size} "
                "moments; give x, y and z for each."
            )
        if not (np.isfinite(points).all() and np.isfinite(moments).all()):
            raise TaskError(
                "What is looked at is at a place or a moment that is not a finite number."
            )
        if (np.diff(moments) <= 0).any():
            raise TaskError("The moments of what is looked at must rise.")
        object.__setattr__(self, "places", points)
        object.__setattr__(self, "times", moments)

    def position_at(self, times: Array) -> Array:
        """Where it is. (n,) -> (n, 3) m."""
        return np.stack(
            [np.interp(times, self.times, coordinates) for coordinates in self.places.T], -1
        )

    def shifted(self, seconds: float) -> GazeTarget:
        """The same, later by so much."""
        return GazeTarget(self.places, self.times + seconds)

    def scaled(self, length: float, time: float) -> GazeTarget:
        """The same with lengths and moments multiplied by factors above 0."""
        return GazeTarget(self.places * length, self.times * time)
