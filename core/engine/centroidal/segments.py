"""A clip in chapters: each begins where something happened that the sketch before it did not reckon with."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...motion import Footstep
from ...plan.body import Carried
from ...plan.planner import Planner
from ...plan.reference import PlanReference, Wished
from ...plan.result import Piece, Plan
from ...sketch.reference.leg_course import LegCourse
from ...sketch.reference.reference import fitted, plan_reference
from ...sketch.sketch import Sketch, redraw
from ...task import Push, Task
from ..shared.disturbances import yet_to_come
from .body import Figure, Known

Array = NDArray[np.float64]

REACTION = 0.1        # s for which a body goes on as it had planned after it was pushed


@dataclass(frozen=True)
class Chapter:
    """A sketch and what follows from it, valid from `begin` on. Its footsteps are those of the plan, shifted as they were."""

    begin: float
    drawn: Sketch
    reference: PlanReference
    footsteps: list[Footstep]


@dataclass(frozen=True)
class Chapters:
    """Chapters in order."""

    all: tuple[Chapter, ...]

    @property
    def last(self) -> Chapter:
        """The one that knows all steps."""
        return self.all[-1]

    @property
    def earlier(self) -> tuple[tuple[float, tuple[Footstep, ...]], ...]:
        """Footsteps of all but the last, and until when they were the plan."""
        return tuple((after.begin, tuple(c.footsteps)) for c, after in pairwise(self.all))

    def at(self, times: Array) -> Wished:
        """The wished-for course, each moment by its own chapter. (n,) rising."""
        owner = np.searchsorted([c.begin for c in self.all], times, side="right") - 1
        parts = [self.all[k].reference.at(times[owner == k]) for k in np.unique(np.maximum(owner, 0))]
        return Wished(*(np.concatenate([getattr(p, name) for p in parts]) for name in Wished.__dataclass_fields__))

    def led(self, lead: Callable[[PlanReference], PlanReference]) -> Chapters:
        """The same with each reference led elsewhere."""
        return Chapters(tuple(replace(c, reference=lead(c.reference)) for c in self.all))

    def fitted_after(self, plan: Plan, legs: LegCourse) -> Chapters:
        """The same with references raised and lowered for the legs of a body that followed them; none knows of later chapters."""
        ends = [c.begin - REACTION for c in self.all[1:]] + [np.inf]
        return Chapters(tuple(replace(c, reference=fitted(c.reference, c.drawn, tuple(c.footsteps), legs, _while(c, plan, end)))
                              for c, end in zip(self.all, ends, strict=True)))


def _while(chapter: Chapter, plan: Plan, end: float) -> Callable[[Array], Array]:
    """The plan's centre of mass within a chapter, and beyond it the one that was wished for."""
    def place(times: Array) -> Array:
        com = chapter.reference.at(times).com
        within = (times >= chapter.begin) & (times <= end)
        if within.any():
            com[within] = plan.at(times[within]).com
        return com
    return place


@dataclass(frozen=True)
class Happening:
    """A stretch of time in which the body goes on as planned while it is pushed."""

    begin: float
    end: float


def happenings(pushes: tuple[Push, ...], until: float) -> list[Happening]:
    """When pushes surprise the body; those that come before it has reacted to the last are one."""
    out: list[Happening] = []
    for push in sorted(pushes, key=lambda p: p.time):
        begin, end = max(push.time, 0.0), push.time + REACTION
        if end <= 0 or begin >= until:
            continue
        if out and begin <= out[-1].end + 1e-6:
            out[-1] = Happening(out[-1].begin, end)
        else:
            out.append(Happening(begin, end))
    return out


@dataclass
class Storyteller:
    """Plans a clip chapter by chapter.

    Args:
        planner: makes a planner for a chapter that begins with a body under way.
        until: to which the plan reaches, s.
    """

    task: Task
    figure: Figure
    planner: Callable[[Chapter, Carried | None], Planner]
    until: float

    def first(self, drawn: Sketch, reference: PlanReference, progress: Callable[[float], None]) -> tuple[Plan, Chapters]:
        """Plan with footsteps that may be shifted; a new chapter after each happening."""
        chapters = [Chapter(0.0, drawn, reference, [s.footstep for s in drawn.steps])]

        def turn_page(planner: Planner) -> Chapter:
            chapters.append(self._after(chapters[-1], planner))
            return chapters[-1]

        plan = self._tell(chapters[0], turn_page, True, progress)
        return plan, Chapters(tuple(chapters))

    def again(self, chapters: Chapters, progress: Callable[[float], None]) -> Plan:
        """Plan once more what was planned; footsteps stay."""
        rest = iter(chapters.all[1:])
        return self._tell(chapters.all[0], lambda _: next(rest), False, progress)

    def _tell(self, chapter: Chapter, turn_page: Callable[[Planner], Chapter], shiftable: bool,
              progress: Callable[[float], None]) -> Plan:
        pieces: list[Piece] = []
        known: Known = {}
        carried: Carried | None = None
        for event in happenings(self.task.pushes, self.until):
            planner = self.planner(chapter, carried)
            pieces += planner.plan(event.begin, shiftable, exact=True)
            pieces.append(planner.undergo(event.end))
            known |= planner.shapes
            progress(event.end / self.until)
            carried = planner.now
            chapter = turn_page(planner)
        planner = self.planner(chapter, carried)
        begin = chapter.begin
        pieces += planner.plan(self.until, shiftable, lambda share: progress((begin + share * (self.until - begin)) / self.until))
        weight = self.figure.character.mass * self.task.gravity
        return Plan(tuple(pieces), tuple(planner.footsteps), weight, self.figure.limbs, known | planner.shapes)

    def _after(self, chapter: Chapter, planner: Planner) -> Chapter:
        """The chapter that begins where the body now is."""
        now = planner.now
        there = chapter.reference.at(np.array([now.time]))
        steps = tuple(replace(s, footstep=f) for s, f in zip(chapter.drawn.steps, planner.footsteps, strict=True))
        drawn = redraw(replace(chapter.drawn, steps=steps), self.task, self.figure.character, now.time,
                       (now.state.com - there.com[0])[:2], (now.state.velocity - there.velocity[0])[:2],
                       yet_to_come(planner.external, now.state, now.time, self.task.gravity, self.figure.com_height))
        reference = plan_reference(drawn, self.figure.course, self.figure.com_height, self.task.gravity)
        return Chapter(now.time, drawn, reference, [s.footstep for s in drawn.steps])
