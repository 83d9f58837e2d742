"""Segments of a clip: each begins after a disturbance that the previous sketch did not foresee, and
may revise footsteps of feet that are in the air.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...fullbody.foot_path import FootPath
from ...fullbody.retarget_swing import retarget_swing
from ...motion import Footstep
from ...plan.planner import Planner
from ...plan.reference import PlanReference, ReferenceSample
from ...plan.result import Plan
from ...sketch.course.push_response import StateChange
from ...sketch.reference.leg_course import LegCourse
from ...sketch.reference.reference import fit_reference_height
from ...sketch.sketch import Sketch
from ...task import Push, Task
from ..shared.disturbances import predict_velocity_gain

Array = NDArray[np.float64]

# Time for which the body continues as planned after the begin of a push [s]
REACTION_TIME = 0.1
# Tolerance within which one disturbance follows another directly [s]. Numerical: rounding
TIME_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Segment:
    """A sketch and its reference, valid from the time `begin` [s].

    `footsteps` are those of the sketch, or those of the plan if the segment has been planned.
    """

    begin: float
    sketch: Sketch
    reference: PlanReference
    footsteps: tuple[Footstep, ...]

    @staticmethod
    def from_sketch(sketch: Sketch, reference: PlanReference, begin: float = 0.0) -> Segment:
        """Return a segment with the footsteps of the sketch."""
        return Segment(begin, sketch, reference, tuple(s.footstep for s in sketch.steps))


@dataclass(frozen=True)
class FootstepRevision:
    """Footsteps that were planned until the time `end` [s], and replaced by others then."""

    end: float
    footsteps: tuple[Footstep, ...]


@dataclass(frozen=True)
class Segments:
    """Segments of a clip in order of time."""

    all: tuple[Segment, ...]

    @property
    def last(self) -> Segment:
        """The segment whose sketch holds all footsteps of the clip."""
        return self.all[-1]

    @property
    def revisions(self) -> tuple[FootstepRevision, ...]:
        """The footsteps of all segments but the last."""
        return tuple(
            FootstepRevision(later.begin, earlier.footsteps)
            for earlier, later in pairwise(self.all)
        )

    def sample_reference(self, times: Array) -> ReferenceSample:
        """Return the reference at increasing times (n,), each from the segment it lies in."""
        segment_index = np.searchsorted([s.begin for s in self.all], times, side="right") - 1
        samples = [
            self.all[k].reference.sample(times[segment_index == k])
            for k in np.unique(np.maximum(segment_index, 0))
        ]
        return ReferenceSample(
            *(
                np.concatenate([getattr(sample, name) for sample in samples])
                for name in ReferenceSample.__dataclass_fields__
            )
        )

    def map_references(self, transform: Callable[[PlanReference], PlanReference]) -> Segments:
        """Return the segments with each reference transformed."""
        return Segments(tuple(replace(s, reference=transform(s.reference)) for s in self.all))

    def refit_references(self, plan: Plan, leg_course: LegCourse) -> Segments:
        """Return the segments with reference heights that suit the legs of a body on the plan.

        The reference of each segment is fitted to the plan only until the next disturbance.
        """
        end_times = [s.begin - REACTION_TIME for s in self.all[1:]] + [np.inf]
        return Segments(
            tuple(
                replace(
                    segment,
                    reference=fit_reference_height(
                        segment.reference,
                        segment.sketch,
                        segment.footsteps,
                        leg_course=leg_course,
                        sample_com=_make_com_sampler(segment, plan, end),
                    ),
                )
                for segment, end in zip(self.all, end_times, strict=True)
            )
        )


def _make_com_sampler(segment: Segment, plan: Plan, end: float) -> Callable[[Array], Array]:
    """Return a function of time: the center of mass of the plan from the begin of the segment to
    the time `end`, and that of the reference outside.
    """

    def sample_com(times: Array) -> Array:
        com = segment.reference.sample(times).com
        within = (times >= segment.begin) & (times <= end)
        if within.any():
            com[within] = plan.sample(times[within]).com
        return com

    return sample_com


@dataclass(frozen=True)
class Disturbance:
    """Span of time [s] in which the body continues as planned although it is pushed."""

    begin: float
    end: float


def find_disturbances(pushes: tuple[Push, ...], until: float) -> tuple[Disturbance, ...]:
    """Return the disturbances by pushes up to the time `until` [s].

    Pushes that begin before the body has reacted to the previous one are one disturbance.
    """
    out: list[Disturbance] = []
    for push in sorted(pushes, key=lambda p: p.time):
        begin = max(push.time, 0.0)
        end = push.time + REACTION_TIME
        if end <= 0 or begin >= until:
            continue
        if out and begin <= out[-1].end + TIME_TOLERANCE:
            out[-1] = Disturbance(out[-1].begin, end)
        else:
            out.append(Disturbance(begin, end))
    return tuple(out)


def build_revised_paths(
    build_paths: Callable[[tuple[Footstep, ...]], Sequence[FootPath]],
    revisions: tuple[FootstepRevision, ...],
    footsteps: tuple[Footstep, ...],
    times: Array,
) -> tuple[FootPath, ...]:
    """Return the path of each foot, which heads for each revision's footsteps until its end.

    Args:
        build_paths: builds the paths of all feet through footsteps.
        revisions: footsteps that were planned before, in order of time.
        footsteps: footsteps after the last revision.
        times: times of the paths [s], shape (n,).
    """
    plans = [*(revision.footsteps for revision in revisions), footsteps]
    paths = tuple(build_paths(plans[0]))
    for revision, later in zip(revisions, plans[1:], strict=True):
        paths = tuple(
            retarget_swing(old, new, times, revision.end)
            for old, new in zip(paths, build_paths(later), strict=True)
        )
    return paths


def predict_change(
    segment: Segment, planner: Planner, task: Task, com_height: float
) -> StateChange:
    """Return how a body deviates from its course, and what the rest of the push will add.

    Args:
        segment: that was planned before the push.
        planner: of the segment, at the time at which the body reacts.
        task: at human scale.
        com_height: height of the center of mass of the standing body [m].
    """
    now = planner.current_state
    reference = segment.reference.sample(np.array([now.time]))
    return StateChange(
        now.time,
        (now.state.com - reference.com[0])[:2],
        (now.state.velocity - reference.velocity[0])[:2],
        predict_velocity_gain(
            planner.external_forces, now.state, now.time, gravity=task.gravity, height=com_height
        ),
    )
