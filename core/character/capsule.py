"""Capsules that stand for a body's solids, and how near to each other they are."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .character import Character

Array = NDArray[np.float64]

PARALLEL = 1e-9       # m^4 below which two segments count as parallel


@dataclass(frozen=True)
class Capsule:
    """All places no farther than `radius` from a segment, in a link's frame, metres."""

    link: int
    start: Array          # (3,)
    end: Array            # (3,)
    radius: float

    def at(self, origin: Array, rotation: Array) -> tuple[Array, Array]:
        """Ends of the segment in the world, each (n, 3), of a link with its joint at (n, 3), turned by (n, 3, 3)."""
        return origin + rotation @ self.start, origin + rotation @ self.end


def capsules(character: Character) -> tuple[Capsule, ...]:
    """One for each shape of each link, in their order; as thick as the shape is on the mean."""
    out = []
    for k, link in enumerate(character.links):
        for shape in link.shapes:
            start, end = np.asarray(shape.start, float), np.asarray(shape.end, float)
            length = float(np.linalg.norm(end - start))
            inset = (end - start) / length * min(shape.radii[0], 0.49 * length) if shape.kind != "box" else np.zeros(3)
            out.append(Capsule(k, start + inset, end - inset, float(np.mean(shape.radii))))
    return tuple(out)


def nearest(one: tuple[Array, Array], other: tuple[Array, Array]) -> tuple[Array, Array]:
    """The points of two segments that are nearest to each other. Ends (n, 3) -> points (n, 3) on each."""
    (p, q), (r, s) = one, other
    u, v, w = q - p, s - r, p - r
    a, b, e = (u * u).sum(-1), (u * v).sum(-1), (v * v).sum(-1)
    c, f = (u * w).sum(-1), (v * w).sum(-1)
    across = a * e - b * b
    along = np.clip(np.where(across > PARALLEL, (b * f - c * e) / np.maximum(across, PARALLEL), 0.0), 0, 1)
    free = (b * along + f) / np.maximum(e, PARALLEL)
    beside = np.clip(free, 0, 1)
    # where the other segment ends, the first one's point follows from that end
    along = np.where(free == beside, along, np.clip((beside * b - c) / np.maximum(a, PARALLEL), 0, 1))
    return p + along[..., None] * u, r + beside[..., None] * v
