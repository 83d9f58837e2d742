"""What every ground can be asked, and the simplest one."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Slope:
    """A plane fitted to the ground: z = height + gradient . (xy - centre)."""

    height: float
    gradient: Array  # (2,)

    @property
    def cosine(self) -> float:
        """Cosine of the inclination."""
        return float(1 / np.sqrt(1 + self.gradient @ self.gradient))


class Ground(Protocol):
    """A surface over the horizontal plane; heights in metres, z up."""

    def height(self, xy: ArrayLike) -> Array:
        """Height under each point, nan where there is no ground. (..., 2) -> (...,)."""
        ...

    def mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        """The same surface as vertices (v, 3) and triangles (t, 3); None for the endless plane z = 0."""
        ...


class Flat:
    """The endless plane z = 0."""

    def height(self, xy: ArrayLike) -> Array:
        """Zero everywhere. (..., 2) -> (...,)."""
        return np.zeros(np.shape(xy)[:-1])

    def mesh(self) -> None:
        """No mesh: a motion file without one means the plane z = 0."""
        return


def normal(ground: Ground, xy: ArrayLike, reach: float = 0.05) -> Array:
    """Upward unit normals, from height differences over `reach` metres to each side.

    A foot does not feel a normal at a point: the reach is about half its width. Where a neighbour is off the ground, the
    point's own height stands in for it. (..., 2) -> (..., 3).
    """
    xy = np.asarray(xy, float)
    h = ground.height(xy)
    slopes = []
    for step in np.eye(2) * reach:
        sides = [np.where(np.isfinite(s), s, h) for s in (ground.height(xy + step), ground.height(xy - step))]
        slopes.append((sides[0] - sides[1]) / (2 * reach))
    n = np.stack([-slopes[0], -slopes[1], np.ones_like(h)], -1)
    return n / np.linalg.norm(n, axis=-1, keepdims=True)


def fit_slope(xy: ArrayLike, heights: ArrayLike, prior: float = 0.1, noise: float = 0.1) -> Slope:
    """Plane through points of the ground by Bayesian linear regression, kept level where they say little.

    Args:
        xy: (n, 2) places.
        heights: (n,) there; places without ground (nan) are left out.
        prior: standard deviation that slopes are expected to have, rise over run.
        noise: standard deviation of the ground about the plane, metres.

    Source: Kwon et al. 2020, appendix B.
    """
    points, z = np.asarray(xy, float), np.asarray(heights, float)
    seen = np.isfinite(z)
    if not seen.any():
        return Slope(0.0, np.zeros(2))
    points, z = points[seen], z[seen]
    d, rise = points - points.mean(0), z - z.mean()
    gradient = np.linalg.solve(d.T @ d + (noise / prior) ** 2 * np.eye(2), d.T @ rise)
    return Slope(float(z.mean()), gradient)
