"""Terms and contacts of one hand in the full body's cost."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import Centroidal
from .hand_path import HandPath
from .weights import BodyWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HandTerms:
    """What a hand's path asks for at n frames, prepared once for all expansions."""

    number: int
    place: Array              # (n, 3) wished for
    weight: Array             # (n, 1) root of the weight of a free hand's place
    count: NDArray[np.int64]  # (n,) contact rows in use

    @staticmethod
    def of(number: int, path: HandPath, w: BodyWeights) -> HandTerms:
        """Prepare the terms of one path."""
        firm = w.hand_middle * (w.swing_place / w.hand_middle) ** path.firm
        return HandTerms(number, path.place, np.sqrt(np.where(path.hold, 0.0, firm))[:, None], 3 * path.hold)

    def expand(self, c: Centroidal, rows: Array, residual: Array) -> tuple[Array, Array]:
        """Write soft rows (n, 3, nv) and residuals (n, 3); contact rows (n, 3, nv) and errors (n, 3)."""
        jacobian, miss = c.hand_jacobian[:, self.number], c.hand_grip[:, self.number] - self.place
        rows[:], residual[:] = jacobian * self.weight[..., None], miss * self.weight
        return jacobian, miss
