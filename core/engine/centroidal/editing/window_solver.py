"""A stretch of a clip solved alone: it goes on from where the motion was,
and knows from it what a first pass would show.

The sketch is the whole clip's, so that the course is the same; plan and full body are made for the
stretch and what it takes before and after. The plan begins with the body where the motion had it,
with its momentum and the forces under its feet. How the inertia changes and what momentum the limbs
have is taken from the motion as well, in place of a pass of its own.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.humanoid import is_humanoid
from ....character.kinematic_model import KinematicModel
from ....errors import MotionError
from ....fullbody.solve import PreviousFrame
from ....motion import Motion, Report
from ....plan.body import PlanState
from ....plan.result import Plan
from ....plan.warm_start import WindowKey
from ....sketch.reference.reference import fit_reference_height, plan_reference
from ....sketch.sketch import Sketch, sketch_walk
from ....task import Task
from ...base import Progress, StageClock
from ...shared.character import load_task_character
from ...shared.motion_builder import MotionBuilder
from ...shared.scaling import to_human_scale
from ..body import PlannedBody, choose_style
from ..limb_momentum import BodyRotation, PassResult, estimate_moving_body
from ..modes.walking import compute_walk_targets
from ..pipeline import RUN_UP_TIME, Pipeline
from ..recording import CentroidalRecorder, SolvedFrames
from ..run_up import with_run_up
from ..tracking import FullBodyTracker, TrackedMotion
from .initial_state import SETTLING_TIME, SWING_LOOKAHEAD_TIME, MotionHistory, SolveWindow

Array = NDArray[np.float64]

# rad, root mean square over joints and frames, from which on what was known is known anew
MAX_POSE_DIFFERENCE = 0.08
PUSH_MEMORY_TIME = 5.0  # s after which a push is forgotten
FOOTSTEP_MARGIN_TIME = 4.0  # s before and after what is planned, for which footsteps count


def solve_window(
    task: Task, motion: Motion, begin: float, end: float, progress: Progress
) -> Motion | None:
    """The motion with a stretch of it solved anew, and all else as it was;
    None where it cannot be solved alone.

    The frames of the stretch do not join the others yet.

    Args:
        task: with all footsteps of the motion that are to stay among those that it keeps.
        begin, end: of the stretch, s.
    """
    start_time = time.perf_counter()
    character = load_task_character(task)
    if not is_humanoid(character) or task.jumps or task.monkey_bars is not None:
        return None
    scaled = to_human_scale(task, character)
    character = scaled.character
    scale = scaled.scale
    extended = with_run_up(scaled.task, RUN_UP_TIME)
    extended_task = extended.task
    run_up = extended.run_up
    if begin / scale.time < SETTLING_TIME:
        return None
    planned_body = PlannedBody.from_character(character, choose_style(task, character))
    if tuple(motion.link_names) != character.link_names() or motion.frames != task.frames:
        raise MotionError(
            "The motion is not one of this task: its links or its number of frames are others."
        )
    window = SolveWindow.from_stretch(extended_task, run_up, begin / scale.time, end / scale.time)
    if any(
        p.time < window.plan_end and p.end > window.plan_start - PUSH_MEMORY_TIME
        for p in extended_task.pushes
    ):
        return None
    pipeline = Pipeline(extended_task, planned_body, StageClock())
    with pipeline.clock.stage("sketch"):
        nominal_sketch = _make_sketch(pipeline, window)
    progress("sketch", 0.2)
    history = MotionHistory.from_motion(
        planned_body, motion, scale, run_up=run_up, fps=extended_task.fps, window=window
    )
    nominal_sketch = history.with_exact_contacts(_select_footsteps(nominal_sketch, window))
    solved = _WindowSolver(pipeline, nominal_sketch, history, window).solve(progress)
    pipeline.clock.seconds["total"] = time.perf_counter() - start_time
    shifted = run_up.shift_report(solved)
    shifted = scale.to_task_scale(
        replace(shifted, report=replace(shifted.report, clip_seconds=scaled.task.seconds))
    )
    shifted = replace(shifted, report=replace(shifted.report, notes=motion.report.notes))
    return _insert_frames(motion, shifted, window.first_frame - run_up.frames)


def _make_sketch(pipeline: Pipeline, window: SolveWindow) -> Sketch:
    """The clip's sketch as far as the span needs it; to its end where a pose waits there."""
    if pipeline.end_poses.last is not None:
        return pipeline.make_sketch()
    planned_body = pipeline.planned_body
    task = replace(
        pipeline.task, seconds=min(window.plan_end + FOOTSTEP_MARGIN_TIME, pipeline.task.seconds)
    )
    return sketch_walk(
        task,
        planned_body.character,
        planned_body.style,
        com_height=planned_body.com_height,
        gyration=planned_body.gyration,
    )


