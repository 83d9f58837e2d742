"""Bars overhead, to be gone along hand over hand."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

LEAST_APART = 0.1     # m between neighbouring rungs


@dataclass(frozen=True, eq=False)
class Bars:
    """Rungs of an overhead ladder in the order in which hands take hold of them.

    Each lies level and across the way from rung to rung.

    Args:
        rungs: (n, 3) middles of the rungs, m; two at least.

    Raises:
        TaskError: too few rungs, two at one place, or a number that is not finite.
    """

    rungs: NDArray[np.float64]

    def __init__(self, rungs: ArrayLike) -> None:
        found = np.asarray(rungs, float)
        if found.ndim != 2 or found.shape[1:] != (3,) or len(found) < 2:
            raise TaskError("The bars need at least two rungs, each with x, y and z, such as [[0, 0, 2.4], [0.4, 0, 2.4]].")
        bad = np.flatnonzero(~np.isfinite(found).all(1))
        if bad.size:
            raise TaskError(f"Rung {bad[0] + 1} of the bars has a coordinate that is not a finite number.")
        near = np.flatnonzero(np.linalg.norm(np.diff(found[:, :2], axis=0), axis=1) < LEAST_APART)
        if near.size:
            raise TaskError(f"Rungs {near[0] + 1} and {near[0] + 2} of the bars lie less than {LEAST_APART:g} m apart seen from "
                            "above; hands need one after the other along the way.")
        object.__setattr__(self, "rungs", found)

    def scaled(self, length: float) -> Bars:
        """The same with all lengths multiplied by a factor above 0."""
        return Bars(self.rungs * length)
