"""A smooth line through given points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]

# Number of points of the line from one given point to the next.
POINTS_PER_SEGMENT = 24


@dataclass(frozen=True)
class SmoothLine:
    """A smooth line through n given points.

    Args:
        points: (m, 2) points of the line [m].
        stations: (n,) distances of the given points along the line [m].
    """

    points: Array
    stations: Array


def smooth_through(places: ArrayLike) -> SmoothLine:
    """Return a line through points in order that is smooth seen from above.

    It is a centripetal Catmull-Rom spline, which forms neither loops nor cusps between two points
    and changes only near a point that is moved. Source: Yuksel, Schaefer, Keyser,
    "Parameterization and applications of Catmull-Rom curves", 2011, evaluated by the pyramid of
    Barry and Goldman.

    Args:
        places: (n, 2) or (n, 3) given points [m]; heights are ignored.

    Raises:
        TaskError: there are fewer than two points, or two consecutive ones coincide.
    """
    points_in = np.asarray(places, float)[:, :2]
    if len(points_in) < 2 or not (np.linalg.norm(np.diff(points_in, axis=0), axis=1) > 1e-6).all():
        raise TaskError(
            "A line needs at least two places, and no two consecutive ones may coincide."
        )
    # Phantom points past the ends, by reflection.
    points_in = np.vstack(
        [2 * points_in[0] - points_in[1], points_in, 2 * points_in[-1] - points_in[-2]]
    )
    knots = np.append(0.0, np.cumsum(np.sqrt(np.linalg.norm(np.diff(points_in, axis=0), axis=1))))
    segment_count = len(points_in) - 3
    t0, t1, t2, t3 = (knots[k : k + segment_count, None] for k in range(4))
    p0, p1, p2, p3 = (points_in[k : k + segment_count, None] for k in range(4))  # (gaps, 1, 2)
    t = (
        t1 + (t2 - t1) * np.arange(POINTS_PER_SEGMENT) / POINTS_PER_SEGMENT
    )  # (gaps, POINTS_PER_SEGMENT)

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
    return SmoothLine(line_points, distances[::POINTS_PER_SEGMENT])
