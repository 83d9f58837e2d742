"""A ground given as heights on a regular grid."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TerrainError
from .ground import Array


class HeightField:
    """Heights on a grid, each cell split along the same diagonal into two flat triangles.

    Interpolating by triangles, not bilinearly, keeps the surface the very one that `mesh` returns.

    Args:
        heights: (nx, ny) metres.
        origin: (2,) place of heights[0, 0].
        spacing: metres between neighbours.
    """

    def __init__(self, heights: ArrayLike, origin: ArrayLike, spacing: float) -> None:
        self.heights = np.asarray(heights, float)
        self.origin = np.asarray(origin, float)
        self.spacing = float(spacing)
        if self.heights.ndim != 2 or min(self.heights.shape) < 2:
            raise TerrainError(f"A height field needs a grid of at least 2 x 2 heights; this one has shape {self.heights.shape}.")
        if not np.isfinite(self.heights).all():
            raise TerrainError("The height field holds a height that is not a number; every height must be finite.")
        if not (np.isfinite(self.spacing) and self.spacing > 0):
            raise TerrainError(f"The grid spacing of a height field must be a positive length; it is {spacing}.")

    def height(self, xy: ArrayLike) -> Array:
        """Height under each point, nan outside the grid. (..., 2) -> (...,)."""
        u = (np.asarray(xy, float) - self.origin) / self.spacing
        nx, ny = self.heights.shape
        outside = ~((u >= -1e-9).all(-1) & (u[..., 0] <= nx - 1 + 1e-9) & (u[..., 1] <= ny - 1 + 1e-9))      # nan is outside, too
        u = np.where(outside[..., None], 0.0, u)
        i = np.clip(u[..., 0].astype(int), 0, nx - 2)
        j = np.clip(u[..., 1].astype(int), 0, ny - 2)
        a, b = u[..., 0] - i, u[..., 1] - j
        h = self.heights
        h00, h10, h01, h11 = h[i, j], h[i + 1, j], h[i, j + 1], h[i + 1, j + 1]
        below = h00 + a * (h10 - h00) + b * (h11 - h10)       # triangle 00-10-11
        above = h00 + a * (h11 - h01) + b * (h01 - h00)       # triangle 00-11-01
        return np.where(outside, np.nan, np.where(a >= b, below, above))

    def mesh(self) -> tuple[Array, NDArray[np.int64]]:
        """Vertices (nx * ny, 3) and triangles (2 (nx - 1)(ny - 1), 3)."""
        nx, ny = self.heights.shape
        x, y = np.meshgrid(*(self.origin[k] + self.spacing * np.arange(n) for k, n in enumerate((nx, ny))), indexing="ij")
        index = np.arange(nx * ny).reshape(nx, ny)
        a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
        faces = [np.stack([p.ravel(), q.ravel(), r.ravel()], -1) for p, q, r in ((a, b, c), (a, c, d))]
        return np.stack([x.ravel(), y.ravel(), self.heights.ravel()], -1), np.concatenate(faces)
