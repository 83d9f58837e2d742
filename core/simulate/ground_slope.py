"""Slopes of the ground by central differences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def make_sample_offsets(distance: float) -> Array:
    """Return the offsets of a place and its neighbors along x and y. (5, 2) [m].

    Args:
        distance: [m] from the place to its neighbors.
    """
    return distance * np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


def compute_slopes(heights: Array, distance: float) -> Array:
    """Return the slopes along x and y, rise over run. (n, 5) -> (n, 2).

    Args:
        heights: [m] of the ground at the offsets of `make_sample_offsets`.
        distance: [m] from each place to its neighbors.
    """
    differences = [heights[:, 1] - heights[:, 2], heights[:, 3] - heights[:, 4]]
    return np.stack(differences, 1) / (2 * distance)
