"""A ground of heights on a regular grid, and random hills."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import TerrainError
from .ground import Array, TriangleMesh

# Default distance of the grid points of hills [m]: six in a human foot.
GRID_SPACING = 0.05
# Default height of the bumps of hills [m], with which feet of neighboring steps differ by up to
# a stair, and steepest slope of the hills without them [degrees]: every engine walks on them.
BUMP_HEIGHT = 0.15
HILL_SLOPE = 10.0
# Radius of the level ground around the origin of hills [m], on which a body stands and takes its
# first step.
LEVEL_RADIUS = 1.0


class HeightField:
    """Heights on a grid, each cell split along the same diagonal into two triangles.

    Interpolation is linear in each triangle, not bilinear, so that the surface is exactly that
    of `to_mesh`.

    Args:
        heights: (nx, ny) [m].
        origin: (2,) place of heights[0, 0] [m].
        spacing: distance of neighbors [m].

    Raises:
        TerrainError: the grid is smaller than 2 x 2, a height is not finite, or the spacing is not
            positive.
    """

    def __init__(self, heights: ArrayLike, origin: ArrayLike, spacing: float) -> None:
        self.heights = np.asarray(heights, float)
        self.origin = np.asarray(origin, float)
        self.spacing = float(spacing)
        self._flat_heights = self.heights.ravel()
        if self.heights.ndim != 2 or min(self.heights.shape) < 2:
            raise TerrainError(
                "A height field needs a grid of at least 2 x 2 heights; this one has shape "
                f"{self.heights.shape}."
            )
        if not np.isfinite(self.heights).all():
            raise TerrainError(
                "The height field holds a height that is not a number; every height must be finite."
            )
        if not (np.isfinite(self.spacing) and self.spacing > 0):
            raise TerrainError(
                f"The grid spacing of a height field must be a positive length; it is {spacing}."
            )

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return the height under each point, nan outside the grid. (..., 2) -> (...,) [m]."""
        u = (np.asarray(xy, float) - self.origin) / self.spacing
        x = u[..., 0]
        y = u[..., 1]
        nx, ny = self.heights.shape
        # nan counts as outside, too.
        inside = (x >= -1e-9) & (y >= -1e-9) & (x <= nx - 1 + 1e-9) & (y <= ny - 1 + 1e-9)
        if inside.all():
            return self._interpolate(x, y)
        heights = self._interpolate(np.where(inside, x, 0.0), np.where(inside, y, 0.0))
        return np.where(inside, heights, np.nan)

    def _interpolate(self, x: Array, y: Array) -> Array:
        """Return the heights at points on the grid (...,) [m], whose unit is its spacing."""
        nx, ny = self.heights.shape
        # No clipping below 0 is needed: points inside start at most a rounding error before 0.
        i = np.minimum(x.astype(int), nx - 2)
        j = np.minimum(y.astype(int), ny - 2)
        a = x - i
        b = y - j
        cell = ny * i + j
        h = self._flat_heights
        h00 = h[cell]
        h11 = h[cell + ny + 1]
        # Triangle 00-10-11 where a >= b, otherwise 00-11-01.
        corner = np.where(a >= b, h[cell + ny], h[cell + 1])
        smaller = np.minimum(a, b)
        return h00 + (np.maximum(a, b) - smaller) * (corner - h00) + smaller * (h11 - h00)

    def to_mesh(self) -> TriangleMesh:
        """Return a mesh of nx ny vertices and 2 (nx - 1)(ny - 1) triangles."""
        nx, ny = self.heights.shape
        x, y = np.meshgrid(
            *(self.origin[k] + self.spacing * np.arange(n) for k, n in enumerate((nx, ny))),
            indexing="ij",
        )
        index = np.arange(nx * ny).reshape(nx, ny)
        a = index[:-1, :-1]
        b = index[1:, :-1]
        c = index[1:, 1:]
        d = index[:-1, 1:]
        faces = [
            np.stack([p.ravel(), q.ravel(), r.ravel()], -1) for p, q, r in ((a, b, c), (a, c, d))
        ]
        vertices = np.stack([x.ravel(), y.ravel(), self.heights.ravel()], -1)
        return TriangleMesh(vertices, np.concatenate(faces))


def make_rolling_hills(
    rng: np.random.Generator,
    length: float,
    width: float,
    bump_height: float = BUMP_HEIGHT,
    slope_deg: float = HILL_SLOPE,
    spacing: float = GRID_SPACING,
) -> HeightField:
    """Return a strip along x of hills with bumps, level around the origin.

    Args:
        rng: source of all random numbers.
        length, width: x of the end, and extent along y [m]; the strip starts 3 m before the
            origin.
        bump_height: difference between the highest and the lowest point of the bumps [m].
        slope_deg: maximum inclination of the hills without the bumps [degrees].
        spacing: distance of the grid points [m].
    """
    x = np.arange(-3.0, length, spacing)
    y = np.arange(-width / 2, width / 2 + spacing / 2, spacing)
    grid_x, grid_y = np.meshgrid(x, y, indexing="ij")
    knots = np.arange(-3.0, length + 6.0, 3.0)
    gradient = np.tan(np.radians(rng.uniform(-slope_deg, slope_deg, len(knots))))
    gradient[np.argmax(np.abs(gradient))] = np.tan(np.radians(slope_deg)) * np.sign(
        rng.uniform(-1, 1)
    )
    slope = np.interp(x, knots, gradient)
    hills = np.cumsum(slope) * spacing
    bumps = np.zeros_like(grid_x)
    for _ in range(12):
        k = (
            2
            * np.pi
            / rng.uniform(1.6, 3.5)
            * np.array([np.cos(a := rng.uniform(0, np.pi)), np.sin(a)])
        )
        bumps += rng.uniform(0.3, 1.0) * np.sin(
            k[0] * grid_x + k[1] * grid_y + rng.uniform(0, 2 * np.pi)
        )
    bumps *= bump_height / np.ptp(bumps)
    heights = hills[:, None] + bumps
    start_height = np.interp(0.0, x, hills)
    distance = np.clip((np.hypot(grid_x, grid_y) - LEVEL_RADIUS) / 2.0, 0, 1)
    fade = distance**2 * (3 - 2 * distance)
    return HeightField((heights - start_height) * fade, (x[0], y[0]), spacing)
