"""Second level of the pipeline: plan a window of a clip, segment by segment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...motion import Footstep
from ...plan.body import CentroidalBody, PlanState
from ...plan.external import ExternalForce
from ...plan.forces import WindowKey
from ...plan.planner import Planner
from ...plan.result import Plan, PlanPiece
from ...plan.weights import PlanLimits, compute_planned_friction
from ...sketch.placement.shift_bounds import (
    compute_shift_bounds,
    compute_uncrossed_bounds,
    shift_footstep,
)
from ...task import Task
from .body import PlannedBody
from .modes.base import LocomotionMode
from .segments import Disturbance, Segment, Segments

Array = NDArray[np.float64]
ShareCallback = Callable[[float], None]
WarmStart = dict[WindowKey, Array]

# Share of the usual step time below which a step after a push is one that catches the body
CATCHING_STEP_TIME_RATIO = 0.98


@dataclass(frozen=True)
class PlanConditions:
    """What the plan of a window depends on, other than mode and task.

    Args:
        body: inertia and limb momentum over time.
        external_forces: pushes; the plan before a push does not know of it.
        initial_state: state of the body at the start; None to start at time 0 on the reference.
        warm_start: force coefficients of an earlier pass.
    """

    body: CentroidalBody
    external_forces: tuple[ExternalForce, ...] = ()
    initial_state: PlanState | None = None
    warm_start: WarmStart = field(default_factory=dict)


@dataclass(frozen=True)
class PlanWindow:
    """Time span of a plan.

    Args:
        end: time up to which to plan at least [s].
        shiftable: whether footsteps may still be shifted.
        disturbances: disturbances within the window, at each of which a new segment begins.
    """

    end: float
    shiftable: bool
    disturbances: tuple[Disturbance, ...] = ()


@dataclass(frozen=True)
class PlannedWindow:
    """Plan of a window.

    Args:
        plan: the plan.
        segments: the segments of the window with the footsteps as planned.
        planner: planner of the last segment; it can continue the plan.
    """

    plan: Plan
    segments: Segments
    planner: Planner


@dataclass(frozen=True)
class SegmentPlanner:
    """Planner of a window of one or more segments."""

    task: Task
    mode: LocomotionMode
    conditions: PlanConditions

    def plan(self, window: PlanWindow, progress: ShareCallback) -> PlannedWindow:
        """Plan the window.

        A segment without a sketch from an earlier pass is sketched from the state of the body
        after the disturbance.
        """
        planned: list[Segment] = []
        pieces: list[PlanPiece] = []
        warm_start: WarmStart = {}
        segment = self.mode.segments.all[0]
        planner = self._make_planner(segment, self.conditions.initial_state)
        for disturbance in window.disturbances:
            pieces += planner.plan(disturbance.begin, window.shiftable, exact=True)
            pieces.append(planner.run_open_loop(disturbance.end))
            warm_start |= planner.next_warm_start
            progress(disturbance.end / window.end)
            planned.append(replace(segment, footsteps=tuple(planner.footsteps)))
            segment = self._find_next_segment(planned, planner)
            planner = self._make_planner(segment, planner.current_state)
        begin = segment.begin
        pieces += planner.plan(
            window.end,
            window.shiftable,
            lambda share: progress((begin + share * (window.end - begin)) / window.end),
        )
        planned.append(replace(segment, footsteps=tuple(planner.footsteps)))
        plan = Plan(
            tuple(pieces),
            tuple(planner.footsteps),
            self.mode.planned_body.character.mass * self.task.gravity,
            limb_count=self.mode.planned_body.limb_count,
            warm_start=warm_start | planner.next_warm_start,
        )
        return PlannedWindow(plan, Segments(tuple(planned)), planner)

    def _find_next_segment(self, planned: list[Segment], planner: Planner) -> Segment:
        """Return the next segment: that of an earlier pass if there is one."""
        segments = self.mode.segments.all
        if len(planned) < len(segments):
            return segments[len(planned)]
        return self.mode.resketch_after_push(planned[-1], planner)

    def _make_planner(self, segment: Segment, initial_state: PlanState | None) -> Planner:
        steps = segment.sketch.steps
        catch_steps = frozenset(k for k, step in enumerate(steps) if step.is_recovery)
        footsteps = list(segment.footsteps)
        placement = _FootstepPlacement(
            self.task, self.mode.planned_body, segment, catch_steps, footsteps
        )
        return Planner(
            self.conditions.body,
            segment.reference,
            footsteps,
            foot_points=self.mode.planned_body.foot_points,
            place_footstep=placement.place,
            weights=self.mode.plan_weights,
            limits=self.mode.limit_plan(
                PlanLimits(friction=compute_planned_friction(self.task.friction))
            ),
            warm_start=self.conditions.warm_start,
            initial_state=initial_state,
            external_forces=self.conditions.external_forces,
            pacing=self.mode.pacing,
            shift_bounds=placement.find_shift_bounds,
            bent_landings=frozenset(
                k for k in catch_steps if steps[k].gait.step_time_ratio < CATCHING_STEP_TIME_RATIO
            ),
            limb_roots=self.mode.limb_roots,
        )


@dataclass(frozen=True)
class _FootstepPlacement:
    """Where the ground allows footsteps of one segment.

    Args:
        catch_steps: indices of footsteps that catch a pushed body. They are not shifted so far
            that the legs would cross.
        footsteps: the footsteps as planned so far; the planner updates the list.
    """

    task: Task
    planned_body: PlannedBody
    segment: Segment
    catch_steps: frozenset[int]
    footsteps: list[Footstep]

    def place(self, k: int, xy: Array) -> Footstep:
        """Return footstep k with its center over the place xy, shape (2,)."""
        step = self.footsteps[k]
        foot = self.planned_body.character.feet[step.leg]
        return shift_footstep(self.task.allowed_ground, foot, step, xy)

    def find_shift_bounds(self, k: int) -> Array | None:
        """Return the range of the shift of footstep k along x and y [m], shape (2, 2)."""
        character = self.planned_body.character
        step = self.footsteps[k]
        max_shift = PlanLimits().max_shift
        bounds = compute_shift_bounds(
            self.task.allowed_ground, character.feet[step.leg], step, max_shift
        )
        if k not in self.catch_steps:
            return bounds
        reference = self.segment.reference
        return compute_uncrossed_bounds(
            step,
            self.footsteps[k - 1],
            character.legs[step.leg].side,
            heading=float(np.interp(step.strike, reference.time, reference.yaw)),
            bounds=bounds,
            max_shift=max_shift,
        )
