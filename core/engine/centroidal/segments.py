"""A clip in chapters: each begins where something happened that the sketch before
it did not reckon with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...motion import Footstep
from ...plan.body import PlanState
from ...plan.planner import Planner
from ...plan.reference import PlanReference, ReferenceSample
from ...plan.result import Plan, PlanPiece
from ...sketch.reference.leg_course import LegCourse
from ...sketch.reference.reference import fit_reference_height, plan_reference
from ...sketch.sketch import Sketch, resketch_after_push
from ...task import Push, Task
from ..shared.disturbances import predict_velocity_gain
from .body import PlannedBody, WarmStart

Array = NDArray[np.float64]

REACTION_TIME = 0.1  # s for which a body goes on as it had planned after it was pushed


@dataclass(frozen=True)
class Segment:
    """A sketch and what follows from it, valid from `begin` on. Its footsteps are those of the
    plan, shifted as they were.
    """

    begin: float
    sketch: Sketch
    reference: PlanReference
    footsteps: list[Footstep]


@dataclass(frozen=True)
class Segments:
    """Chapters in order."""

    all: tuple[Segment, ...]

    @property
    def last(self) -> Segment:
        """The one that knows all steps."""
        return self.all[-1]

    @property
    def replaced_footsteps(self) -> tuple[tuple[float, tuple[Footstep, ...]], ...]:
        """Footsteps of all but the last, and until when they were the plan."""
        return tuple((after.begin, tuple(c.footsteps)) for c, after in pairwise(self.all))

    def sample_reference(self, times: Array) -> ReferenceSample:
        """The wished-for course, each moment by its own chapter. (n,) rising."""
        segment_index = np.searchsorted([c.begin for c in self.all], times, side="right") - 1
        samples = [
            self.all[k].reference.sample(times[segment_index == k])
            for k in np.unique(np.maximum(segment_index, 0))
        ]
        return ReferenceSample(
            *(
                np.concatenate([getattr(p, name) for p in samples])
                for name in ReferenceSample.__dataclass_fields__
            )
        )

    def map_references(self, transform: Callable[[PlanReference], PlanReference]) -> Segments:
        """The same with each reference led elsewhere."""
        return Segments(tuple(replace(c, reference=transform(c.reference)) for c in self.all))

    def refit_references(self, plan: Plan, leg_course: LegCourse) -> Segments:
        """The same with references raised and lowered for the legs of a body that followed them;
        none knows of later chapters.
        """
        end_times = [c.begin - REACTION_TIME for c in self.all[1:]] + [np.inf]
        return Segments(
            tuple(
                replace(
                    c,
                    reference=fit_reference_height(
                        c.reference,
                        c.sketch,
                        tuple(c.footsteps),
                        leg_course=leg_course,
                        sample_com=_make_com_source(c, plan, end),
                    ),
                )
                for c, end in zip(self.all, end_times, strict=True)
            )
        )


def _make_com_source(segment: Segment, plan: Plan, end: float) -> Callable[[Array], Array]:
    """The plan's centre of mass within a chapter, and beyond it the one that was wished for."""

    def sample_com(times: Array) -> Array:
        com = segment.reference.sample(times).com
        within = (times >= segment.begin) & (times <= end)
        if within.any():
            com[within] = plan.sample(times[within]).com
        return com

    return sample_com


@dataclass(frozen=True)
class Disturbance:
    """A stretch of time in which the body goes on as planned while it is pushed."""

    begin: float
    end: float


def find_disturbances(pushes: tuple[Push, ...], until: float) -> list[Disturbance]:
    """When pushes surprise the body; those that come before it has reacted to the last are one."""
    out: list[Disturbance] = []
    for push in sorted(pushes, key=lambda p: p.time):
        begin = max(push.time, 0.0)
        end = push.time + REACTION_TIME
        if end <= 0 or begin >= until:
            continue
        if out and begin <= out[-1].end + 1e-6:
            out[-1] = Disturbance(out[-1].begin, end)
        else:
            out.append(Disturbance(begin, end))
    return out


@dataclass
class SegmentPlanner:
    """Plans a clip chapter by chapter.

    Args:
        make_planner: makes a planner for a chapter that begins with a body under way.
        until: to which the plan reaches, s.
    """

    task: Task
    planned_body: PlannedBody
    make_planner: Callable[[Segment, PlanState | None], Planner]
    until: float

    def plan_first_pass(
        self, sketch: Sketch, reference: PlanReference, progress: Callable[[float], None]
    ) -> tuple[Plan, Segments]:
        """Plan with footsteps that may be shifted; a new chapter after each happening."""
        segments = [Segment(0.0, sketch, reference, [s.footstep for s in sketch.steps])]

        def next_segment(planner: Planner) -> Segment:
            segments.append(self._make_next_segment(segments[-1], planner))
            return segments[-1]

        plan = self._plan_segments(segments[0], next_segment, True, progress)
        return plan, Segments(tuple(segments))

    def replan(self, segments: Segments, progress: Callable[[float], None]) -> Plan:
        """Plan once more what was planned; footsteps stay."""
        remaining = iter(segments.all[1:])
        return self._plan_segments(segments.all[0], lambda _: next(remaining), False, progress)

    def _plan_segments(
        self,
        segment: Segment,
        next_segment: Callable[[Planner], Segment],
        shiftable: bool,
        progress: Callable[[float], None],
    ) -> Plan:
        pieces: list[PlanPiece] = []
        warm_start: WarmStart = {}
        initial_state: PlanState | None = None
        for disturbance in find_disturbances(self.task.pushes, self.until):
            planner = self.make_planner(segment, initial_state)
            pieces += planner.plan(disturbance.begin, shiftable, exact=True)
            pieces.append(planner.run_open_loop(disturbance.end))
            warm_start |= planner.next_warm_start
            progress(disturbance.end / self.until)
            initial_state = planner.current_state
            segment = next_segment(planner)
        planner = self.make_planner(segment, initial_state)
        begin = segment.begin
        pieces += planner.plan(
            self.until,
            shiftable,
            lambda share: progress((begin + share * (self.until - begin)) / self.until),
        )
        weight = self.planned_body.character.mass * self.task.gravity
        return Plan(
            tuple(pieces),
            tuple(planner.footsteps),
            weight,
            limb_count=self.planned_body.limb_count,
            warm_start=warm_start | planner.next_warm_start,
        )

    def _make_next_segment(self, segment: Segment, planner: Planner) -> Segment:
        """The chapter that begins where the body now is."""
        now = planner.current_state
        reference_sample = segment.reference.sample(np.array([now.time]))
        steps = tuple(
            replace(s, footstep=f)
            for s, f in zip(segment.sketch.steps, planner.footsteps, strict=True)
        )
        sketch = resketch_after_push(
            replace(segment.sketch, steps=steps),
            self.task,
            self.planned_body.character,
            time=now.time,
            position_change=(now.state.com - reference_sample.com[0])[:2],
            velocity_change=(now.state.velocity - reference_sample.velocity[0])[:2],
            later_velocity_gain=predict_velocity_gain(
                planner.external_forces,
                now.state,
                now.time,
                gravity=self.task.gravity,
                height=self.planned_body.com_height,
            ),
        )
        reference = plan_reference(
            sketch, self.planned_body.leg_course, self.planned_body.com_height, self.task.gravity
        )
        return Segment(now.time, sketch, reference, [s.footstep for s in sketch.steps])
