"""Ledges across the way that no step takes: the body comes up to them, and leaps down or climbs."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import axes_of, near
from ...slip.command import StepWish
from .goal import BEGINS, FASTER, FIRST, Course
from .ledges import (
    OBLIQUE,
    PASSED,
    Ledge,
    first_ledge,
)
from .loop import PreviewLoop
from .maneuvers.climb import Climb
from .maneuvers.jump_down import LeapDown

Array = NDArray[np.float64]
AGAIN = 0.2           # m after which they are looked for again
TOES = (0.04, 0.20)   # m that toes stay from the edge of a drop, and from a rise
NEAR = 0.14           # m that the last foot may be off its place
INWARD = (0.01, 0.12)             # m that the body may fall away from the foot it stands on, to the free one's side, to climb
SHORTEST, LONGER = 0.3, 1.1       # m of a step that leads up to one, and how much longer than of themselves steps may be there
FASTEST = 1.2         # m/s at which the body comes up to one


class Ledges:
    """Turns wishes into those of a body that comes up to a ledge, and begins what it does there.

    Args:
        course: the way.
        loop: the body.
    """

    def __init__(self, course: Course, loop: PreviewLoop) -> None:
        self._course, self._loop = course, loop
        self._looked: tuple[object, float] = (None, -np.inf)          # along which path, and where on it, was looked last
        self._ledge: Ledge | None = None

    def of(self, wish: StepWish, time: float) -> StepWish:
        """The wish for one instant, s of the clip."""
        course, loop = self._course, self._loop
        if course.height is None or loop.maneuver is not None or wish.gait == "stand" or course.task.turned.values.any():
            return wish
        path, gone = self._looked
        if course.task.path is not path or abs(course.gone - gone) > AGAIN:
            self._ledge, self._looked = first_ledge(course, course.height), (course.task.path, course.gone)
        ledge = self._ledge
        if ledge is None or ledge.along - course.gone < -PASSED:
            return wish
        way, _ = axes_of(ledge.heading)
        stepping, foot = loop.stepping, loop.reading.feet.place[loop.stepping.stance]
        last = ledge.place - (TOES[int(ledge.rise > 0)] + loop.slip.extent[0]) * way
        missing = float((last - foot[:2]) @ way)
        if missing < -NEAR:                                   # the body is past it
            return wish
        if missing < NEAR and self._is_ready(ledge):
            does = Climb if ledge.rise > 0 else LeapDown
            loop.maneuver = does(loop.body, stepping.stance, ledge.place, ledge.heading, ledge.beyond, loop.slip.gravity)
            return wish
        length, seconds = self._step(max(time, 0.0))
        if missing < NEAR and ledge.rise < 0:            # off it with a step as on level ground
            return replace(wish, gait="walk", length=length, seconds=seconds, rolls=False, footing=None, height=None)
        # steps of one length lead a foot to its last place before the ledge
        count = max(int(np.ceil(missing / max(LONGER * length, SHORTEST))), 1)
        return replace(wish, gait="walk", length=max(missing / count, SHORTEST), seconds=seconds, rolls=False,
                       footing=_before(last, way, count == 1, self._course.footing))

    def _is_ready(self, ledge: Ledge) -> bool:
        """Whether the body stands on one foot, across the edge; before a rise also that it can be on both feet next."""
        loop, foot = self._loop, self._loop.stepping.stance
        if loop.stepping.support != "single" or abs(near(loop.heading - ledge.heading)) > OBLIQUE:
            return False
        now, (_, left) = loop.reading, axes_of(ledge.heading)
        caught = now.com + now.com_velocity / np.sqrt(loop.slip.gravity / loop.body.com_height)
        inward = float((now.feet.place[foot] - caught)[:2] @ left) * (1.0 - 2.0 * foot)
        return ledge.rise < 0 or INWARD[0] < inward < INWARD[1]

    def _step(self, time: float) -> tuple[float, float]:
        """Length and duration of a step at a speed that the body can have, m and s."""
        now, stepping = float(np.linalg.norm(self._loop.reading.com_velocity[:2])), self._loop.stepping
        speed = min(float(self._course.task.speed.at(time)), FASTEST, max(BEGINS, now + FASTER))
        length, seconds = self._course.step_at(speed, time)
        return FIRST * length if stepping.sets_off else length, seconds


def _before(last: Array, way: Array, at_once: bool,
            footing: Callable[[Array, Array], Array] | None) -> Callable[[Array, Array], Array]:
    """How far feet are from standing well before a ledge: at their last place, or anywhere before it. As `StepWish` has it."""
    def off(places: Array, headings: Array) -> Array:
        over = (places - last) @ way
        if at_once:
            return np.abs(over)
        return np.maximum(over, 0.0 if footing is None else footing(places, headings))

    return off
