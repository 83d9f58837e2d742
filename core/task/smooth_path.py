"""A smooth line through places."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]

POINTS_PER_SEGMENT = 24  # points of the line from one place to the next


def smooth_through(places: ArrayLike) -> tuple[Array, Array]:
    """A line through places in order, smooth as seen from above,
    and how far along it each of them is.

    A centripetal Catmull-Rom spline, which forms neither loops nor cusps between two places and
    changes only near a place that is moved. Source: Yuksel, Schaefer, Keyser, "Parameterization and
    applications of Catmull-Rom curves", 2011, with the pyramid of Barry and Goldman.

    Args:
        places: (n, 2) or (n, 3), metres; heights are ignored.

    Returns:
        (m, 2) points, and (n,) distances along them, m.

    Raises:
        TaskError: fewer than two places, or two that follow one another and are one.
    """
    points_in = np.asarray(places, float)[:, :2]
    if len(points_in) < 2 or not (np.linalg.norm(np.diff(points_in, axis=0), axis=1) > 1e-6).all():
        raise TaskError(
            "A line needs two places at least, and none of them where the one before it is."
        )
    # mirrored past the ends
    points_in = np.vstack(
        [2 * points_in[0] - points_in[1], points_in, 2 * points_in[-1] - points_in[-2]]
    )
    knots = np.append(0.0, np.cumsum(np.sqrt(np.linalg.norm(np.diff(points_in, axis=0), axis=1))))
    segment_count = len(points_in) - 3
    t0, t1, t2, t3 = (knots[k : k + segment_count, None] for k in range(4))
    p0, p1, p2, p3 = (points_in[k : k + segment_count, None] for k in range(4))  # (gaps, 1, 2)
    t = t1 + (t2 - t1) * np.arange(POINTS_PER_SEGMENT) / POINTS_PER_SEGMENT  # (gaps, FINE)

    def interpolate(a: Array, b: Array, ta: Array, tb: Array) -> Array:
        share = ((t - ta) / (tb - ta))[..., None]
        return (1 - share) * a + share * b

    first = interpolate(p0, p1, t0, t1)
    second = interpolate(p1, p2, t1, t2)
    third = interpolate(p2, p3, t2, t3)
    line = interpolate(
        interpolate(first, second, t0, t2), interpolate(second, third, t1, t3), t1, t2
    )
    line_points = np.vstack([line.reshape(-1, 2), points_in[-2]])
    distances = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(line_points, axis=0), axis=1)))
    return line_points, distances[::POINTS_PER_SEGMENT]
