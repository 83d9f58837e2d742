"""Stepping stones: ground that is many small pieces."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from .built import THICK
from .ground import Ground
from .mesh import MeshGround

Array = NDArray[np.float64]

SIDES = 10            # of a stone
WIDEST = 1.2          # m across, above which a piece of ground is no stone but a place to walk on


def stones(centres: ArrayLike, radius: ArrayLike) -> MeshGround:
    """Round level stones with nothing between them.

    Args:
        centres: (n, 3) of their tops, m.
        radius: of all or of each, m.
    """
    tops = np.asarray(centres, float)
    angle = 2 * np.pi * np.arange(SIDES) / SIDES
    rim = np.stack([np.cos(angle), np.sin(angle), np.zeros(SIDES)], -1)                    # (s, 3)
    upper = tops[:, None] + np.broadcast_to(radius, len(tops))[:, None, None] * rim
    vertices = np.concatenate([tops[:, None], upper, upper - [0.0, 0.0, THICK]], 1)        # (n, 1 + 2 s, 3)
    a = 1 + np.arange(SIDES)
    b = 1 + (np.arange(SIDES) + 1) % SIDES
    faces = np.concatenate([np.stack([0 * a, a, b], -1), np.stack([a, a + SIDES, b + SIDES], -1),
                            np.stack([a, b + SIDES, b], -1)])
    first = (1 + 2 * SIDES) * np.arange(len(tops))
    return MeshGround(vertices.reshape(-1, 3), (first[:, None, None] + faces).reshape(-1, 3))


def joined(grounds: Sequence[MeshGround]) -> MeshGround:
    """Several grounds as one."""
    before = np.cumsum([0, *(len(g.vertices) for g in grounds)])
    return MeshGround(np.concatenate([g.vertices for g in grounds]),
                      np.concatenate([g.triangles + n for g, n in zip(grounds, before, strict=False)]))


def islands(ground: Ground, widest: float = WIDEST) -> Array:
    """Middles, seen from above, of a ground's pieces that hang together by shared vertices and are no wider than told. (n, 2)."""
    mesh = ground.mesh()
    if mesh is None:
        return np.empty((0, 2))
    vertices, triangles = mesh
    one, other = np.concatenate([triangles[:, :2], triangles[:, 1:]]).T
    links = coo_matrix((np.ones(len(one)), (one, other)), shape=(len(vertices), len(vertices)))
    count, piece = connected_components(links, directed=False)
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    used = np.unique(triangles)
    np.minimum.at(low, piece[used], vertices[used, :2])
    np.maximum.at(high, piece[used], vertices[used, :2])
    small = (high - low).max(1) <= widest
    return 0.5 * (low + high)[small & np.isfinite(low[:, 0])]
