"""Orientation of a foot on the ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Upward part of a normal from which the ground counts as level
LEVEL_NORMAL = 1 - 1e-12


def align_foot(heading: float, normal: Array) -> Array:
    """Return the rotation of a foot that lies on the ground.

    Args:
        heading: [rad].
        normal: (3,) unit normal of the ground, upward.

    Returns:
        (3, 3) whose columns point ahead and to the left along the ground, and along the normal.
    """
    c = np.cos(heading)
    s = np.sin(heading)
    u, v, w = normal
    if w > LEVEL_NORMAL:
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    slope_ahead = c * u + s * v
    size = np.sqrt(1 - slope_ahead * slope_ahead)
    x = (c - slope_ahead * u) / size
    y = (s - slope_ahead * v) / size
    z = -slope_ahead * w / size
    return np.array([[x, v * z - w * y, u], [y, w * x - u * z, v], [z, u * y - v * x, w]])
