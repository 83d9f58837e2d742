"""Curves of the planner (Wu and Popović 2010, appendix A.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def ease(s: Array, start: ArrayLike, end: ArrayLike) -> Array:
    """Return points of a curve that starts and ends slowly (type I).

    Args:
        s: (n,) normalized time.
        start, end: numbers.
    """
    share = 0.5 * (1.0 - np.cos(np.pi * s))
    return np.asarray(start) + (np.asarray(end) - np.asarray(start)) * share


def weigh_bezier(s: Array) -> Array:
    """Return the weights (n, 4) of the control points of a cubic Bézier curve (type II).

    Args:
        s: (n,) normalized time.
    """
    rest = 1.0 - s
    return np.stack([rest**3, 3 * rest * rest * s, 3 * rest * s * s, s**3], axis=1)


def warp_time(s: Array, first: float, second: float) -> Array:
    """Return the time of a curve whose timing is another Bézier curve (type III).

    Args:
        s: (n,) normalized time.
        first, second: inner control points.
    """
    return (weigh_bezier(s) @ np.array([[0.0], [first], [second], [1.0]]))[:, 0]


def find_upper_hull(x: Array, y: Array) -> NDArray[np.int64]:
    """Return the indices of the corners of the upper convex hull of points, from left to right."""
    order = np.argsort(x, kind="stable")
    xs = x[order].tolist()
    ys = y[order].tolist()
    corners: list[int] = []
    for i in range(len(xs)):
        while len(corners) >= 2:
            a = corners[-2]
            b = corners[-1]
            if (ys[i] - ys[a]) * (xs[b] - xs[a]) < (ys[b] - ys[a]) * (xs[i] - xs[a]):
                break
            corners.pop()
        corners.append(i)
    return np.asarray(order[corners])
