"""Ground that no foot may stand on, though it would carry one:
a puddle, a carpet, a bed of flowers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from ..terrain import Ground

Array = NDArray[np.float64]

SOLE_MARGIN = 0.025  # m around it that are taken as well: half of how far apart a sole is looked at


@dataclass(frozen=True)
class ForbiddenArea:
    """A place, line or area on the ground, seen from above, with all that is within a radius of it.

    Args:
        points: one place for a disc, two for a line, three or more for an area,
            in order around it; each x and y, m.
        radius: m; an area needs none.

    Raises:
        TaskError: no place, a number that is not finite, or a place or a line without a radius.
    """

    points: tuple[tuple[float, float], ...]
    radius: float = 0.0

    def __post_init__(self) -> None:
        points = np.asarray(self.points, float)
        if (
            points.ndim != 2
            or not len(points)
            or points.shape[1] != 2
            or not np.isfinite(points).all()
        ):
            raise TaskError(
                f"The forbidden ground has the places {self.points!r}; give at least one, each "
                "with x and y in m."
            )
        if (
            not np.isfinite(self.radius)
            or self.radius < 0
            or (len(points) < 3 and self.radius == 0)
        ):
            raise TaskError(
                f"The forbidden ground around ({points[0, 0]:g}, {points[0, 1]:g}) has a radius "
                f"of {self.radius:g} m; a place or a line needs one above 0, and an area 0 or "
                "more."
            )
        object.__setattr__(self, "points", tuple((float(x), float(y)) for x, y in points))

    def scaled(self, length: float) -> ForbiddenArea:
        """The same with all lengths multiplied by a factor above 0."""
        return ForbiddenArea(
            tuple((x * length, y * length) for x, y in self.points), self.radius * length
        )

    def contains(self, xy: Array, margin: float = 0.0) -> NDArray[np.bool_]:
        """Whether places lie in it, or within `margin` m of it. (..., 2) -> (...)."""
        points = np.array(self.points)
        inside = np.zeros(xy.shape[:-1], bool)
        for a, b in zip(points, np.roll(points, -1, 0), strict=True):
            along = b - a
            offset = xy - a
            share = np.clip((offset @ along) / max(float(along @ along), 1e-18), 0, 1)
            inside |= (
                np.linalg.norm(offset - share[..., None] * along, axis=-1) <= self.radius + margin
            )
        return inside | (_is_inside_polygon(points, xy) if len(points) > 2 else False)


def _is_inside_polygon(points: Array, xy: Array) -> NDArray[np.bool_]:
    """Whether places lie within a polygon: a ray from there crosses its edge an odd number of
    times. (..., 2) -> (...).
    """
    is_inside = np.zeros(xy.shape[:-1], bool)
    x = xy[..., 0]
    y = xy[..., 1]
    for (ax, ay), (bx, by) in zip(points, np.roll(points, -1, 0), strict=True):
        if ay != by:
            is_inside ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    return is_inside


@dataclass(frozen=True)
class AllowedGround:
    """A ground that is missing where feet may not stand."""

    ground: Ground
    areas: tuple[ForbiddenArea, ...]

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Of the ground at places, nan where there is none to stand on. (..., 2) -> (...) m."""
        places = np.asarray(xy, float)
        heights = np.array(self.ground.sample_heights(places), float)
        for area in self.areas:
            heights = np.where(area.contains(places, SOLE_MARGIN), np.nan, heights)
        return heights

    def to_mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        """Of the ground below."""
        return self.ground.to_mesh()
