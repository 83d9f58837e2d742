"""Headings of a body that nobody keeps within one turn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import so3

Array = NDArray[np.float64]


def wrap_angle(angle: float) -> float:
    """An angle without whole turns, between -pi and pi."""
    return float(so3.wrap_angle(angle))


def heading_axes(heading: float) -> Array:
    """Directions ahead and to the left. (2, 2)."""
    c = np.cos(heading)
    s = np.sin(heading)
    return np.array([[c, s], [-s, c]])
