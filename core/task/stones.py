"""Stepping stones: the only footholds as long as there are any near the path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from .entries import read_table
from .packed import read_array, write_array
from .part import TimelessPart


@dataclass(frozen=True, eq=False)
class SteppingStones(TimelessPart):
    """Places for feet. The ground must carry a foot at each of them and gives their heights.

    Args:
        places: (n, 2) or (n, 3) centers of the stones [m]; heights are ignored.

    Raises:
        TaskError: there is no place, or a number that is not finite.
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

    def in_units(self, length: float, time: float) -> SteppingStones:
        """Return the stones in units of `length` [m]."""
        return SteppingStones(self.places * (1 / length))

    def to_table(self) -> dict[str, Any]:
        """Return the stones as a task file holds them."""
        return {"places": write_array(self.places)}

    @classmethod
    def from_table(cls, table: object, key: str) -> SteppingStones:
        """Return the stones that a table describes; see `TaskPart.from_table`."""
        return cls(read_array(read_table(table, key).get("places", []), "stones' places"))
