"""Ledges across the way that no step takes: the body comes up to them and leaps down or climbs."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...slip.wish import StepWish
from ...task import Path
from .climb import Climb
from .course import Course
from .leap_down import LeapDown
from .loop import PreviewLoop
from .maneuver import Maneuver

Array = NDArray[np.float64]

CELL = 0.01           # m of path between heights that are looked at
HIGH = (0.3, 1.6)     # m of a rise or a drop that is no step, and of what is not tried
SEEN = 2.5            # m before one, from where steps lead up to it
TOES = (0.04, 0.20)   # m that toes stay from the edge of a drop and of a rise
HIGHEST = 0.65        # m of a rise
NEAR = 0.14           # m that the foot from which the body leaps may be farther from it
LEAST = 0.3           # m of a step
LONGER = 1.1          # than steps of themselves are, that those may be which lead up to one
FASTEST = 1.2         # m/s at which a body comes up to one


@dataclass(frozen=True)
class Ledge:
    """Where the ground ahead changes its height at once.

    Args:
        along: m of the path.
        place: (2,) m.
        heading: rad, of the path there.
        rise: m, below 0 of a drop.
        after: height of the ground beyond it, m.
    """

    along: float
    place: Array
    heading: float
    rise: float
    after: float


def ledges_of(path: Path, height: Callable[[Array], Array]) -> tuple[Ledge, ...]:
    """All along a path."""
    along = np.arange(0.0, path.length, CELL)
    heights = height(path.position(along))
    rises = heights[2:] - heights[:-2]
    found: list[Ledge] = []
    for k in np.flatnonzero((np.abs(rises) > HIGH[0]) & np.isfinite(rises)):
        if not found or along[k + 1] - found[-1].along > 4 * CELL:
            at = float(along[k + 1])
            found.append(Ledge(at, path.position(at), float(path.heading(at)), float(rises[k]), float(heights[k + 2])))
    return tuple(found)


class Ledges:
    """Turns wishes into those of a body that comes up to a ledge, and begins what it does there.

    Args:
        course: the way.
        loop: the body.
    """

    def __init__(self, course: Course, loop: PreviewLoop) -> None:
        self._course, self._loop = course, loop
        self._path = course.task.path
        self._found = self._look()

    def _look(self) -> tuple[Ledge, ...]:
        height = self._course.height
        return () if height is None else ledges_of(self._path, height)

    def of(self, wish: StepWish, time: float) -> StepWish:
        """The wish for one instant, s of the clip."""
        course, loop = self._course, self._loop
        if course.task.path is not self._path:
            self._path = course.task.path
            self._found = self._look()
        ahead = [ledge for ledge in self._found if -0.1 < ledge.along - course.gone < SEEN]
        if not ahead or loop.maneuver is not None or wish.gait == "stand":
            return wish
        ledge = ahead[0]
        if not HIGH[0] < abs(ledge.rise) < (HIGHEST if ledge.rise > 0 else HIGH[1]):
            return wish
        stepping, foot = loop.stepping, loop.reading.feet.place[loop.stepping.stance]
        way = np.array([np.cos(ledge.heading), np.sin(ledge.heading)])
        edge = ledge.place - (TOES[ledge.rise > 0] + loop.slip.extent[0]) * way
        left = float((edge - foot[:2]) @ way)
        if -NEAR < left < NEAR and stepping.support == "single":
            loop.maneuver = self._maneuver(ledge)
            return wish
        return self._up_to(wish, edge, left, way, time)

    def _maneuver(self, ledge: Ledge) -> Maneuver:
        loop, stance = self._loop, self._loop.stepping.stance
        if ledge.rise < 0:
            return LeapDown(loop.body, stance, ledge.place, ledge.after, ledge.heading, loop.slip.gravity)
        return Climb(loop.body, loop.slip, stance, ledge.place, ledge.after, ledge.heading)

    def _up_to(self, wish: StepWish, edge: Array, left: float, way: Array, time: float) -> StepWish:
        """Steps that lead up to where the last foot is to stand."""
        length, seconds = self._course.step_at(min(float(self._course.task.speed.at(max(time, 0.0))), FASTEST), max(time, 0.0))
        count = max(int(np.ceil(left / max(LONGER * length, LEAST))), 1)
        last, footing = count == 1, self._course.footing

        def before(places: Array, headings: Array) -> Array:
            over = (places - edge) @ way
            if last:
                return np.abs(over)
            return np.maximum(over, 0.0 if footing is None else footing(places, headings))

        return replace(wish, length=max(left / count, LEAST), seconds=seconds, footing=before, rolls=False)
