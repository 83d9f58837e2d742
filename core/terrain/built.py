"""Built ground: slabs with gaps between them, boxes, stairs, and grounds with pieces cut out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .ground import Ground
from .mesh import MeshGround

# Height of the sides of a slab [m].
SLAB_THICKNESS = 0.3


@dataclass(frozen=True)
class Slab:
    """A box with sides along x and y.

    Args:
        x, y: (2,) extent along each axis [m].
        height: of the top [m].
        thickness: from top to bottom [m].
    """

    x: tuple[float, float]
    y: tuple[float, float]
    height: float = 0.0
    thickness: float = SLAB_THICKNESS


def make_slab_ground(pieces: Sequence[Slab]) -> MeshGround:
    """Return a ground of slabs. Feet stand on their tops; the sides are only visible."""
    vertices = []
    triangles = []
    for k, slab in enumerate(pieces):
        x0, x1 = slab.x
        y0, y1 = slab.y
        z = slab.height
        vertices += [
            (x, y, h)
            for h in (z - slab.thickness, z)
            for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        ]
        faces = [(4, 5, 6), (4, 6, 7)]
        for a in range(4):
            b = (a + 1) % 4
            faces += [(a, b, b + 4), (a, b + 4, a + 4)]
        triangles += [tuple(8 * k + i for i in face) for face in faces]
    return MeshGround(vertices, triangles)


def make_stair_slabs(
    start: float, steps: int, tread: float, rise: float, width: float, level: float = 0.0
) -> list[Slab]:
    """Return stairs along x as one slab per tread.

    Args:
        start: x of the first riser [m].
        steps: number of treads.
        tread: depth of a tread [m].
        rise: height of a riser [m]; negative for stairs down.
        width: along y [m].
        level: height of the ground before the stairs [m].
    """
    half = 0.5 * width
    return [
        Slab((start + k * tread, start + (k + 1) * tread), (-half, half), level + (k + 1) * rise)
        for k in range(steps)
    ]


def cut_gaps(ground: Ground, gaps: Sequence[tuple[float, float]]) -> MeshGround:
    """Return a ground without the faces whose centers are in the given intervals of x [m].

    Raises:
        ValueError: the ground is the infinite plane.
    """
    mesh = ground.to_mesh()
    if mesh is None:
        raise ValueError("The infinite plane has no faces to cut out.")
    vertices = mesh.vertices
    triangles = mesh.triangles
    center_x = vertices[triangles, 0].mean(1)  # (t,)
    is_cut = np.zeros(len(triangles), bool)
    for begin, end in gaps:
        is_cut |= (center_x > begin) & (center_x < end)
    return MeshGround(vertices, triangles[~is_cut])
