"""A smooth line through places."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]

FINE = 24             # points of the line from one place to the next


def smooth_through(places: ArrayLike) -> tuple[Array, Array]:
    """A line through places in order, smooth as seen from above, and how far along it each of them is.

    A centripetal Catmull-Rom spline, which forms neither loops nor cusps between two places and changes only near a place
    that is moved. Source: Yuksel, Schaefer, Keyser, "Parameterization and applications of Catmull-Rom curves", 2011, with
    the pyramid of Barry and Goldman.

    Args:
        places: (n, 2) or (n, 3), metres; heights are ignored.

    Returns:
        (m, 2) points, and (n,) distances along them, m.

    Raises:
        TaskError: fewer than two places, or two that follow one another and are one.
    """
    p = np.asarray(places, float)[:, :2]
    if len(p) < 2 or not (np.linalg.norm(np.diff(p, axis=0), axis=1) > 1e-6).all():
        raise TaskError("A line needs two places at least, and none of them where the one before it is.")
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])                       # mirrored past the ends
    knots = np.append(0.0, np.cumsum(np.sqrt(np.linalg.norm(np.diff(p, axis=0), axis=1))))
    gaps = len(p) - 3
    t0, t1, t2, t3 = (knots[k:k + gaps, None] for k in range(4))
    p0, p1, p2, p3 = (p[k:k + gaps, None] for k in range(4))                     # (gaps, 1, 2)
    t = t1 + (t2 - t1) * np.arange(FINE) / FINE                                  # (gaps, FINE)

    def between(a: Array, b: Array, ta: Array, tb: Array) -> Array:
        share = ((t - ta) / (tb - ta))[..., None]
        return (1 - share) * a + share * b

    first, second, third = between(p0, p1, t0, t1), between(p1, p2, t1, t2), between(p2, p3, t2, t3)
    line = between(between(first, second, t0, t2), between(second, third, t1, t3), t1, t2)
    points = np.vstack([line.reshape(-1, 2), p[-2]])
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
    return points, along[::FINE]
