"""A ground that continues beyond its rim, for bodies that cannot stop before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from .ground import Array, Ground, TriangleMesh

# Distance of the samples along the rim [m], a third of a foot.
RIM_SPACING = 0.1
# Maximum number of samples along the rim: 20 km at `RIM_SPACING`, some megabytes.
MAX_RIM_SAMPLES = 200_000
# Number of nearest rim samples that are averaged for a point beyond the rim, so that its height
# hardly jumps where the nearest one changes.
NEIGHBOR_COUNT = 4


class ExtendedGround:
    """A ground that continues level from its rim outward, and over its holes.

    Args:
        ground: a ground with a mesh.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        mesh = ground.to_mesh()
        assert mesh is not None
        rim = _rim_edges(mesh)  # (e, 2, 3)
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
        rim_points = np.concatenate(edge_samples) if edge_samples else mesh.vertices
        self._rim_heights = rim_points[:, 2]
        self._rim_tree = cKDTree(rim_points[:, :2])

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return the height under each point. (..., 2) -> (...,) [m].

        Beyond the rim it is the mean of the nearest rim samples, weighted by inverse distance.
        """
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

    def to_mesh(self) -> TriangleMesh | None:
        """Return the mesh of the original ground."""
        return self._ground.to_mesh()


def _rim_edges(mesh: TriangleMesh) -> Array:
    """Return the edges that belong to one triangle only. (e, 2, 3) [m]."""
    edges = np.sort(mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    unique_edges, count = np.unique(edges, axis=0, return_counts=True)
    return np.asarray(mesh.vertices[unique_edges[count == 1]])
