"""A ground that goes on where it ends, for bodies that nobody can stop in time."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from .ground import Array, Ground

RIM_SPACING = 0.1  # m between places of the rim whose heights are known
MAX_RIM_SAMPLES = 200_000  # of them
NEIGHBOR_COUNT = 4  # that tell the height of a place beyond the rim


class ExtendedGround:
    """A ground of a mesh that goes on level from its rim outward, and over its holes.

    Args:
        ground: that has a mesh.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        mesh = ground.to_mesh()
        assert mesh is not None
        rim = _rim_edges(*mesh)  # (e, 2, 3)
        sample_counts = (
            np.ceil(np.linalg.norm(rim[:, 1] - rim[:, 0], axis=1) / RIM_SPACING).astype(int) + 1
        )
        sample_counts = np.maximum(
            sample_counts // max(int(sample_counts.sum() / MAX_RIM_SAMPLES), 1), 2
        )
        edge_samples = [
            a + np.linspace(0, 1, n)[:, None] * (b - a)
            for (a, b), n in zip(rim, sample_counts.tolist(), strict=True)
        ]
        rim_points = np.concatenate(edge_samples) if edge_samples else mesh[0]
        self._rim_heights = rim_points[:, 2]
        self._rim_tree = cKDTree(rim_points[:, :2])

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Height under each point. (..., 2) -> (...,)."""
        xy = np.asarray(xy, float)
        height = np.array(self._ground.sample_heights(xy))
        is_outside = np.isnan(height) & np.isfinite(xy).all(-1)
        if is_outside.any():
            distance, nearest = self._rim_tree.query(
                xy[is_outside], min(NEIGHBOR_COUNT, len(self._rim_heights))
            )
            weight = 1 / (distance.reshape(is_outside.sum(), -1) + 1e-6)
            height[is_outside] = (
                weight * self._rim_heights[nearest.reshape(is_outside.sum(), -1)]
            ).sum(1) / weight.sum(1)
        return height

    def to_mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        """That of the ground itself."""
        return self._ground.to_mesh()


def _rim_edges(vertices: Array, triangles: NDArray[np.int64]) -> Array:
    """Edges that belong to one triangle alone. (e, 2, 3)."""
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    unique_edges, count = np.unique(edges, axis=0, return_counts=True)
    return np.asarray(vertices[unique_edges[count == 1]])
