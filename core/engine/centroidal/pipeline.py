"""The pipeline of the centroidal engine: sketch, centroidal plan and momentum-mapped full body.

Source: Kwon et al. 2020. The paper holds the inertia of the body constant. Here the levels after
the sketch can be passed through several times, and each plan knows the inertia and the momentum of
the limbs from the pass before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...fullbody.objective import PreviousFrame
from ...fullbody.targets import BodyTargets
from ...motion import Motion, Report
from ...plan.body import PlanState
from ...plan.external import ExternalForce
from ...plan.result import Plan
from ...task import Task
from ..base import StageClock
from ..shared.motion_builder import MotionBuilder
from .body import PlannedBody
from .limb_momentum import PriorMotion, estimate_moving_body
from .modes.base import LocomotionMode
from .planning import PlanConditions, PlannedWindow, PlanWindow, SegmentPlanner, WarmStart
from .recording import CentroidalRecorder, SolvedFrames
from .tracking import FOLLOWING_PASS, FullBodyTracker, PoseTrackingParameters

Array = NDArray[np.float64]
ShareCallback = Callable[[float], None]

# Share of the progress of a pass that its plan takes
PLAN_PROGRESS_SHARE = 0.4


@dataclass(frozen=True)
class InitialState:
    """State of the body before a window is solved; by default there is none.

    Args:
        plan_state: state of the plan at the start; None to start at time 0 on the reference.
        prior: motion of the limbs from an earlier pass; None for a rigid body.
        external_forces: pushes on the body.
        warm_start: force coefficients of an earlier pass.
        previous_pose: pose of the frame before the first one, shape (nq,); its targets are those
            of this window.
        previous_frame: frame before the first one, with the targets that it had.
    """

    plan_state: PlanState | None = None
    prior: PriorMotion | None = None
    external_forces: tuple[ExternalForce, ...] = ()
    warm_start: WarmStart = field(default_factory=dict)
    previous_pose: Array | None = None
    previous_frame: PreviousFrame | None = None

    def find_previous_frame(self, targets: BodyTargets, first: int) -> PreviousFrame | None:
        """Return the frame before the frame `first` of the targets, None if there is none."""
        if self.previous_pose is None:
            return self.previous_frame
        return PreviousFrame(
            self.previous_pose, targets.reference[first - 1], targets.momentum[first - 1]
        )


@dataclass(frozen=True)
class FrameWindow:
    """Frames of a pass over the full body.

    Args:
        times: equally spaced times at which targets are computed [s], shape (n,). They extend
            beyond the solved frames so that swings that cross the ends are complete.
        first: index of the first time whose frame is solved.
        end: one more than the index of the last one.
    """

    times: Array
    first: int
    end: int

    @staticmethod
    def from_start(count: int, fps: float, lookahead: float = 0.0) -> FrameWindow:
        """Return the first `count` frames of a clip. Lookahead of the targets in [s]."""
        return FrameWindow(np.arange(count + int(lookahead * fps)) / fps, 0, count)


@dataclass(frozen=True)
class SolveWindow:
    """What a pass plans, and which frames it solves."""

    plan: PlanWindow
    frames: FrameWindow


@dataclass(frozen=True)
class TrackedFrames:
    """Full body of a window.

    Args:
        all_targets: targets at all times of the window.
        targets: targets of the solved frames, n of them, with limbs moved apart.
        poses: solved poses, shape (n, nq).
    """

    all_targets: BodyTargets
    targets: BodyTargets
    poses: Array


@dataclass(frozen=True)
class SolvedWindow:
    """Result of a pass.

    Args:
        plan: plan of the window.
        mode: mode of locomotion with the segments as planned.
        frames: full body that follows the plan.
    """

    plan: Plan
    mode: LocomotionMode
    frames: TrackedFrames


@dataclass(frozen=True)
class Pipeline:
    """Second and third level for one task at human scale: plan and full body.

    The first level is the sketch of the mode.

    Args:
        task: task at human scale.
        mode: mode of locomotion.
        clock: computing time by stage.
        tracking: how the full body is solved.
    """

    task: Task
    mode: LocomotionMode
    clock: StageClock
    tracking: PoseTrackingParameters = FOLLOWING_PASS

    @property
    def planned_body(self) -> PlannedBody:
        """The body."""
        return self.mode.planned_body

    def solve(
        self, window: SolveWindow, initial_state: InitialState, progress: ShareCallback
    ) -> SolvedWindow:
        """Plan a window and solve the full body that follows the plan."""
        planned = self.plan(
            window.plan, initial_state, lambda share: progress(PLAN_PROGRESS_SHARE * share)
        )
        pipeline = replace(self, mode=self.mode.with_segments(planned.segments))
        frames = pipeline.track(
            planned.plan,
            window.frames,
            initial_state,
            lambda share: progress(PLAN_PROGRESS_SHARE + (1 - PLAN_PROGRESS_SHARE) * share),
        )
        return SolvedWindow(planned.plan, pipeline.mode, frames)

    def plan(
        self,
        window: PlanWindow,
        initial_state: InitialState,
        progress: ShareCallback = lambda share: None,
    ) -> PlannedWindow:
        """Plan a window, for a rigid body unless there is a prior motion."""
        gravity = self.task.gravity
        prior = initial_state.prior
        with self.clock.stage("plan"):
            body = (
                self.mode.make_rigid_body(gravity)
                if prior is None
                else estimate_moving_body(self.planned_body.model, gravity, prior)
            )
            conditions = PlanConditions(
                body,
                initial_state.external_forces,
                initial_state.plan_state,
                initial_state.warm_start,
            )
            return SegmentPlanner(self.task, self.mode, conditions).plan(window, progress)

    def track(
        self,
        plan: Plan,
        window: FrameWindow,
        initial_state: InitialState,
        progress: ShareCallback = lambda share: None,
    ) -> TrackedFrames:
        """Solve the full body that follows a plan."""
        prior = initial_state.prior
        with self.clock.stage("fullbody"):
            rotation = (
                self.mode.segments.sample_reference(window.times).rotation
                if self.tracking.is_upright
                else None
            )
            all_targets = self.mode.compute_targets(plan, window.times, rotation)
            targets = all_targets.slice_frames(window.first, window.end)
            tracked = FullBodyTracker(self.mode, self.tracking, 1 / self.task.fps).solve(
                targets,
                None if prior is None else prior.compute_offsets(targets),
                progress,
                initial_state.find_previous_frame(all_targets, window.first),
            )
        return TrackedFrames(all_targets, tracked.targets, tracked.poses)

    def record(
        self,
        plan: Plan,
        frames: TrackedFrames,
        external_forces: tuple[ExternalForce, ...],
        report: Report,
    ) -> Motion:
        """Return the solved frames as a motion."""
        recorder = CentroidalRecorder(
            MotionBuilder(self.task, self.planned_body.model),
            self.mode.segments.last.sketch,
            external_forces,
        )
        poses = self.mode.finish_poses(frames.poses, frames.targets)
        return recorder.record(SolvedFrames(plan, frames.targets, poses), report)
