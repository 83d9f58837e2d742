"""Smoothing of quantities that change in steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def spread_changes(angles: Array, dt: float, duration: float) -> Array:
    """Return values in which each change is spread over time. (n,) -> (n,).

    The change becomes a Hermite spline of a given duration, centered on it. A Hermite spline with
    level ends has the rate 6 u (1 - u) / T, and applying one to every small change is a convolution
    with that rate. Source: the facing spline of Kwon et al. 2020, appendix B, extended to
    continuous changes.

    Args:
        angles: (n,) values at equally spaced times.
        dt: time between them [s].
        duration: duration of the spline [s].
    """
    half = max(int(round(0.5 * duration / dt)), 1)
    u = (np.arange(-half, half + 1) + half) / (2 * half)
    kernel = 6 * u * (1 - u)
    padded = np.concatenate([np.full(half, angles[0]), angles, np.full(half, angles[-1])])
    return np.convolve(padded, kernel / kernel.sum(), "valid")
