"""The shape in which equal links hang between two ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Array = NDArray[np.float64]

# Range of the horizontal force of a chain [weights of a link] within which its sag is searched.
TENSION_RANGE = (1e-2, 1e6)


def hang_links(count: int, span: float, sag: float) -> Array:
    """Return the places of ends and hinges of n equal rigid links at rest, shape (n + 1, 2).

    The places are forward and up from the first end [m]; both ends have the same height.

    Args:
        count: number n of links, at least 2.
        span: distance of the ends [m].
        sag: depth of the deepest hinge under the ends [m], less than `span`.
    """

    def measure_excess(logarithm: float) -> float:
        return float(-_hang(count, span, np.exp(logarithm))[:, 1].min() - sag)

    low, high = np.log(TENSION_RANGE)
    return _hang(count, span, float(np.exp(brentq(measure_excess, low, high))))


def _hang(count: int, span: float, tension: float) -> Array:
    """Return the places of ends and hinges at a horizontal force [weights of a link]."""
    # The force along a link is that at its middle, as half of its weight hangs on either end.
    slope = (np.arange(count) - 0.5 * (count - 1)) / tension
    line = np.stack([np.ones(count), slope], 1) / np.hypot(1.0, slope)[:, None]
    links = line * (span / line[:, 0].sum())
    return np.concatenate([np.zeros((1, 2)), np.cumsum(links, 0)])
