"""Stepping stones: a ground of many small pieces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from .built import SLAB_THICKNESS
from .ground import Ground
from .mesh import MeshGround

Array = NDArray[np.float64]

# Number of corners of a round stone.
STONE_SIDES = 10
# Maximum width of a piece of ground that counts as a stone [m]; wider ones can be walked on.
MAX_STONE_WIDTH = 1.2


def make_stepping_stones(centers: ArrayLike, radius: ArrayLike) -> MeshGround:
    """Return round level stones with nothing between them.

    Args:
        centers: (n, 3) centers of the tops [m].
        radius: of all stones, or (n,) of each [m].
    """
    tops = np.asarray(centers, float)
    angle = 2 * np.pi * np.arange(STONE_SIDES) / STONE_SIDES
    rim = np.stack([np.cos(angle), np.sin(angle), np.zeros(STONE_SIDES)], -1)  # (s, 3)
    upper = tops[:, None] + np.broadcast_to(radius, len(tops))[:, None, None] * rim
    # (n, 1 + 2 s, 3)
    vertices = np.concatenate([tops[:, None], upper, upper - [0.0, 0.0, SLAB_THICKNESS]], 1)
    a = 1 + np.arange(STONE_SIDES)
    b = 1 + (np.arange(STONE_SIDES) + 1) % STONE_SIDES
    faces = np.concatenate(
        [
            np.stack([0 * a, a, b], -1),
            np.stack([a, a + STONE_SIDES, b + STONE_SIDES], -1),
            np.stack([a, b + STONE_SIDES, b], -1),
        ]
    )
    first = (1 + 2 * STONE_SIDES) * np.arange(len(tops))
    return MeshGround(vertices.reshape(-1, 3), (first[:, None, None] + faces).reshape(-1, 3))


def join_grounds(grounds: Sequence[MeshGround]) -> MeshGround:
    """Return several grounds as one."""
    vertex_offsets = np.cumsum([0, *(len(g.vertices) for g in grounds)])
    return MeshGround(
        np.concatenate([g.vertices for g in grounds]),
        np.concatenate([g.triangles + n for g, n in zip(grounds, vertex_offsets, strict=False)]),
    )


def find_island_centers(ground: Ground, max_width: float = MAX_STONE_WIDTH) -> Array:
    """Return the centers, seen from above, of the small connected pieces of a ground. (n, 2) [m].

    Args:
        max_width: width up to which a piece counts [m].
    """
    mesh = ground.to_mesh()
    if mesh is None:
        return np.empty((0, 2))
    vertices = mesh.vertices
    triangles = mesh.triangles
    one, other = np.concatenate([triangles[:, :2], triangles[:, 1:]]).T
    adjacency = coo_matrix((np.ones(len(one)), (one, other)), shape=(len(vertices), len(vertices)))
    count, piece = connected_components(adjacency, directed=False)
    low = np.full((count, 2), np.inf)
    high = np.full((count, 2), -np.inf)
    used = np.unique(triangles)
    np.minimum.at(low, piece[used], vertices[used, :2])
    np.maximum.at(high, piece[used], vertices[used, :2])
    is_small = (high - low).max(1) <= max_width
    return 0.5 * (low + high)[is_small & np.isfinite(low[:, 0])]
