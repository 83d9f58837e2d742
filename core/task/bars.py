"""Overhead bars that a body moves along hand over hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from .entries import read_table
from .packed import read_array, write_array
from .part import TimelessPart, copy_part

# Minimum horizontal distance of consecutive rungs [m], the width of a human hand.
MIN_RUNG_DISTANCE = 0.1


@dataclass(frozen=True, eq=False)
class MonkeyBars(TimelessPart):
    """Rungs of an overhead ladder, in the order in which the hands grasp them.

    Each rung is level and perpendicular to the line from rung to rung.

    Args:
        rungs: (n, 3) centers of the rungs [m]; at least two.

    Raises:
        TaskError: there are too few rungs, two at one place, or a number that is not finite.
    """

    rungs: NDArray[np.float64]

    def __init__(self, rungs: ArrayLike) -> None:
        points = np.asarray(rungs, float)
        if points.ndim != 2 or points.shape[1:] != (3,) or len(points) < 2:
            raise TaskError(
                "The bars need at least two rungs, each with x, y and z, such as [[0, 0, 2.4], "
                "[0.4, 0, 2.4]]."
            )
        invalid = np.flatnonzero(~np.isfinite(points).all(1))
        if invalid.size:
            raise TaskError(
                f"Rung {invalid[0] + 1} of the bars has a coordinate that is not a finite number."
            )
        too_close = np.flatnonzero(
            np.linalg.norm(np.diff(points[:, :2], axis=0), axis=1) < MIN_RUNG_DISTANCE
        )
        if too_close.size:
            raise TaskError(
                f"Rungs {too_close[0] + 1} and {too_close[0] + 2} of the bars are less than "
                f"{MIN_RUNG_DISTANCE:g} m apart seen from above; the hands need one rung after "
                "the other along the path."
            )
        object.__setattr__(self, "rungs", points)

    def in_units(self, length: float, time: float) -> MonkeyBars:
        """Return the bars in units of `length` [m]."""
        return copy_part(self, rungs=self.rungs * (1 / length))

    def to_table(self) -> dict[str, Any]:
        """Return the bars as a task file holds them."""
        return {"rungs": write_array(self.rungs)}

    @classmethod
    def from_table(cls, table: object, key: str) -> MonkeyBars:
        """Return the bars that a table describes; see `TaskPart.from_table`."""
        return cls(read_array(read_table(table, key).get("rungs", []), "bars' rungs"))
