"""Products and recursions of the steps by which small changes of a rotation propagate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Bounds of products of rotation steps beyond which their inverses are too inaccurate
MIN_DETERMINANT = 1e-3
MAX_GROWTH = 1e3


def are_invertible(products: Array) -> bool:
    """Return whether products of steps (n, 3, 3) can be inverted without loss of accuracy.

    A body that spins fast about a middle axis of inertia is unstable: the products then grow or
    shrink by orders of magnitude over the horizon.
    """
    if not np.isfinite(products).all():
        return False
    determinants = np.abs(np.linalg.det(products))
    return bool(determinants.min() > MIN_DETERMINANT and np.abs(products).max() < MAX_GROWTH)


def solve_recursion(steps: Array, added: Array, start: Array) -> Array:
    """Return theta_k of theta_k+1 = step_k theta_k + added_k, (n, 3, columns).

    Args:
        steps: (n - 1, 3, 3).
        added: (n - 1, 3, columns).
        start: (3,) last column of theta_0; its others are 0.
    """
    theta = np.zeros((len(steps) + 1, *added.shape[1:]))
    theta[0, :, -1] = start
    for k, step in enumerate(steps):
        theta[k + 1] = step @ theta[k] + added[k]
    return theta
