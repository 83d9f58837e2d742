"""Which way the body faces along a path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def spread_changes(angles: Array, dt: float, duration: float) -> Array:
    """Angles in which every change is spread over a Hermite spline of the given
    duration, centred. (n,) -> (n,).

    A Hermite spline with level ends has the rate 6 u (1 - u) / T; laying one over each small change
    of the direction that was asked for is a convolution with that rate. Source: the facing spline
    of Kwon et al. 2020, appendix B, for a direction that changes all the time.
    """
    half = max(int(round(0.5 * duration / dt)), 1)
    u = (np.arange(-half, half + 1) + half) / (2 * half)
    kernel = 6 * u * (1 - u)
    padded = np.concatenate([np.full(half, angles[0]), angles, np.full(half, angles[-1])])
    return np.convolve(padded, kernel / kernel.sum(), "valid")
