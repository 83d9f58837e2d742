"""Average loads of the feet from the contacts of several instants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .model import SimulatedModel
from .physics import FootLoad

Array = NDArray[np.float64]

# Smallest upward force from which a center of pressure is computed [N]
MIN_PRESSURE_FORCE = 1e-6


class LoadAverager:
    """Averager of contact forces by foot.

    Args:
        model: whose sole points are numbered consecutively, foot by foot.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self._corner_bounds = np.cumsum([0, *(len(sole) for sole in model.soles)])

    def average(
        self, corners: NDArray[np.int64], forces: Array, places: Array, count: int
    ) -> tuple[FootLoad, ...]:
        """Average the contact forces of each foot over `count` instants.

        Args:
            corners: (c,) number of the sole point of each contact.
            forces: (c, 3) [N] on the body.
            places: (c, 3) [m].
            count: number of instants.
        """
        # (points, 6) force, and position times upward force
        shares = np.zeros((self._corner_bounds[-1], 6))
        np.add.at(shares, corners, np.concatenate([forces, forces[:, 2:] * places], 1) / count)
        loads = []
        for begin, end in zip(self._corner_bounds[:-1], self._corner_bounds[1:], strict=True):
            total = shares[begin:end].sum(0)
            pressure = total[3:] / total[2] if total[2] > MIN_PRESSURE_FORCE else np.full(3, np.nan)
            loads.append(FootLoad(float(total[2]), total[:3], pressure, shares[begin:end, :3]))
        return tuple(loads)
