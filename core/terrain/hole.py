"""Ground with a hole in it, and parts of a ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .ground import Ground, TriangleMesh
from .mesh import MeshGround

Array = NDArray[np.float64]

# Extent of the mesh that replaces the infinite plane, as a multiple of the hole's size.
PLANE_EXTENT = 2000.0


def cut_hole(ground: Ground, outline: ArrayLike) -> MeshGround | None:
    """Return a ground without the part inside an outline, cut exactly; None if nothing is left.

    Args:
        outline: (k, 2) corners of a convex polygon, counterclockwise, k >= 3 [m].
    """
    corners = np.asarray(outline, float)
    mesh = ground.to_mesh()
    if mesh is None:
        return _plane_around(corners)
    return _make_ground(_divide(mesh, corners).outside)


def crop_ground(ground: Ground, outline: ArrayLike) -> Ground | None:
    """Return the part of a ground inside an outline, cut exactly; None if nothing is left.

    The infinite plane, and a ground that is all inside, are returned as they are.

    Args:
        outline: (k, 2) corners of a convex polygon, counterclockwise, k >= 3 [m].
    """
    mesh = ground.to_mesh()
    if mesh is None:
        return ground
    divided = _divide(mesh, np.asarray(outline, float))
    return _make_ground(divided.inside) if len(divided.outside) else ground


@dataclass(frozen=True)
class _DividedTriangles:
    """Triangles of a mesh inside and outside an outline, each (t, 3, 3) [m]."""

    inside: Array
    outside: Array


def _divide(mesh: TriangleMesh, corners: Array) -> _DividedTriangles:
    """Return the triangles of a mesh, cut at the sides of a convex polygon (k, 2)."""
    pieces = mesh.vertices[mesh.triangles]
    parts = []
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        # The part right of this side is outside; the part left of it is cut at the next side.
        side = (b - a)[0] * (pieces[..., 1] - a[1]) - (b - a)[1] * (pieces[..., 0] - a[0])  # (t, 3)
        outside = (side <= 0).all(1)
        inside = (side >= 0).all(1)
        is_cut = ~(outside | inside)
        parts.append(pieces[outside & ~inside])
        parts.append(_clip_to_positive(pieces[is_cut], -side[is_cut]))
        pieces = np.concatenate([pieces[inside], _clip_to_positive(pieces[is_cut], side[is_cut])])
    return _DividedTriangles(pieces, np.concatenate(parts))


def _make_ground(triangles: Array) -> MeshGround | None:
    """Return triangles (t, 3, 3) as a ground; None without any."""
    if not len(triangles):
        return None
    return MeshGround(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))


def _clip_to_positive(triangles: Array, side: Array) -> Array:
    """Return the parts of triangles where a linear function is positive.

    Args:
        triangles: (t, 3, 3) [m].
        side: (t, 3) values of the function at the corners.
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
    """Return the plane z = 0 around a hole as a large mesh."""
    center = corners.mean(0)
    n = len(corners)
    outer_corners = center + PLANE_EXTENT * (corners - center)
    vertices = np.column_stack([np.concatenate([corners, outer_corners]), np.zeros(2 * n)])
    a = np.arange(n)
    b = (a + 1) % n
    return MeshGround(
        vertices, np.concatenate([np.stack([a, a + n, b + n], -1), np.stack([a, b + n, b], -1)])
    )
