"""The line that a character follows, seen from above, and smooth lines through given points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from ..geometry import so3
from .entries import check_keys, read_table
from .packed import read_array, write_array
from .part import TimelessPart

Array = NDArray[np.float64]

# Number of points of a smooth line from one given point to the next
POINTS_PER_SEGMENT = 24


class Path(TimelessPart):
    """A polyline over the ground, parametrized by the distance along it.

    It continues straight past both ends.

    Args:
        points: (n, 2) or (n, 3) points in order [m]; heights are ignored.

    Raises:
        TaskError: there are fewer than two points that are distinct seen from above, or a number
            is not finite.
    """

    def __init__(self, points: ArrayLike) -> None:
        places = np.asarray(points, float)
        if places.ndim != 2 or len(places) < 2 or places.shape[1] not in (2, 3):
            raise TaskError("The path is empty: it needs at least two points, each with x and y.")
        if not np.isfinite(places).all():
            raise TaskError("The path has a point whose coordinates are not finite numbers.")
        places = places[:, :2]
        segment_lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
        is_distinct = np.concatenate([[True], segment_lengths > 1e-6])
        places = places[is_distinct]
        if len(places) < 2:
            raise TaskError(
                "The path has no length seen from above: it is a single point or leads straight "
                "up. Draw it along the ground."
            )
        self.points = places
        self._distances = np.concatenate(
            [[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))]
        )
        heading = so3.atan2(*np.diff(places, axis=0).T[::-1])
        self._headings = np.unwrap(heading)  # (n - 1,)

    @property
    def length(self) -> float:
        """Distance from the first point to the last [m]."""
        return float(self._distances[-1])

    def position_at(self, distance: ArrayLike) -> Array:
        """Return the points at distances along the path. (...,) -> (..., 2) [m]."""
        distance = np.asarray(distance, float)
        clamped = np.minimum(np.maximum(distance, 0.0), self.length)
        on_path = np.empty((*distance.shape, 2))
        direction = np.empty((*distance.shape, 2))
        for k in range(2):
            on_path[..., k] = np.interp(clamped, self._distances, self.points[:, k])
        angle = self.heading_at(distance)
        direction[..., 0] = np.cos(angle)
        direction[..., 1] = np.sin(angle)
        return on_path + (distance - clamped)[..., None] * direction

    def heading_at(self, distance: ArrayLike) -> Array:
        """Return the heading of the path at distances along it, unwrapped.

        (...,) [m] -> (...,) [rad].
        """
        k = np.searchsorted(self._distances, np.asarray(distance, float), side="right") - 1
        return self._headings[np.minimum(np.maximum(k, 0), len(self._headings) - 1)]

    def in_units(self, length: float, time: float) -> Path:
        """Return the path in units of `length` [m]."""
        return Path(self.points / length)

    def to_table(self) -> dict[str, Any]:
        """Return the path as a task file holds it."""
        return {"points": write_array(self.points)}

    @classmethod
    def from_table(cls, table: object, key: str) -> Path:
        """Return the path that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        check_keys(entries, "The path", ("points",))
        return cls(read_array(entries.get("points", []), "path's points"))


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
