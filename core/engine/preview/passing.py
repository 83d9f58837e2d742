"""How a foot in the air gets past the leg that stands, on whose side it is to stay."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...simulate.swinging import humped

Array = NDArray[np.float64]

PASSES = (0.1, 0.9)   # shares of the way from where a foot left to where it comes down, between which it passes the other one
WIDEST = 0.2          # m that the way bows at most


def around(side: int, left: Array, place: Array, stands: Array, apart: float) -> float:
    """How far to the left the middle of a foot's way is to bow, m: straight on, who turns has one leg pass through the other.

    Args:
        side: of the foot in the air, 1 left, -1 right.
        left, place: (3,) where it left the ground and where it is to come down.
        stands: (3,) where the other foot stands.
        apart: m from the other foot, that it is to pass by at least.
    """
    way, other = (place - left)[:2], (stands - left)[:2]
    length = float(np.hypot(way[0], way[1]))
    share = float(other @ way) / max(length**2, 1e-9)
    if not PASSES[0] < share < PASSES[1]:
        return 0.0
    lacks = apart - side * float(way[1] * other[0] - way[0] * other[1]) / length
    # the share of its time after which 3 s^2 - 2 s^3 of the way are behind it, and how much of its middle the bow has there
    when = 0.5 - np.sin(np.arcsin(1 - 2 * share) / 3)
    return side * min(max(lacks, 0.0) / float(humped(when, 1.0)[0]), WIDEST)
