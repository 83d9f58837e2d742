"""Shapes seen from above: convex outlines and the narrowest rectangle around points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull, QhullError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanarBox:
    """A rectangle in the horizontal plane.

    Args:
        center: (2,) [m].
        direction: (2,) unit vector along the side of `length`.
        length, width: [m].
    """

    center: Array
    direction: Array
    length: float
    width: float

    @property
    def start(self) -> Array:
        """Start of the center line along `direction`. (2,) [m]."""
        return self.center - 0.5 * self.length * self.direction

    @property
    def end(self) -> Array:
        """End of the center line along `direction`. (2,) [m]."""
        return self.center + 0.5 * self.length * self.direction

    def swap_sides(self) -> PlanarBox:
        """Return the same rectangle with length and width exchanged."""
        return PlanarBox(
            self.center, np.array([-self.direction[1], self.direction[0]]), self.width, self.length
        )


def find_convex_outline(points: ArrayLike) -> Array:
    """Return the corners of the convex hull, counterclockwise. (n, 2) -> (k, 2).

    Of points on a line these are the two outermost ones.
    """
    xy = np.asarray(points, float)
    try:
        return xy[ConvexHull(xy).vertices]
    except (QhullError, ValueError):  # Points on a line, or too few.
        direction = np.linalg.svd(xy - xy.mean(0))[2][0]
        station = (xy - xy.mean(0)) @ direction
        return xy[[int(station.argmin()), int(station.argmax())]]


def find_narrowest_box(points: ArrayLike) -> PlanarBox:
    """Return the narrowest rectangle around points (n, 2).

    One of its sides lies on a side of the convex hull.
    """
    corners = find_convex_outline(points)
    sides = np.roll(corners, -1, 0) - corners
    size = np.linalg.norm(sides, axis=1)
    directions = (
        sides[size > 1e-12] / size[size > 1e-12, None]
        if (size > 1e-12).any()
        else np.array([[1.0, 0.0]])
    )
    across = np.stack([-directions[:, 1], directions[:, 0]], -1)
    # (k, w)
    u = corners @ directions.T
    v = corners @ across.T
    k = int(np.ptp(v, axis=0).argmin())
    center = 0.5 * (
        (u[:, k].min() + u[:, k].max()) * directions[k]
        + (v[:, k].min() + v[:, k].max()) * across[k]
    )
    box = PlanarBox(center, directions[k], float(np.ptp(u[:, k])), float(np.ptp(v[:, k])))
    return box if box.length >= box.width else box.swap_sides()
