"""Capsules that stand for a body's solids, and how near to each other they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .character import Character

Array = NDArray[np.float64]

PARALLEL_TOLERANCE = 1e-9  # m^4 below which two segments count as parallel


@dataclass(frozen=True)
class Capsule:
    """All places no farther than `radius` from a segment, in a link's frame, metres."""

    link: int
    start: Array  # (3,)
    end: Array  # (3,)
    radius: float

    def ends_at(self, origin: Array, rotation: Array) -> tuple[Array, Array]:
        """Ends of the segment in the world, each (n, 3), of a link with its joint at
        (n, 3), turned by (n, 3, 3).
        """
        return origin + rotation @ self.start, origin + rotation @ self.end


def make_capsules(character: Character) -> tuple[Capsule, ...]:
    """One for each shape of each link, in their order; as thick as the shape is on the mean."""
    out = []
    for k, link in enumerate(character.links):
        for shape in link.shapes:
            start = np.asarray(shape.start, float)
            end = np.asarray(shape.end, float)
            length = float(np.linalg.norm(end - start))
            cap_offset = (
                (end - start) / length * min(shape.radii[0], 0.49 * length)
                if shape.kind != "box"
                else np.zeros(3)
            )
            out.append(
                Capsule(k, start + cap_offset, end - cap_offset, float(np.mean(shape.radii)))
            )
    return tuple(out)


def find_nearest_points(
    one: tuple[Array, Array], other: tuple[Array, Array]
) -> tuple[Array, Array]:
    """The points of two segments that are nearest to each other.
    Ends (n, 3) -> points (n, 3) on each.
    """
    p, q = one
    r, s = other
    u = q - p
    v = s - r
    w = p - r
    a = (u * u).sum(-1)
    b = (u * v).sum(-1)
    e = (v * v).sum(-1)
    c = (u * w).sum(-1)
    f = (v * w).sum(-1)
    determinant = a * e - b * b
    first_share = np.clip(
        np.where(
            determinant > PARALLEL_TOLERANCE,
            (b * f - c * e) / np.maximum(determinant, PARALLEL_TOLERANCE),
            0.0,
        ),
        0,
        1,
    )
    unclamped_share = (b * first_share + f) / np.maximum(e, PARALLEL_TOLERANCE)
    other_share = np.clip(unclamped_share, 0, 1)
    # where the other segment ends, the first one's point follows from that end
    first_share = np.where(
        unclamped_share == other_share,
        first_share,
        np.clip((other_share * b - c) / np.maximum(a, PARALLEL_TOLERANCE), 0, 1),
    )
    return p + first_share[..., None] * u, r + other_share[..., None] * v
