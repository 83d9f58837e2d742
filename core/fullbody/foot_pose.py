"""Poses of one foot, and the points of its sole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..geometry import so3

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootPoses:
    """Poses of one foot at n times."""

    foot: Foot
    origin: Array  # Origin of the foot's link [m], (n, 3)
    rotation: Array  # Rotation of the foot's link, (n, 3, 3)
    toe_bend: Array  # Angle by which the toes are bent up relative to the foot [rad], (n,)

    def compute_sole_points(self) -> Array:
        """Return heel, ball and tip [m], shape (n, 3, 3).

        Ball and tip are part of the toes, which bend about the pivot.
        """
        foot = self.foot
        heel = self.origin + self.rotation @ foot.heel
        pivot = self.origin + self.rotation @ foot.pivot
        toes = self.rotation @ so3.rotation_about("y", -self.toe_bend)
        return np.stack(
            [heel, pivot + toes @ (foot.ball - foot.pivot), pivot + toes @ (foot.tip - foot.pivot)],
            1,
        )
