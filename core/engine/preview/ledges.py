"""Ledges in the ground ahead."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import axes_of
from ...slip.command import Field
from .goal import Course

Array = NDArray[np.float64]

CELL = 0.01           # m between heights that are looked at
LEAST = 0.3           # m of a rise or a drop that no step takes,
MOST = (1.6, 0.56)    # of a drop that is leapt down, and of a rise that is climbed, at most
SEEN, PASSED = 2.5, 0.1           # m before and behind the body in which they are looked for
WIDE, DEEP = 0.2, 0.4             # m to either side of the path where an edge must be too, and m before and behind it
OBLIQUE = 0.5         # rad that the path may differ from straight across it
BEFORE = np.array([-0.35, -0.2, -0.05])       # m from the edge, where the ground must be level before it,
BEYOND = (np.array([0.15, 0.35, 0.55, 0.75]), np.array([0.03, 0.2, 0.35, 0.5]))        # and beyond a drop and a rise
LEVEL = 0.05          # m that heights there may differ


@dataclass(frozen=True)
class Ledge:
    """Where the ground ahead changes its height at once.

    Args:
        along: m of the path.
        place: (2,) m.
        heading: rad, straight across it.
        rise: m, below 0 of a drop.
        beyond: height of the ground there, m.
    """

    along: float
    place: Array
    heading: float
    rise: float
    beyond: float

    def takes(self) -> bool:
        """Whether the body can get over it."""
        return LEAST < abs(self.rise) < MOST[int(self.rise > 0)]


def first_ledge(course: Course, height: Field) -> Ledge | None:
    """The next one on a course, where there is level ground before it and beyond it."""
    path = course.task.path
    along = course.gone + np.arange(-PASSED, SEEN, CELL)
    places = path.position(along)
    k = _jump(height(places))
    if k is None:
        return None
    heading, place = float(path.heading(along[k])), places[k]
    way, left = axes_of(heading)
    sides = [_edge(height, place + side * WIDE * left, way) for side in (1.0, -1.0)]
    if sides[0] is None or sides[1] is None:
        return None
    turned = float(np.arctan2(sides[0] - sides[1], 2 * WIDE))
    if abs(turned) > OBLIQUE:
        return None
    heading -= turned
    way, left = axes_of(heading)
    before, beyond = (np.array([height(place + at * way + aside * left) for at in ats for aside in (-WIDE, 0.0, WIDE)])
                      for ats in (BEFORE, BEYOND[int(_rises(height, place, way))]))
    if not (np.ptp(before) < LEVEL and np.ptp(beyond) < LEVEL):           # not a number, where there is no ground, is not level
        return None
    found = Ledge(float(along[k]), place, heading, float(beyond.mean() - before.mean()), float(beyond.mean()))
    return found if found.takes() else None


def _jump(heights: Array) -> int | None:
    """Number of the first of heights (n,) a cell apart, at which they jump."""
    jumps = np.flatnonzero(np.abs(heights[2:] - heights[:-2]) > LEAST)
    return int(jumps[0]) + 1 if len(jumps) else None


def _edge(height: Field, place: Array, way: Array) -> float | None:
    """How far ahead of a place an edge is, m."""
    ahead = np.arange(-DEEP, DEEP, CELL)
    k = _jump(height(place + ahead[:, None] * way))
    return None if k is None else float(ahead[k])


def _rises(height: Field, place: Array, way: Array) -> bool:
    return bool(height(place + 2 * CELL * way) > height(place - 2 * CELL * way))
