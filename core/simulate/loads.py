"""From contacts of several instants to what each foot bore in the mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .model import SimulatedModel
from .physics import FootLoad

Array = NDArray[np.float64]


class LoadAverager:
    """Sorts forces on the corners of all soles by foot.

    Args:
        model: whose corners are numbered through, foot by foot.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self._corner_bounds = np.cumsum([0, *(len(sole) for sole in model.soles)])

    def average(
        self, corners: NDArray[np.int64], forces: Array, places: Array, count: int
    ) -> tuple[FootLoad, ...]:
        """Of each foot, over `count` instants.

        Args:
            corners: (c,) number of the corner that each contact is on.
            forces: (c, 3) N, on the body.
            places: (c, 3) m.
        """
        # of each corner its force, and places times the upward parts
        shares = np.zeros((self._corner_bounds[-1], 6))
        np.add.at(shares, corners, np.concatenate([forces, forces[:, 2:] * places], 1) / count)
        loads = []
        for begin, end in zip(self._corner_bounds[:-1], self._corner_bounds[1:], strict=True):
            total = shares[begin:end].sum(0)
            pressure = total[3:] / total[2] if total[2] > 1e-6 else np.full(3, np.nan)
            loads.append(FootLoad(float(total[2]), total[:3], pressure, shares[begin:end, :3]))
        return tuple(loads)
