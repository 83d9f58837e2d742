"""The protocol of a ground, the level plane, and normals and slopes of any ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Slope:
    """A plane fitted to the ground: z = height + gradient . (xy - center).

    Args:
        height: at the center [m].
        gradient: (2,) rise over run along x and y.
    """

    height: float
    gradient: Array

    @property
    def inclination_cosine(self) -> float:
        """Cosine of the angle between plane and horizontal."""
        return float(1 / np.sqrt(1 + self.gradient @ self.gradient))


@dataclass(frozen=True)
class TriangleMesh:
    """A triangle mesh.

    Args:
        vertices: (v, 3) [m].
        triangles: (t, 3) indices of vertices.
    """

    vertices: Array
    triangles: NDArray[np.int64]


class Ground(Protocol):
    """A surface over the horizontal plane; heights in meters, z up."""

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return the height under each point, nan where there is no ground. (..., 2) -> (...,)."""
        ...

    def to_mesh(self) -> TriangleMesh | None:
        """Return the surface as a mesh; None for the infinite plane z = 0."""
        ...


class FlatGround:
    """The infinite plane z = 0."""

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return zeros. (..., 2) -> (...,)."""
        return np.zeros(np.shape(xy)[:-1])

    def to_mesh(self) -> None:
        """Return None: a motion file without a mesh stands for the plane z = 0."""
        return


def sample_normals(ground: Ground, xy: ArrayLike, half_span: float = 0.05) -> Array:
    """Return upward unit normals from central differences of the height. (..., 2) -> (..., 3).

    Args:
        half_span: distance of the samples to each side [m]. A foot averages the ground over its
            area; the default is about half its width. A sample off the ground is replaced by the
            height at the point.
    """
    xy = np.asarray(xy, float)
    h = ground.sample_heights(xy)
    slopes = []
    for step in np.eye(2) * half_span:
        sides = [
            np.where(np.isfinite(s), s, h)
            for s in (ground.sample_heights(xy + step), ground.sample_heights(xy - step))
        ]
        slopes.append((sides[0] - sides[1]) / (2 * half_span))
    n = np.stack([-slopes[0], -slopes[1], np.ones_like(h)], -1)
    return n / np.linalg.norm(n, axis=-1, keepdims=True)


def fit_slope(xy: ArrayLike, heights: ArrayLike, prior: float = 0.1, noise: float = 0.1) -> Slope:
    """Fit a plane to points of the ground by Bayesian linear regression.

    The prior keeps the plane level where the points determine little.

    Args:
        xy: (n, 2) points [m].
        heights: (n,) heights [m]; points off the ground (nan) are ignored.
        prior: standard deviation of the slope, rise over run.
        noise: standard deviation of the heights about the plane [m].

    Source: Kwon et al. 2020, appendix B.
    """
    points = np.asarray(xy, float)
    z = np.asarray(heights, float)
    is_on_ground = np.isfinite(z)
    if not is_on_ground.any():
        return Slope(0.0, np.zeros(2))
    points = points[is_on_ground]
    z = z[is_on_ground]
    offsets = points - points.mean(0)
    rise = z - z.mean()
    gradient = np.linalg.solve(
        offsets.T @ offsets + (noise / prior) ** 2 * np.eye(2), offsets.T @ rise
    )
    return Slope(float(z.mean()), gradient)
