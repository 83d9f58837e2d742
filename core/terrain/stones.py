"""Stepping stones: ground that is many small pieces."""

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

STONE_SIDES = 10  # of a stone
MAX_STONE_WIDTH = 1.2  # m across, above which a piece of ground is no stone but a place to walk on


def make_stepping_stones(centers: ArrayLike, radius: ArrayLike) -> MeshGround:
    """Round level stones with nothing between them.

    Args:
        centers: (n, 3) of their tops, m.
        radius: of all or of each, m.
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
    """Several grounds as one."""
    vertex_offsets = np.cumsum([0, *(len(g.vertices) for g in grounds)])
    return MeshGround(
        np.concatenate([g.vertices for g in grounds]),
        np.concatenate([g.triangles + n for g, n in zip(grounds, vertex_offsets, strict=False)]),
    )


def find_island_centers(ground: Ground, max_width: float = MAX_STONE_WIDTH) -> Array:
    """Middles, seen from above, of a ground's pieces that hang together by shared vertices and are
    no wider than told. (n, 2).
    """
    mesh = ground.to_mesh()
    if mesh is None:
        return np.empty((0, 2))
    vertices, triangles = mesh
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
