"""Ground that somebody built: slabs with gaps between them, boxes and stairs;
and ground with pieces cut out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .ground import Ground
from .mesh import MeshGround

SLAB_THICKNESS = 0.3  # m that the sides of a slab reach down


@dataclass(frozen=True)
class Slab:
    """A level rectangle, its sides along x and y, which reach down from it
    by its thickness. Metres.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    height: float = 0.0
    thickness: float = SLAB_THICKNESS


def make_slab_ground(pieces: Sequence[Slab]) -> MeshGround:
    """Ground made of slabs: their tops carry, their sides are there to be seen."""
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
    """Treads that climb along x from `start` and `level` on by `rise` each;
    a negative rise climbs down.
    """
    half = 0.5 * width
    return [
        Slab((start + k * tread, start + (k + 1) * tread), (-half, half), level + (k + 1) * rise)
        for k in range(steps)
    ]


def cut_gaps(ground: Ground, gaps: Sequence[tuple[float, float]]) -> MeshGround:
    """A ground without the faces whose middles lie within stretches of x."""
    mesh = ground.to_mesh()
    if mesh is None:
        raise ValueError("The endless plane has no faces to cut out.")
    vertices, triangles = mesh
    center_x = vertices[triangles, 0].mean(1)  # (t,)
    is_cut = np.zeros(len(triangles), bool)
    for begin, end in gaps:
        is_cut |= (center_x > begin) & (center_x < end)
    return MeshGround(vertices, triangles[~is_cut])
