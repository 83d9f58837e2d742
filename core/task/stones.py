"""Stones to step on, and on nothing else as long as there are any."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError


@dataclass(frozen=True, eq=False)
class SteppingStones:
    """Places for feet. The ground must carry a foot at each; it tells their heights.

    Args:
        places: (n, 2) or (n, 3) middles of the stones, m; heights are ignored.

    Raises:
        TaskError: no place at all, or a number that is not finite.
    """

    places: NDArray[np.float64]

    def __init__(self, places: ArrayLike) -> None:
        points = np.asarray(places, float)
        if points.ndim != 2 or not len(points) or points.shape[1] not in (2, 3):
            raise TaskError(
                "There are no stepping stones: they need at least one place, each with x and y."
            )
        if not np.isfinite(points).all():
            raise TaskError(
                "A stepping stone has a place whose coordinates are not finite numbers."
            )
        object.__setattr__(self, "places", points[:, :2])

    def scaled(self, length: float) -> SteppingStones:
        """The same with all lengths multiplied by a factor above 0."""
        return SteppingStones(self.places * length)
