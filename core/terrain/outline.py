"""Shapes seen from above: convex outlines, and the narrowest box around points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull, QhullError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanarBox:
    """A rectangle in the plane, metres."""

    center: Array  # (2,)
    direction: Array  # (2,) unit, the way of its longer side
    length: float
    width: float

    @property
    def ends(self) -> tuple[Array, Array]:
        """The ends of the line through its middle along its longer side. (2,) each."""
        half = 0.5 * self.length * self.direction
        return self.center - half, self.center + half

    def swap_sides(self) -> PlanarBox:
        """The same rectangle, its sides having changed their parts."""
        return PlanarBox(
            self.center, np.array([-self.direction[1], self.direction[0]]), self.width, self.length
        )


def find_convex_outline(points: ArrayLike) -> Array:
    """Corners of the convex hull, counter-clockwise; the two outermost points where all lie on a
    line. (n, 2) -> (k, 2).
    """
    xy = np.asarray(points, float)
    try:
        return xy[ConvexHull(xy).vertices]
    except (QhullError, ValueError):  # on a line, or too few
        direction = np.linalg.svd(xy - xy.mean(0))[2][0]
        station = (xy - xy.mean(0)) @ direction
        return xy[[int(station.argmin()), int(station.argmax())]]


def find_narrowest_box(points: ArrayLike) -> PlanarBox:
    """The narrowest rectangle around points: one of its sides lies on a side of their
    convex outline. (n, 2).
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
