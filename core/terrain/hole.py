"""Ground with a hole in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .ground import Ground
from .mesh import MeshGround

Array = NDArray[np.float64]

PLANE_EXTENT = 2000.0  # times the hole's size, to which the endless plane is drawn


def cut_hole(ground: Ground, outline: ArrayLike) -> MeshGround | None:
    """A ground without what lies inside an outline, cut at it exactly; None where nothing is left.

    Args:
        outline: (k, 2) corners of a convex shape, counter-clockwise, k >= 3.
    """
    corners = np.asarray(outline, float)
    mesh = ground.to_mesh()
    if mesh is None:
        return _plane_around(corners)
    pieces = mesh[0][mesh[1]]  # (t, 3, 3)
    parts = []
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        # what is right of this side is outside; what is left goes on to the next side
        side = (b - a)[0] * (pieces[..., 1] - a[1]) - (b - a)[1] * (pieces[..., 0] - a[0])  # (t, 3)
        outside = (side <= 0).all(1)
        inside = (side >= 0).all(1)
        is_cut = ~(outside | inside)
        parts.append(pieces[outside & ~inside])
        parts.append(_clip_to_positive(pieces[is_cut], -side[is_cut]))
        pieces = np.concatenate([pieces[inside], _clip_to_positive(pieces[is_cut], side[is_cut])])
    remaining = np.concatenate(parts)
    return (
        MeshGround(remaining.reshape(-1, 3), np.arange(3 * len(remaining)).reshape(-1, 3))
        if len(remaining)
        else None
    )


def _clip_to_positive(triangles: Array, side: Array) -> Array:
    """The parts of triangles where a linear function of place is positive, which is known at
    corners. (t, 3, 3), (t, 3).
    """
    out = []
    for corners, value in zip(triangles, side, strict=True):
        polygon: list[Array] = []
        for k in range(3):
            a = corners[k]
            b = corners[(k + 1) % 3]
            va = value[k]
            vb = value[(k + 1) % 3]
            if va >= 0:
                polygon.append(a)
            if va * vb < 0:
                polygon.append(a + va / (va - vb) * (b - a))
        out += [
            np.array([polygon[0], polygon[k], polygon[k + 1]]) for k in range(1, len(polygon) - 1)
        ]
    return np.array(out).reshape(-1, 3, 3)


def _plane_around(corners: Array) -> MeshGround:
    """The plane z = 0 around a hole, as far as anybody goes."""
    center = corners.mean(0)
    n = len(corners)
    outer_corners = center + PLANE_EXTENT * (corners - center)
    vertices = np.column_stack([np.concatenate([corners, outer_corners]), np.zeros(2 * n)])
    a = np.arange(n)
    b = (a + 1) % n
    return MeshGround(
        vertices, np.concatenate([np.stack([a, a + n, b + n], -1), np.stack([a, b + n, b], -1)])
    )
