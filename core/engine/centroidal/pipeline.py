"""The default engine: sketch, centroidal plan, momentum-mapped full body,
the last two in two passes.

Source: Kwon et al. 2020, with the two passes of our own: the first pass shows what momentum the
limbs have and how the inertia changes, which the paper holds constant; the second plans with both
and follows the plan closely.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...character.humanoid import is_humanoid
from ...clip.pose.key_pose import KeyPosePassage
from ...errors import TaskError
from ...fullbody.targets import BodyTargets
from ...plan.body import CentroidalBody, PlanState
from ...plan.external import ExternalForce
from ...plan.planner import Planner
from ...plan.result import Plan
from ...sketch.reference.reference import plan_reference
from ...sketch.sketch import Sketch, sketch_walk
from ...task import Task
from ..base import StageClock
from ..shared.disturbances import compute_external_forces
from .body import PlannedBody, WarmStart
from .end_poses import EndPoses
from .key_poses import build_key_pose_passages
from .limb_momentum import BodyRotation, PassResult, estimate_moving_body
from .modes.base import LocomotionMode
from .modes.hanging.hanging import Hanging
from .modes.hanging.overhead import sketch_bars
from .modes.hanging_targets import compute_hang_targets
from .modes.jumping import Jumping, sketch_jumps
from .modes.jumping_targets import compute_jump_targets
from .modes.striding import Striding, sketch_strides
from .modes.striding_targets import compute_stride_targets
from .modes.walking import compute_walk_targets
from .segments import Segment, SegmentPlanner, Segments
from .tracking import FullBodyTracker

Array = NDArray[np.float64]

RUN_UP_TIME = 1.5  # s before the clip, over which the plan settles
# s that the feet's ways are drawn past the clip's end, for swings that have begun
SWING_LOOKAHEAD_TIME = 0.7
PLAN_TAIL_TIME = 1.2  # s planned past the clip's end, so that the end knows what comes
POSE_TAIL_TIME = 0.4  # s past the clip's end to which poses are known between them
# share of its usual time, below which a step that follows a push is one that catches the body
CATCHING_STEP_TIME_RATIO = 0.98
FIRST_PASS_FPS = 30  # frames/s of the first pass's body at most: what is taken from it is smoothed


@dataclass
class Pipeline:
    """One task at human scale on its way through the levels."""

    task: Task
    planned_body: PlannedBody
    clock: StageClock
    segments: Segments = field(init=False)
    external_forces: tuple[ExternalForce, ...] = ()
    mode: LocomotionMode | None = None  # a sketch that is not of people's steps

    def __post_init__(self) -> None:
        self.end_poses = EndPoses.from_task(self.task, self.planned_body.model)
        self.task = self.end_poses.with_start_feet(self.task)

    @cached_property
    def passages(self) -> list[KeyPosePassage]:
        """Poses that are struck on the way."""
        return build_key_pose_passages(self.planned_body.model, self.task.key_poses)

    def make_sketch(self) -> Sketch:
        """Level 1."""
        planned_body = self.planned_body
        if not is_humanoid(planned_body.character):
            self.mode = sketch_strides(
                self.task,
                planned_body.model,
                planned_body.style,
                com_height=planned_body.com_height,
                gyration=planned_body.gyration,
            )
            return self.mode.sketch
        if self.task.gait is not None:
            raise TaskError(
                f"{planned_body.character.name} goes as its style has it; choose a style, such as "
                '"walk" or "run", and leave out the gait.'
            )
        if self.task.jumps:
            self.mode = sketch_jumps(self.task, planned_body.model, planned_body.style)
            return self.mode.sketch
        if self.task.monkey_bars is not None:
            self.mode = sketch_bars(
                self.task, self.task.monkey_bars, planned_body.model, planned_body.style
            )
            return self.mode.sketch
        nominal_sketch = sketch_walk(
            self.task,
            planned_body.character,
            planned_body.style,
            com_height=planned_body.com_height,
            gyration=planned_body.gyration,
        )
        if self.end_poses.last is None:
            return nominal_sketch
        self.task = self.end_poses.with_end_feet(self.task, nominal_sketch)
        return sketch_walk(
            self.task,
            planned_body.character,
            planned_body.style,
            com_height=planned_body.com_height,
            gyration=planned_body.gyration,
        )

    def run_first_pass(
        self, nominal_sketch: Sketch, progress: Callable[[float], None]
    ) -> tuple[Plan, PassResult]:
        """A plan for a rigid body, and poses that only lean on its
        momentum; past the clip's end.
        """
        planned_body = self.planned_body
        model = self.planned_body.model
        rigid_body = planned_body.make_rigid_body(self.task.gravity)
        if self.mode is not None:
            reference = self.mode.reference
            rigid_body = self.mode.rigid_body(rigid_body)
        else:
            reference = plan_reference(
                nominal_sketch, planned_body.leg_course, planned_body.com_height, self.task.gravity
            )
            reference = self.end_poses.blend_reference(reference, self.task.seconds)
        external_forces = compute_external_forces(
            self.task, model, lambda t: reference.sample(t).rotation
        )
        with self.clock.stage("plan"):
            segment_planner = self._make_segment_planner(rigid_body, external_forces, {})
            plan, self.segments = segment_planner.plan_first_pass(
                nominal_sketch, reference, lambda share: progress(0.5 * share)
            )
        with self.clock.stage("fullbody"):
            fps = self.task.fps / np.ceil(self.task.fps / FIRST_PASS_FPS)
            times = np.arange(int((self.task.frames / self.task.fps + PLAN_TAIL_TIME) * fps)) / fps
            targets = self._compute_targets(plan, times, upright=True)
            poses = (
                self._make_tracker()
                .solve_first_pass(targets, lambda share: progress(0.5 + 0.5 * share))
                .poses
            )
        return plan, PassResult(times, poses, model.difference(targets.reference, poses))

    def run_second_pass(
        self, first_plan: Plan, previous: PassResult, progress: Callable[[float], None]
    ) -> tuple[Plan, BodyTargets, Array]:
        """The plan again with the inertia and the limbs' momentum that the first pass had,
        and poses that follow it.

        A body that hangs has nothing under it to lean on: what its limbs do and how it
        turns are found by turns.
        """
        times = previous.times
        plan = first_plan
        frame = BodyRotation(
            self.segments.sample_reference(times).rotation,
            self.segments.sample_reference(0.5 * (times[1:] + times[:-1])).spin,
        )
        pass_count = 1 if self.mode is None else self.mode.passes
        for k in range(pass_count):
            is_last = k == pass_count - 1
            plan, targets, poses = self._run_next_pass(
                plan,
                previous,
                frame,
                tail_time=0.0 if is_last else POSE_TAIL_TIME,
                progress=lambda share, k=k: progress((k + share) / pass_count),  # type: ignore[misc]
            )
            previous = PassResult(
                targets.time, poses, self.planned_body.model.difference(targets.reference, poses)
            )
            frame = BodyRotation.from_rotations(targets.time, plan.sample(targets.time).rotation)
        return plan, targets, poses

    def _run_next_pass(
        self,
        previous_plan: Plan,
        previous: PassResult,
        frame: BodyRotation,
        tail_time: float,
        progress: Callable[[float], None],
    ) -> tuple[Plan, BodyTargets, Array]:
        """One more pass, with what the one before has shown;
        poses to `tail_time` s after the clip's end.

        Args:
            frame: in which the known poses were drawn.
        """
        times = previous.times
        previous_poses = previous.poses
        frame_count = self.task.frames + int(tail_time * self.task.fps)
        with self.clock.stage("fullbody"):
            body = estimate_moving_body(self.planned_body.model, self.task.gravity, previous, frame)
            if self.mode is not None:
                self.mode = self.mode.updated(previous_plan, times, previous_poses, frame.rotation)
            else:
                refitted = self.segments.refit_references(
                    previous_plan, self.planned_body.leg_course
                )
                self.segments = refitted.map_references(
                    lambda reference: self.end_poses.blend_reference(reference, self.task.seconds)
                )
        self.external_forces = compute_external_forces(
            self.task,
            self.planned_body.model,
            lambda t: self.segments.sample_reference(t).rotation,
            times=times,
            poses=previous_poses,
        )
        with self.clock.stage("plan"):
            plan = self._make_segment_planner(
                body, self.external_forces, previous_plan.warm_start
            ).replan(self.segments, lambda share: progress(0.4 * share))
        with self.clock.stage("fullbody"):
            extended_times = (
                np.arange(frame_count + int(SWING_LOOKAHEAD_TIME * self.task.fps)) / self.task.fps
            )
            targets = self._compute_targets(plan, extended_times, upright=False).slice_frames(
                0, frame_count
            )
            offsets = previous.offsets_at(targets.time)
            tracked = self._make_tracker().refine(
                targets, offsets, lambda share: progress(0.4 + 0.6 * share)
            )
        return (
            plan,
            tracked.targets,
            self.end_poses.join_poses(
                self.planned_body.model, tracked.poses, targets.time, self.task.seconds
            ),
        )

    def _make_tracker(self) -> FullBodyTracker:
        return FullBodyTracker(self.planned_body.model, self.mode, 1 / self.task.fps)

    def _compute_targets(self, plan: Plan, times: Array, upright: bool) -> BodyTargets:
        model = self.planned_body.model
        reference_sample = self.segments.sample_reference(times) if upright else None
        if isinstance(self.mode, Jumping):
            return compute_jump_targets(
                model,
                self.mode,
                plan,
                ground=self.task.ground,
                times=times,
                reference_sample=reference_sample,
            )
        if isinstance(self.mode, Striding):
            return compute_stride_targets(
                model,
                self.mode,
                plan,
                ground=self.task.ground,
                times=times,
                reference_sample=reference_sample,
            )
        if isinstance(self.mode, Hanging):
            return compute_hang_targets(
                model, self.mode, plan, times=times, reference_sample=reference_sample
            )
        targets = compute_walk_targets(
            model,
            self.segments.last.sketch,
            plan,
            style=self.planned_body.style,
            ground=self.task.ground,
            times=times,
            reference_sample=reference_sample,
            replaced_footsteps=self.segments.replaced_footsteps,
            pushes=self.task.pushes,
            hurdles=self.task.hurdles,
            is_forefoot_tread=self.task.tread == "forefoot",
            gaze=self.task.gaze,
            passages=self.passages,
        )
        return replace(
            targets,
            reference=self.end_poses.blend_poses(
                model, targets.reference, times, self.task.seconds
            ),
        )

    def _make_segment_planner(
        self,
        body: CentroidalBody,
        external_forces: tuple[ExternalForce, ...],
        warm_start: WarmStart,
    ) -> SegmentPlanner:
        def make_planner(segment: Segment, initial_state: PlanState | None) -> Planner:
            catch_steps = frozenset(k for k, s in enumerate(segment.sketch.steps) if s.is_recovery)
            bent_landings = frozenset(
                k
                for k in catch_steps
                if segment.sketch.steps[k].gait.step_time_ratio < CATCHING_STEP_TIME_RATIO
            )
            planner = self.planned_body.make_planner(
                self.task,
                body,
                segment.reference,
                footsteps=segment.footsteps,
                initial_state=initial_state,
                external_forces=external_forces,
                warm_start=warm_start,
                catch_steps=catch_steps,
                bent_landings=bent_landings,
                has_human_steps=self.mode is None,
            )
            if self.mode is None:
                return planner
            return replace(
                planner,
                limits=self.mode.limits(planner.limits),
                weights=self.mode.plan_weights(planner.weights),
                pacing=self.mode.pacing,
                limb_roots=self.mode.roots,
            )

        return SegmentPlanner(
            self.task, self.planned_body, make_planner, self.task.seconds + PLAN_TAIL_TIME
        )
