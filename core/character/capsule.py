"""Capsules that approximate the solids of a body, and the nearest points of two segments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .character import Character

Array = NDArray[np.float64]

# Squared area below which two segments count as parallel, and floor of squared lengths [m^4, m^2]
PARALLEL_TOLERANCE = 1e-9


@dataclass(frozen=True)
class LineSegment:
    """Line segments in n frames.

    Args:
        start: (n, 3) first end of each segment [m].
        end: (n, 3) other end [m].
    """

    start: Array
    end: Array


@dataclass(frozen=True)
class NearestPoints:
    """The points of two segments that are nearest to each other, in n frames.

    Args:
        on_first: (n, 3) point on the first segment [m].
        on_second: (n, 3) point on the second segment [m].
    """

    on_first: Array
    on_second: Array

    @property
    def distance(self) -> Array:
        """Distance between the two points (n,) [m]."""
        return np.asarray(np.linalg.norm(self.on_first - self.on_second, axis=1))


@dataclass(frozen=True)
class Capsule:
    """All points no farther than `radius` from a segment, in the frame of a link.

    Args:
        link: index of the link.
        start: (3,) first end of the segment [m].
        end: (3,) other end [m].
        radius: [m].
    """

    link: int
    start: Array
    end: Array
    radius: float

    def segment_at(self, origin: Array, rotation: Array) -> LineSegment:
        """Return the segment in the world for n poses of the link.

        Args:
            origin: (n, 3) position of the link's joint [m].
            rotation: (n, 3, 3) link to world.
        """
        return LineSegment(origin + rotation @ self.start, origin + rotation @ self.end)


def make_capsules(character: Character) -> tuple[Capsule, ...]:
    """Return one capsule for each shape of each link, in order.

    The radius is the mean of the shape's two half extents.
    """
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


def find_nearest_points(first: LineSegment, second: LineSegment) -> NearestPoints:
    """Return the nearest points of two segments.

    Minimize the squared distance over the two shares along the segments, each clipped to [0, 1].
    """
    p = first.start
    r = second.start
    u = first.end - p
    v = second.end - r
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
    second_share = np.clip(unclamped_share, 0, 1)
    # where the share on the second segment was clipped, project its end onto the first segment
    first_share = np.where(
        unclamped_share == second_share,
        first_share,
        np.clip((second_share * b - c) / np.maximum(a, PARALLEL_TOLERANCE), 0, 1),
    )
    return NearestPoints(p + first_share[..., None] * u, r + second_share[..., None] * v)
