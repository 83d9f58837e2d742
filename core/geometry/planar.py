"""Headings in the horizontal plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import so3

Array = NDArray[np.float64]


def wrap_angle(angle: float) -> float:
    """Return an angle in the range from -pi to pi [rad]."""
    return float(so3.wrap_angle(angle))


def heading_axes(heading: float) -> Array:
    """Return unit vectors ahead and to the left of a heading [rad], as rows. (2, 2)."""
    c = np.cos(heading)
    s = np.sin(heading)
    return np.array([[c, s], [-s, c]])
