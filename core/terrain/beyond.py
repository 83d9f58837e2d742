"""A ground that goes on where it ends, for bodies that nobody can stop in time."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from .ground import Array, Ground

SPACING = 0.1         # m between places of the rim whose heights are known
MOST = 200_000        # of them
NEIGHBOURS = 4        # that tell the height of a place beyond the rim


class Beyond:
    """A ground of a mesh that goes on level from its rim outward, and over its holes.

    Args:
        ground: that has a mesh.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        mesh = ground.mesh()
        assert mesh is not None
        rim = _rim(*mesh)                                                        # (e, 2, 3)
        count = np.ceil(np.linalg.norm(rim[:, 1] - rim[:, 0], axis=1) / SPACING).astype(int) + 1
        count = np.maximum(count // max(int(count.sum() / MOST), 1), 2)
        places = [a + np.linspace(0, 1, n)[:, None] * (b - a) for (a, b), n in zip(rim, count.tolist(), strict=True)]
        at = np.concatenate(places) if places else mesh[0]
        self._level, self._tree = at[:, 2], cKDTree(at[:, :2])

    def height(self, xy: ArrayLike) -> Array:
        """Height under each point. (..., 2) -> (...,)."""
        xy = np.asarray(xy, float)
        height = np.array(self._ground.height(xy))
        off = np.isnan(height) & np.isfinite(xy).all(-1)
        if off.any():
            away, which = self._tree.query(xy[off], min(NEIGHBOURS, len(self._level)))
            share = 1 / (away.reshape(off.sum(), -1) + 1e-6)
            height[off] = (share * self._level[which.reshape(off.sum(), -1)]).sum(1) / share.sum(1)
        return height

    def mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        """That of the ground itself."""
        return self._ground.mesh()


def _rim(vertices: Array, triangles: NDArray[np.int64]) -> Array:
    """Edges that belong to one triangle alone. (e, 2, 3)."""
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    alone, count = np.unique(edges, axis=0, return_counts=True)
    return np.asarray(vertices[alone[count == 1]])
