"""Terms and contacts of one hand in the cost of the full body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import CentroidalDynamics
from .contact_rows import ContactRows
from .hand_path import HandPath
from .weights import BodyWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HandTerms:
    """Targets of a hand's path at n frames, computed once for all expansions."""

    hand: int  # Index of the hand among those that can hold
    place: Array  # Target position of the grip [m], (n, 3)
    weight: Array  # Square root of the weight of a free hand's position, (n, 1)
    row_count: NDArray[np.int64]  # Number of contact rows in use, (n,)

    @staticmethod
    def from_path(hand: int, path: HandPath, w: BodyWeights) -> HandTerms:
        """Return the terms of one path."""
        free_weight = w.hand_middle * (w.swing_place / w.hand_middle) ** path.firmness
        return HandTerms(
            hand,
            path.place,
            np.sqrt(np.where(path.is_holding, 0.0, free_weight))[:, None],
            3 * path.is_holding,
        )

    def expand(self, c: CentroidalDynamics, rows: Array, residual: Array) -> ContactRows:
        """Write the weighted terms and return the contact, r = 3 rows.

        Args:
            c: dynamics of the n poses.
            rows: Jacobian of the weighted terms, shape (n, 3, nv). Written.
            residual: residuals of the weighted terms, shape (n, 3). Written.
        """
        jacobian = c.hand_jacobian[:, self.hand]
        place_error = c.hand_grip[:, self.hand] - self.place
        rows[:] = jacobian * self.weight[..., None]
        residual[:] = place_error * self.weight
        return ContactRows(jacobian, place_error)
