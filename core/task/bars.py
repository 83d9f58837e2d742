"""Bars overhead, to be gone along hand over hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

MIN_RUNG_DISTANCE = 0.1  # m between neighbouring rungs


@dataclass(frozen=True, eq=False)
class MonkeyBars:
    """Rungs of an overhead ladder in the order in which hands take hold of them.

    Each lies level and across the way from rung to rung.

    Args:
        rungs: (n, 3) middles of the rungs, m; two at least.

    Raises:
        TaskError: too few rungs, two at one place, or a number that is not finite.
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
                f"Rungs {too_close[0] + 1} and {too_close[0] + 2} of the bars lie less than "
                f"{MIN_RUNG_DISTANCE:g} m apart seen from above; hands need one after the other "
                "along the way."
            )
        object.__setattr__(self, "rungs", points)

    def scaled(self, length: float) -> MonkeyBars:
        """The same with all lengths multiplied by a factor above 0."""
        return MonkeyBars(self.rungs * length)