def _select_footsteps(nominal_sketch: Sketch, window: SolveWindow) -> Sketch:
    """A sketch with the footsteps that matter to a span."""
    steps = tuple(
        s
        for s in nominal_sketch.steps
        if s.footstep.lift > window.plan_start - FOOTSTEP_MARGIN_TIME
        and s.footstep.strike < window.plan_end + FOOTSTEP_MARGIN_TIME
    )
    return replace(nominal_sketch, steps=steps)


@dataclass(frozen=True)
class _PriorMotion:
    """What is known of the body before it is planned, at the times of what was before."""

    poses: Array  # (n, nq)
    rotation: Array  # (n, 3, 3) of the body as a whole
    com: Array  # (n, 3) planned


@dataclass(frozen=True)
class _WindowSolver:
    """Plan and full body of a span."""

    pipeline: Pipeline
    sketch: Sketch
    history: MotionHistory
    window: SolveWindow

    def solve(self, progress: Progress) -> Motion:
        """The frames of the span, in the times of the task with its run-up."""
        pipeline = self.pipeline
        task = self.pipeline.task
        history = self.history
        prior = _PriorMotion(
            history.poses,
            history.compute_plan_rotation(task, self.sketch, pipeline.passages),
            history.com,
        )
        initial_state = history.make_initial_state(
            self.window.plan_start,
            self.sketch,
            prior.rotation,
            pipeline.planned_body.character.mass * task.gravity,
        )
        plan = self._make_plan(prior, initial_state, {})
        progress("plan", 0.4)
        tracked = self._solve_full_body(plan, prior)
        progress("full body", 0.6)
        overlap = self._find_overlap(tracked)
        # what the limbs were known to do they no longer do
        if _is_different(pipeline.planned_body.model, prior.poses[overlap], tracked.poses):
            sample = plan.sample(tracked.targets.time)
            prior = _PriorMotion(
                *(
                    np.concatenate([a[: overlap.start], b, a[overlap.stop :]])
                    for a, b in (
                        (prior.poses, tracked.poses),
                        (prior.rotation, sample.rotation),
                        (prior.com, sample.com),
                    )
                )
            )
            plan = self._make_plan(prior, initial_state, plan.warm_start)
            progress("plan", 0.8)
            tracked = self._solve_full_body(plan, prior)
        report = Report(
            task.name,
            "centroidal",
            pipeline.planned_body.character.name,
            seed=task.seed,
            clip_seconds=task.seconds,
            seconds=pipeline.clock.seconds,
        )
        poses = pipeline.end_poses.join_poses(
            pipeline.planned_body.model, tracked.poses, tracked.targets.time, task.seconds
        )
        recorder = CentroidalRecorder(MotionBuilder(task, pipeline.planned_body.model), self.sketch)
        return recorder.record(SolvedFrames(plan, tracked.targets, poses), report)

    def _find_overlap(self, tracked: TrackedMotion) -> slice:
        """The solved frames among those of the motion as it was."""
        first_frame = self.window.first_frame - int(
            round(self.history.times[0] * self.pipeline.task.fps)
        )
        return slice(first_frame, first_frame + len(tracked.poses))

    def _make_plan(
        self, prior: _PriorMotion, initial_state: PlanState, warm_start: dict[WindowKey, Array]
    ) -> Plan:
        planned_body = self.pipeline.planned_body
        nominal_sketch = self.sketch
        task = self.pipeline.task
        times = self.history.times
        with self.pipeline.clock.stage("plan"):
            body = estimate_moving_body(
                planned_body.model,
                task.gravity,
                PassResult(times, prior.poses, np.zeros(0)),
                BodyRotation.from_rotations(times, prior.rotation),
            )
            reference = plan_reference(
                nominal_sketch, planned_body.leg_course, planned_body.com_height, task.gravity
            )
            reference = self.pipeline.end_poses.blend_reference(reference, task.seconds)
            footsteps = [s.footstep for s in nominal_sketch.steps]
            com_curve = CubicSpline(times, prior.com)

            def sample_com(moments: Array) -> Array:
                com = reference.sample(moments).com
                within = (moments >= times[0]) & (moments <= times[-1])
                com[within] = com_curve(moments[within])
                return com

            fitted_reference = fit_reference_height(
                reference,
                nominal_sketch,
                tuple(footsteps),
                leg_course=planned_body.leg_course,
                sample_com=sample_com,
            )
            planner = planned_body.make_planner(
                task,
                body,
                fitted_reference,
                footsteps=footsteps,
                initial_state=initial_state,
                warm_start=warm_start,
            )
            pieces = planner.plan(self.window.plan_end, True)
        weight = planned_body.character.mass * task.gravity
        return Plan(
            pieces,
            tuple(planner.footsteps),
            weight,
            limb_count=planned_body.limb_count,
            warm_start=planner.next_warm_start,
        )

    def _solve_full_body(self, plan: Plan, prior: _PriorMotion) -> TrackedMotion:
        """The full body of the span's frames, which goes on from the frame before them."""
        pipeline = self.pipeline
        window = self.window
        task = self.pipeline.task
        history = self.history
        model = pipeline.planned_body.model
        with pipeline.clock.stage("fullbody"):
            begin_frame = int(round(window.plan_start * task.fps))
            times = (
                np.arange(begin_frame, window.end_frame + int(SWING_LOOKAHEAD_TIME * task.fps))
                / task.fps
            )
            targets = compute_walk_targets(
                model,
                self.sketch,
                plan,
                style=pipeline.planned_body.style,
                ground=task.ground,
                times=times,
                hurdles=task.hurdles,
                is_forefoot_tread=task.tread == "forefoot",
                gaze=task.gaze,
                passages=pipeline.passages,
            )
            targets = replace(
                targets,
                reference=pipeline.end_poses.blend_poses(
                    model, targets.reference, times, task.seconds
                ),
            )
            targets_before = targets.slice_frames(0, window.first_frame - begin_frame)
            targets_within = targets.slice_frames(
                window.first_frame - begin_frame, window.end_frame - begin_frame
            )
            first_index = window.first_frame - int(round(history.times[0] * task.fps))
            previous_frame = PreviousFrame(
                history.poses[first_index - 1],
                targets_before.reference[-1],
                targets_before.momentum[-1],
            )
            offsets = model.difference(
                targets_within.reference,
                prior.poses[first_index : first_index + len(targets_within.time)],
            )
            return FullBodyTracker(model, None, 1 / task.fps).refine(
                targets_within, offsets, lambda share: None, previous_frame
            )


