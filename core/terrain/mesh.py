"""A ground given as any triangle mesh."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TerrainError
from .ground import Array


class MeshGround:
    """The upper side of a triangle mesh. Faces that are seen edge-on from above carry nobody and are left out.

    Points find their triangles through a grid of bins over the plane, of about one triangle's size each.

    Args:
        vertices: (v, 3) metres.
        triangles: (t, 3) indices into them.
    """

    def __init__(self, vertices: ArrayLike, triangles: ArrayLike) -> None:
        self.vertices = np.asarray(vertices, float).reshape(-1, 3)
        self.triangles = np.asarray(triangles, np.int64).reshape(-1, 3)
        if not np.isfinite(self.vertices).all():
            raise TerrainError("The terrain has a vertex whose coordinates are not finite numbers.")
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < len(self.vertices):
            raise TerrainError("The terrain has a triangle that names a vertex which does not exist.")
        corners = self.vertices[self.triangles]                                  # (t, 3, 3)
        e1, e2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        area = e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0]                         # twice, seen from above
        flat = np.abs(area) > 1e-12
        if not flat.any():
            raise TerrainError("The terrain has no face that can be stood on; it needs at least one that is not vertical.")
        self._a, self._e1, self._e2, self._area = corners[flat, 0], e1[flat], e2[flat], area[flat]
        self._sort_into_bins(corners[flat, :, :2])

    def _sort_into_bins(self, corners: Array) -> None:
        low, high = corners.min(1), corners.max(1)                               # (t, 2)
        self._origin = low.min(0)
        extent = np.maximum(high.max(0) - self._origin, 1e-9)
        size = max(float(np.mean(high - low)), float(np.sqrt(extent.prod() / (4 * len(low) + 16))), 1e-6)
        self._size = max(size, float(extent.max()) / 2000)
        first = ((low - self._origin) / self._size).astype(np.int64)
        last = ((high - self._origin) / self._size).astype(np.int64)
        self._shape = last.max(0) + 1
        span = last - first + 1
        count = span.prod(1)
        triangle = np.repeat(np.arange(len(low)), count)
        k = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)  # running number inside its triangle's bins
        column = first[triangle, 0] + k // span[triangle, 1]
        row = first[triangle, 1] + k % span[triangle, 1]
        bin_of = column * self._shape[1] + row
        order = np.argsort(bin_of, kind="stable")
        self._members = triangle[order]
        self._start = np.searchsorted(bin_of[order], np.arange(self._shape.prod() + 1))

    def height(self, xy: ArrayLike) -> Array:
        """Height of the highest face under or over each point, nan where there is none. (..., 2) -> (...,)."""
        xy = np.asarray(xy, float)
        points = xy.reshape(-1, 2)
        cell = np.floor((points - self._origin) / self._size)
        inside = np.isfinite(cell).all(1) & (cell >= 0).all(1) & (cell < self._shape).all(1)
        cell = np.where(inside[:, None], cell, 0).astype(np.int64)
        bin_of = cell[:, 0] * self._shape[1] + cell[:, 1]
        start = self._start[bin_of]
        count = np.where(inside, self._start[bin_of + 1] - start, 0)
        point = np.repeat(np.arange(len(points)), count)
        k = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        t = self._members[start[point] + k]
        d = points[point] - self._a[t, :2]
        u = (d[:, 0] * self._e2[t, 1] - d[:, 1] * self._e2[t, 0]) / self._area[t]
        v = (self._e1[t, 0] * d[:, 1] - self._e1[t, 1] * d[:, 0]) / self._area[t]
        hit = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
        z = self._a[t, 2] + u * self._e1[t, 2] + v * self._e2[t, 2]
        out = np.full(len(points), -np.inf)
        np.maximum.at(out, point[hit], z[hit])
        return np.where(np.isfinite(out), out, np.nan).reshape(xy.shape[:-1])

    def mesh(self) -> tuple[Array, NDArray[np.int64]]:
        """Vertices (v, 3) and triangles (t, 3), as they were given."""
        return self.vertices, self.triangles
