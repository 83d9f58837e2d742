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
    def inclination_cosine(self) -> float:
        """Cosine of the inclination."""
        return float(1 / np.sqrt(1 + self.gradient @ self.gradient))


class Ground(Protocol):
    """A surface over the horizontal plane; heights in metres, z up."""

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Height under each point, nan where there is no ground. (..., 2) -> (...,)."""
        ...

    def to_mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        """The same surface as vertices (v, 3) and triangles (t, 3);
        None for the endless plane z = 0.
        """
        ...


class FlatGround:
    """The endless plane z = 0."""

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Zero everywhere. (..., 2) -> (...,)."""
        return np.zeros(np.shape(xy)[:-1])

    def to_mesh(self) -> None:
        """No mesh: a motion file without one means the plane z = 0."""
        return


def sample_normals(ground: Ground, xy: ArrayLike, half_span: float = 0.05) -> Array:
    """Upward unit normals, from height differences over `half_span` metres to each side.

    A foot does not feel a normal at a point: the reach is about half its width. Where a neighbour
    is off the ground, the point's own height stands in for it. (..., 2) -> (..., 3).
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
    """Plane through points of the ground by Bayesian linear regression,
    kept level where they say little.

    Args:
        xy: (n, 2) places.
        heights: (n,) there; places without ground (nan) are left out.
        prior: standard deviation that slopes are expected to have, rise over run.
        noise: standard deviation of the ground about the plane, metres.

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