def _is_different(model: KinematicModel, old_poses: Array, new_poses: Array) -> bool:
    """Whether joints are turned so far otherwise that another pass is worth it."""
    offset = model.difference(old_poses, new_poses)[:, 6:]
    return bool(np.sqrt((offset * offset).mean()) > MAX_POSE_DIFFERENCE)


def _insert_frames(old_motion: Motion, new_motion: Motion, first_frame: int) -> Motion:
    """A motion with some of its frames, from one on, taken from another."""
    count = new_motion.frames
    arrays: dict[str, Any] = {}
    for name, value in vars(old_motion).items():
        if isinstance(value, np.ndarray) and value.ndim and name in PER_FRAME_FIELDS:
            part: NDArray[Any] = getattr(new_motion, name)
            if name in ROTATION_FIELDS:
                part = np.where(
                    (part * value[first_frame : first_frame + count]).sum(-1, keepdims=True) < 0,
                    -part,
                    part,
                )
            arrays[name] = np.concatenate([value[:first_frame], part, value[first_frame + count :]])
    return replace(new_motion, **arrays)


ROTATION_FIELDS = ("link_orientation", "reference_orientation", "toe_orientation")
PER_FRAME_FIELDS = (
    *ROTATION_FIELDS,
    "link_position",
    "link_origin",
    "contact_position",
    "contact_force",
    "contact_active",
    "push_force",
    "push_point",
    "push_moment",
    "planned_com",
    "goal_velocity",
    "relaxed",
)
