"""Solve a window of a clip again, from the state of the existing motion.

The sketch covers the whole clip, so that the course stays the same. Plan and full body are made
for the window and the time that they need before and after it. The plan begins with the momentum
of the existing motion and the forces under its feet. Inertia and limb momentum are measured on the
existing motion as well, instead of in a first pass.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.kinematic_model import KinematicModel
from ....errors import MotionError
from ....fullbody.targets import BodyTargets
from ....motion import Motion, Report
from ....plan.body import PlanState
from ....plan.reference import PlanReference
from ....sketch.sketch import Sketch
from ....task import Task
from ...base import Progress, StageClock
from ...shared.character import load_task_character
from ...shared.scaling import to_human_scale
from ..body import PlannedBody, choose_style
from ..end_poses import EndPoses
from ..limb_momentum import BodyRotation
from ..modes.choice import choose_mode
from ..modes.walk_targets import WalkConditions
from ..modes.walking import (
    Walking,
    make_walk_segments,
    sketch_style_walk,
    sketch_with_end_poses,
)
from ..pipeline import InitialState, Pipeline, SolvedWindow, SolveWindow
from ..planning import PlanWindow, WarmStart
from ..run_up import RUN_UP_TIME, with_run_up
from .motion_history import WINDOW, EditWindow, MotionHistory
from .stretch import Stretch

Array = NDArray[np.float64]

# Root mean square of the joint angle changes above which the window is solved once more, with the
# limb momentum of the new motion [rad]
MAX_POSE_DIFFERENCE = 0.08
# Time after which a push has no effect on the motion any more [s]
PUSH_MEMORY_TIME = 5.0
# Time before and after the plan for which footsteps are part of the sketch [s]: more steps than
# a plan and a pinned footstep look ahead
FOOTSTEP_MARGIN_TIME = 4.0


# Fields of a motion that hold quaternions per frame
ROTATION_FIELDS = ("link_orientation", "reference_orientation", "toe_orientation")
# Fields of a motion that hold one entry per frame
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


def solve_window(task: Task, motion: Motion, stretch: Stretch, progress: Progress) -> Motion | None:
    """Return the motion with a stretch of it solved again, and all other frames as they were.

    The frames of the stretch do not join the others smoothly; `splice_motion` blends them.

    Args:
        task: task whose pinned footsteps include all footsteps of the motion that are to stay.
        motion: the existing motion.
        stretch: part of the clip to solve.
        progress: called with the stage and the share done.

    Returns:
        The motion; None if the stretch cannot be solved independently of the rest of the clip.

    Raises:
        MotionError: The motion does not belong to the task.
    """
    start_time = time.perf_counter()
    character = load_task_character(task)
    if not choose_mode(task, character).can_solve_window:
        return None
    scaled = to_human_scale(task, character)
    character = scaled.character
    scale = scaled.scale
    extended = with_run_up(scaled.task, RUN_UP_TIME)
    run_up = extended.run_up
    if stretch.begin / scale.time < WINDOW.settling_time:
        return None
    if tuple(motion.link_names) != character.link_names() or motion.frames != task.frames:
        raise MotionError(
            "The motion does not belong to this task: its links or its number of frames differ."
        )
    human_stretch = Stretch(stretch.begin / scale.time, stretch.end / scale.time)
    window = EditWindow.from_stretch(extended.task, run_up, human_stretch)
    if _is_pushed(extended.task, window):
        return None
    planned_body = PlannedBody.from_character(character, choose_style(task, character))
    clock = StageClock()
    history = MotionHistory.from_motion(planned_body, motion, scale, run_up, window)
    with clock.stage("sketch"):
        walking = _make_walking(extended.task, planned_body, history, window)
    progress("sketch", 0.2)
    solver = _WindowSolver(extended.task, walking, clock, history, window)
    solved = solver.solve(progress)
    clock.seconds["total"] = time.perf_counter() - start_time
    shifted = run_up.shift_report(solved)
    shifted = scale.to_task_scale(
        replace(shifted, report=replace(shifted.report, clip_seconds=scaled.task.seconds))
    )
    shifted = replace(shifted, report=replace(shifted.report, notes=motion.report.notes))
    return _insert_frames(motion, shifted, window.first_frame - run_up.frames)


def _is_pushed(task: Task, window: EditWindow) -> bool:
    """Return whether a push has an effect on the motion in a window."""
    return any(
        push.time < window.plan_end and push.end > window.plan_start - PUSH_MEMORY_TIME
        for push in task.pushes
    )


def _make_walking(
    task: Task, planned_body: PlannedBody, history: MotionHistory, window: EditWindow
) -> Walking:
    """Return the walk of the clip, with the footsteps that matter to a window."""
    end_poses = EndPoses.from_task(task, planned_body.model)
    sketch = history.with_exact_contacts(
        _select_footsteps(_make_sketch(task, planned_body, end_poses, window), window)
    )
    return Walking(
        planned_body,
        make_walk_segments(sketch, planned_body, task, end_poses),
        task,
        WalkConditions.from_task(task, planned_body.model),
        end_poses,
    )


def _make_sketch(
    task: Task, planned_body: PlannedBody, end_poses: EndPoses, window: EditWindow
) -> Sketch:
    """Return the sketch up to some time after the window, or of the whole clip if that has a last
    pose.
    """
    if end_poses.last is not None:
        return sketch_with_end_poses(task, planned_body, end_poses).sketch
    seconds = min(window.plan_end + FOOTSTEP_MARGIN_TIME, task.seconds)
    return sketch_style_walk(
        replace(end_poses.with_start_feet(task), seconds=seconds), planned_body
    )


def _select_footsteps(sketch: Sketch, window: EditWindow) -> Sketch:
    """Return the sketch with the footsteps that matter to a window."""
    steps = tuple(
        s
        for s in sketch.steps
        if s.footstep.lift > window.plan_start - FOOTSTEP_MARGIN_TIME
        and s.footstep.strike < window.plan_end + FOOTSTEP_MARGIN_TIME
    )
    return replace(sketch, steps=steps)


@dataclass(frozen=True)
class _RecordedMotion:
    """Motion of the body as recorded or solved before, at n frames of the history.

    Args:
        model: the body.
        times: times of the frames [s], shape (n,).
        poses: poses, shape (n, nq).
        rotation: rotation of the body as a whole, shape (n, 3, 3).
        com: planned center of mass [m], shape (n, 3).
        first_index: index of the first solved frame.
    """

    model: KinematicModel
    times: Array
    poses: Array
    rotation: Array
    com: Array
    first_index: int

    @property
    def frame(self) -> BodyRotation:
        """Rotation of the body as a whole."""
        return BodyRotation.from_rotations(self.times, self.rotation)

    def compute_offsets(self, targets: BodyTargets) -> Array:
        """Return the deviation from the reference poses of m solved frames, shape (m, nv)."""
        return self.model.difference(targets.reference, self.poses[self._overlap(targets)])

    def is_similar(self, solved: SolvedWindow) -> bool:
        """Return whether the solved frames differ so little that another pass is not needed."""
        frames = solved.frames
        old_poses = self.poses[self._overlap(frames.targets)]
        offset = self.model.difference(old_poses, frames.poses)[:, 6:]
        return not np.sqrt((offset * offset).mean()) > MAX_POSE_DIFFERENCE

    def with_solved_frames(self, solved: SolvedWindow) -> _RecordedMotion:
        """Return the motion with its frames in the window replaced by the solved ones."""
        overlap = self._overlap(solved.frames.targets)
        sample = solved.plan.sample(solved.frames.targets.time)

        def insert(old: Array, new: Array) -> Array:
            return np.concatenate([old[: overlap.start], new, old[overlap.stop :]])

        return replace(
            self,
            poses=insert(self.poses, solved.frames.poses),
            rotation=insert(self.rotation, sample.rotation),
            com=insert(self.com, sample.com),
        )

    def make_com_sampler(self, reference: PlanReference) -> Callable[[Array], Array]:
        """Return a function of time: the center of mass, and that of the reference outside."""
        times = self.times
        com_curve = CubicSpline(times, self.com)

        def sample_com(moments: Array) -> Array:
            com = reference.sample(moments).com
            within = (moments >= times[0]) & (moments <= times[-1])
            com[within] = com_curve(moments[within])
            return com

        return sample_com

    def _overlap(self, targets: BodyTargets) -> slice:
        """Return the solved frames among those of the history."""
        return slice(self.first_index, self.first_index + len(targets.time))


@dataclass(frozen=True)
class _WindowSolver:
    """Solver of a window.

    Args:
        task: task with its run-up.
        walking: walk with the sketch of the window.
        clock: computing time by stage.
        history: the existing motion.
        window: the window.
    """

    task: Task
    walking: Walking
    clock: StageClock
    history: MotionHistory
    window: EditWindow

    def solve(self, progress: Progress) -> Motion:
        """Return the solved frames, in the times of the task with its run-up."""
        task = self.task
        history = self.history
        character = self.walking.planned_body.character
        prior = _RecordedMotion(
            self.walking.planned_body.model,
            history.times,
            history.poses,
            history.compute_plan_rotation(self.walking.poser),
            history.com,
            self.window.first_frame - int(round(history.times[0] * task.fps)),
        )
        plan_state = history.make_plan_state(
            self.window.plan_start,
            self.walking.segments.last.sketch,
            prior.rotation,
            character.mass * task.gravity,
        )
        solved = self._solve_pass(prior, plan_state, {})
        progress("full body", 0.6)
        if not prior.is_similar(solved):
            prior = prior.with_solved_frames(solved)
            solved = self._solve_pass(prior, plan_state, solved.plan.warm_start)
        report = Report(
            task.name,
            "centroidal",
            character.name,
            seed=task.seed,
            clip_seconds=task.seconds,
            seconds=self.clock.seconds,
        )
        return Pipeline(task, self.walking, self.clock).record(
            solved.plan, solved.frames, (), report
        )

    def _solve_pass(
        self, prior: _RecordedMotion, plan_state: PlanState, warm_start: WarmStart
    ) -> SolvedWindow:
        """Solve the window with the limb momentum of a prior motion."""
        reference = self.walking.segments.last.reference
        mode = self.walking.fit_reference(prior.make_com_sampler(reference))
        initial_state = InitialState(
            plan_state,
            prior,
            warm_start=warm_start,
            previous_pose=self.history.poses[prior.first_index - 1],
        )
        window = SolveWindow(PlanWindow(self.window.plan_end, shiftable=True), self.window.frames)
        return Pipeline(self.task, mode, self.clock).solve(
            window, initial_state, lambda share: None
        )


def _insert_frames(old_motion: Motion, new_motion: Motion, first_frame: int) -> Motion:
    """Return a motion with its frames from `first_frame` on replaced by those of another."""
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
