"""How high a foot must swing to clear the ground on its way."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...slip.wish import Field

Array = NDArray[np.float64]

LEAST, MOST = 0.07, 0.35          # m of the swing's height above the straight way between both places
CLEAR = 0.04                      # m that toes and heel keep from the ground
SHARES = np.linspace(0.12, 0.88, 12)          # of the way, that are looked at: nearer to its ends the foot is low anyhow
SHAPE = 16 * SHARES**2 * (1 - SHARES) ** 2
RISE = 3 * SHARES**2 - 2 * SHARES**3


def apex(height: Field | None, left: Array, place: Array, toe: float) -> float:
    """Height of a swing above the way from one place (3,) to the other, m.

    Args:
        height: of the ground; None where it is level.
        toe: how far the foot reaches ahead of its middle, m.
    """
    if height is None:
        return LEAST
    way = place[:2] - left[:2]
    ahead = toe * way / max(float(np.linalg.norm(way)), 1e-6)
    at = left[:2] + SHARES[:, None] * way
    ground = np.fmax(height(at + ahead), height(at - 0.5 * ahead))              # nan, where there is none, hinders nobody
    lacks = np.nan_to_num(ground, nan=-10.0) - left[2] - RISE * (place[2] - left[2])
    return float(np.clip(CLEAR + (lacks / SHAPE).max(), LEAST, MOST))
