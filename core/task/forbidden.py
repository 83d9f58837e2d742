"""Ground that could carry a foot but where none may stand, such as a puddle or a flower bed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from ..files.values import show_value
from ..terrain import Ground, TriangleMesh
from .entries import check_keys, read_float, read_numbers, read_table
from .part import TimelessPart, copy_part

Array = NDArray[np.float64]

# Margin by which areas grow [m]: half the distance of the points at which a sole is tested.
SOLE_MARGIN = 0.025


@dataclass(frozen=True)
class ForbiddenArea(TimelessPart):
    """A disc, a thick line or a polygon on the ground, seen from above.

    Args:
        points: (k, 2) one point for a disc, two for a line, three or more for the corners of a
            polygon in order [m].
        radius: distance around the points, line or polygon that belongs to the area [m]; a polygon
            needs none.

    Raises:
        TaskError: there is no point, a number is not finite, or a disc or a line has no radius.
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
                f"The forbidden ground has the places {show_value(self.points)}; give at least "
                "one, each "
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

    def in_units(self, length: float, time: float) -> ForbiddenArea:
        """Return the area in units of `length` [m]."""
        factor = 1 / length
        return copy_part(
            self,
            points=tuple((x * factor, y * factor) for x, y in self.points),
            radius=self.radius * factor,
        )

    def to_table(self) -> dict[str, Any]:
        """Return the area as a task file holds it."""
        return {"points": [list(p) for p in self.points], "radius": self.radius}

    @classmethod
    def from_table(cls, table: object, key: str) -> ForbiddenArea:
        """Return the area that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        check_keys(entries, "Forbidden ground", ("points", "radius"))
        points = entries.get("points")
        if not isinstance(points, list):
            raise TaskError(
                "The forbidden ground's points must be a list of places, such as [[4.0, 0.2]]; "
                f"they are {show_value(points)}."
            )
        places = [read_numbers(p, "forbidden ground's point", (4.0, 0.2)) for p in points]
        return cls(tuple((x, y) for x, y in places), read_float(entries, "radius", cls.radius))

    def contains(self, xy: Array, margin: float = 0.0) -> NDArray[np.bool_]:
        """Return whether places are in the area or within `margin` [m] of it.

        (..., 2) -> (...,).
        """
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
    """Return whether places are inside a polygon: a ray from inside crosses its boundary an odd
    number of times. (..., 2) -> (...,).
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
    """A ground without the areas where feet may not stand."""

    ground: Ground
    areas: tuple[ForbiddenArea, ...]

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return heights [m], nan where no foot may stand. (..., 2) -> (...,)."""
        places = np.asarray(xy, float)
        heights = np.array(self.ground.sample_heights(places), float)
        for area in self.areas:
            heights = np.where(area.contains(places, SOLE_MARGIN), np.nan, heights)
        return heights

    def to_mesh(self) -> TriangleMesh | None:
        """Return the mesh of the whole ground."""
        return self.ground.to_mesh()
