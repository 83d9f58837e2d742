"""Linearized contact constraints of one limb."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactRows:
    """Contact of one limb at n frames: rows @ x + error = 0 for a change x of the pose."""

    rows: Array  # Jacobian of the error, (n, r, nv)
    error: Array  # Distance from the place of rest, [m] or [rad], (n, r)
