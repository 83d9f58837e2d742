"""Splines through the equally spaced samples of a window."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from .windows import WINDOWS

Array = NDArray[np.float64]

# Values between equally spaced samples are linear in the samples.
_UNIT_SPLINE = CubicSpline(np.linspace(0, 1, WINDOWS.state_count), np.eye(WINDOWS.state_count))


def evaluate_window(samples: Array, share: Array) -> Array:
    """Return values of the cubic spline through the samples of a window.

    Args:
        samples: shape (WINDOWS.state_count, k).
        share: share of the window that has passed, shape (n,).

    Returns:
        Shape (n, k).
    """
    return np.asarray(_UNIT_SPLINE(share) @ samples)
