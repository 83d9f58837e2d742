"""Shapes seen from above: convex outlines, and the narrowest box around points."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull, QhullError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Box:
    """A rectangle in the plane, metres."""

    middle: Array         # (2,)
    along: Array          # (2,) unit, the way of its longer side
    length: float
    width: float

    @property
    def ends(self) -> tuple[Array, Array]:
        """The ends of the line through its middle along its longer side. (2,) each."""
        half = 0.5 * self.length * self.along
        return self.middle - half, self.middle + half

    def turned(self) -> Box:
        """The same rectangle, its sides having changed their parts."""
        return Box(self.middle, np.array([-self.along[1], self.along[0]]), self.width, self.length)


def convex_outline(points: ArrayLike) -> Array:
    """Corners of the convex hull, counter-clockwise; the two outermost points where all lie on a line. (n, 2) -> (k, 2)."""
    xy = np.asarray(points, float)
    try:
        return xy[ConvexHull(xy).vertices]
    except (QhullError, ValueError):                   # on a line, or too few
        way = np.linalg.svd(xy - xy.mean(0))[2][0]
        far = (xy - xy.mean(0)) @ way
        return xy[[int(far.argmin()), int(far.argmax())]]


def narrowest_box(points: ArrayLike) -> Box:
    """The narrowest rectangle around points: one of its sides lies on a side of their convex outline. (n, 2)."""
    corners = convex_outline(points)
    sides = np.roll(corners, -1, 0) - corners
    size = np.linalg.norm(sides, axis=1)
    ways = sides[size > 1e-12] / size[size > 1e-12, None] if (size > 1e-12).any() else np.array([[1.0, 0.0]])
    across = np.stack([-ways[:, 1], ways[:, 0]], -1)
    u, v = corners @ ways.T, corners @ across.T                                            # (k, w)
    k = int(np.ptp(v, axis=0).argmin())
    middle = 0.5 * ((u[:, k].min() + u[:, k].max()) * ways[k] + (v[:, k].min() + v[:, k].max()) * across[k])
    box = Box(middle, ways[k], float(np.ptp(u[:, k])), float(np.ptp(v[:, k])))
    return box if box.length >= box.width else box.turned()
