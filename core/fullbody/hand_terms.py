"""Terms and contacts of one hand in the full body's cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import CentroidalDynamics
from .hand_path import HandPath
from .weights import BodyWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HandTerms:
    """What a hand's path asks for at n frames, prepared once for all expansions."""

    hand: int
    place: Array  # (n, 3) wished for
    weight: Array  # (n, 1) root of the weight of a free hand's place
    row_count: NDArray[np.int64]  # (n,) contact rows in use

    @staticmethod
    def from_path(hand: int, path: HandPath, w: BodyWeights) -> HandTerms:
        """Prepare the terms of one path."""
        free_weight = w.hand_middle * (w.swing_place / w.hand_middle) ** path.firmness
        return HandTerms(
            hand,
            path.place,
            np.sqrt(np.where(path.is_holding, 0.0, free_weight))[:, None],
            3 * path.is_holding,
        )

    def expand(self, c: CentroidalDynamics, rows: Array, residual: Array) -> tuple[Array, Array]:
        """Write soft rows (n, 3, nv) and residuals (n, 3);
        contact rows (n, 3, nv) and errors (n, 3).
        """
        jacobian = c.hand_jacobian[:, self.hand]
        place_error = c.hand_grip[:, self.hand] - self.place
        rows[:], residual[:] = jacobian * self.weight[..., None], place_error * self.weight
        return jacobian, place_error
