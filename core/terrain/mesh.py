"""A ground given as any triangle mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import TerrainError
from .ground import Array, TriangleMesh


class MeshGround:
    """The upper side of a triangle mesh. Vertical faces are ignored.

    The triangle under a point is looked up in a grid of bins over the horizontal plane, each about
    half the size of a triangle.

    Args:
        vertices: (v, 3) [m].
        triangles: (t, 3) indices of vertices.

    Raises:
        TerrainError: a vertex is not finite or does not exist, or all faces are vertical.
    """

    def __init__(self, vertices: ArrayLike, triangles: ArrayLike) -> None:
        self.vertices = np.asarray(vertices, float).reshape(-1, 3)
        self.triangles = np.asarray(triangles, np.int64).reshape(-1, 3)
        if not np.isfinite(self.vertices).all():
            raise TerrainError("The terrain has a vertex whose coordinates are not finite numbers.")
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < len(
            self.vertices
        ):
            raise TerrainError(
                "The terrain has a triangle that names a vertex which does not exist."
            )
        corners = self.vertices[self.triangles]  # (t, 3, 3)
        e1 = corners[:, 1] - corners[:, 0]
        e2 = corners[:, 2] - corners[:, 0]
        area = e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0]  # Twice the area seen from above.
        has_area = np.abs(area) > 1e-12
        if not has_area.any():
            raise TerrainError(
                "The terrain has no face that can be stood on; it needs at least one that is not "
                "vertical."
            )
        e1 = e1[has_area]
        e2 = e2[has_area]
        area = area[has_area]
        self._corner_xy = corners[has_area, 0, :2]
        self._corner_height = corners[has_area, 0, 2]
        self._edge_rise = np.stack([e1[:, 2], e2[:, 2]], 1)  # (t, 2) along the two edges [m].
        edge_normals = np.stack(
            [np.stack([e2[:, 1], -e2[:, 0]], 1), np.stack([-e1[:, 1], e1[:, 0]], 1)], 1
        )
        # (t, 2, 2) Map from horizontal offsets to barycentric coordinates.
        self._barycentric_map = edge_normals / area[:, None, None]
        self._sort_into_bins(corners[has_area, :, :2])

    def _sort_into_bins(self, corners: Array) -> None:
        low = corners.min(1)
        high = corners.max(1)  # (t, 2)
        self._bin_origin = low.min(0)
        extent = np.maximum(high.max(0) - self._bin_origin, 1e-9)
        size = max(
            0.5 * float(np.mean(high - low)),
            float(np.sqrt(extent.prod() / (16 * len(low) + 16))),
            1e-6,
        )
        self._bin_size = max(size, float(extent.max()) / 2000)
        first = ((low - self._bin_origin) / self._bin_size).astype(np.int64)
        last = ((high - self._bin_origin) / self._bin_size).astype(np.int64)
        self._bin_counts = last.max(0) + 1
        span = last - first + 1
        count = span.prod(1)
        triangle = np.repeat(np.arange(len(low)), count)
        # Running index among the bins of the same triangle.
        k = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        column = first[triangle, 0] + k // span[triangle, 1]
        row = first[triangle, 1] + k % span[triangle, 1]
        bin_index = column * self._bin_counts[1] + row
        order = np.argsort(bin_index, kind="stable")
        self._bin_triangles = triangle[order]
        self._bin_starts = np.searchsorted(bin_index[order], np.arange(self._bin_counts.prod() + 1))

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return the height of the highest face at each point, nan where there is none.

        (..., 2) -> (...,) [m].
        """
        xy = np.asarray(xy, float)
        points = xy.reshape(-1, 2)
        cell = np.floor((points - self._bin_origin) / self._bin_size)
        inside = ((cell >= 0) & (cell < self._bin_counts)).all(1)  # False for nan, too.
        point_index = np.flatnonzero(inside)
        bin_index = (cell[point_index] @ (self._bin_counts[1], 1)).astype(np.int64)
        start = self._bin_starts[bin_index]
        count = self._bin_starts[bin_index + 1] - start
        point_index = point_index[count > 0]
        start = start[count > 0]
        count = count[count > 0]
        first = np.cumsum(count) - count
        point = np.repeat(point_index, count)
        t = self._bin_triangles[np.arange(len(point)) + np.repeat(start - first, count)]
        d = points[point] - self._corner_xy[t]
        u, v = np.einsum("kij,kj->ik", self._barycentric_map[t], d)
        hit = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
        z = np.where(
            hit,
            self._corner_height[t] + u * self._edge_rise[t, 0] + v * self._edge_rise[t, 1],
            -np.inf,
        )
        out = np.full(len(points), np.nan)
        if len(point_index):
            highest = np.maximum.reduceat(z, first)
            out[point_index] = np.where(np.isfinite(highest), highest, np.nan)
        return out.reshape(xy.shape[:-1])

    def to_mesh(self) -> TriangleMesh:
        """Return the mesh as it was given."""
        return TriangleMesh(self.vertices, self.triangles)
