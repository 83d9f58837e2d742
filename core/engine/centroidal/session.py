"""A body that is steered while it goes: half a cycle at a time.

Source: the receding horizon of Kwon et al. 2020, section 5.1. What is baked is planned twice, the
second time with the momentum that the limbs had; here nothing can be planned twice, and the full
body's leak keeps the difference small.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...clip import load_recipe
from ...fullbody.foot_path import FootPath
from ...fullbody.initial_pose import compute_initial_poses
from ...fullbody.retarget_swing import retarget_swing
from ...fullbody.solve import PreviousFrame, solve_body
from ...fullbody.weights import STEPPING_BODY_WEIGHTS
from ...motion import Motion, Report
from ...plan.body import PlanState
from ...plan.external import ExternalForce
from ...plan.planner import Planner
from ...plan.result import Plan, PlanPiece
from ...sketch.reference.reference import plan_reference
from ...sketch.sketch import Sketch, resketch_with_task, sketch_walk
from ...task import Path, Push, SpeedProfile, Task
from ..base import DriveCommand
from ..shared.character import load_task_character
from ..shared.disturbances import compute_external_forces
from ..shared.motion_builder import MotionBuilder
from ..shared.scaling import to_human_scale
from .body import PlannedBody
from .modes.walking import compute_walk_targets
from .recording import CentroidalRecorder, SolvedFrames
from .segments import REACTION_TIME

Array = NDArray[np.float64]

HALF_CYCLE_TIME = 0.3  # s that a half cycle lasts at least
LOOKAHEAD_TIME = 2.9  # s of the task that is drawn ahead
SPEED_CHANGE_TIME = 0.5  # s over which the speed goes over to the one wished for
CORNER_LEAD_TIME = 0.5  # s of way after which the path turns, since a turn begins before its corner
FOOT_PATH_HISTORY_TIME = 0.9  # s behind now for which the feet's ways are drawn again
SWING_LOOKAHEAD_TIME = 0.45  # s ahead of what is given out, for swings that have begun
SOLVED_LOOKAHEAD_TIME = 0.2  # s solved ahead of what is given out
# weight of the angular momentum: what limbs have of it is not known beforehand
MOMENTUM_WEIGHT = 0.01
MAX_ITERATIONS = 4  # Gauss-Newton steps of the full body, at most
HISTORY_COUNT = 6  # footsteps and pieces of the plan


@dataclass
class Session:
    """Goes on from where it is, whatever is wished for next.

    Args:
        task: body, ground, style, frame rate, gravity and friction; it begins at the path's first
            point, in its direction.

    Raises:
        TaskError: a style, body or speed that cannot be.
    """

    task: Task
    _planner: Planner | None = field(default=None, init=False)
    _pieces: list[PlanPiece] = field(default_factory=list, init=False)
    _foot_paths: tuple[FootPath, ...] = field(default=(), init=False)
    _emitted_frames: int = field(default=0, init=False)  # frames given out
    _foot_paths_start: int = field(default=0, init=False)  # the frame that `_foot_paths` begin with
    _last_frame: PreviousFrame | None = field(default=None, init=False)
    _external_forces: tuple[ExternalForce, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        scaled = to_human_scale(self.task, load_task_character(self.task))
        self._task = scaled.task
        self._scale = scaled.scale
        self._planned_body = PlannedBody.from_character(
            scaled.character, load_recipe(self.task.recipe)
        )
        self._direction = float(self._task.path.heading_at(0.0))
        self._sketch: Sketch

    @property
    def time(self) -> float:
        """Until when it has gone, s."""
        return self._emitted_frames / self.task.fps

    def branch(self) -> Session:
        """Another session that is where this one is; each goes on without the other."""
        other = copy.copy(self)
        # all else is replaced as a session goes on, and never changed
        if self._planner is not None:
            other._planner = copy.copy(self._planner)
        return other

    def advance(self, command: DriveCommand) -> Motion:
        """The next half cycle: the frames after the last one given out,
        to about the middle of the next contact.
        """
        speed = command.speed * self._scale.time / self._scale.length
        self._task = replace(
            self._task,
            pinned_steps=tuple(
                step.in_units(self._scale.length, self._scale.time) for step in command.pinned
            ),
        )
        coasted: list[PlanPiece] = []
        if self._planner is None:
            nominal_sketch = self._begin_sketch(speed, command.direction)
            initial_state = None
        else:
            if command.pushes:
                coasted.append(self._coast_through_push(self._planner, command.pushes))
            nominal_sketch, initial_state = self._continue_sketch(
                self._planner, speed, command.direction
            )
        now = initial_state.time if initial_state else 0.0
        planned_body = self._planned_body
        gravity = self._task.gravity
        reference = plan_reference(
            nominal_sketch, planned_body.leg_course, planned_body.com_height, gravity
        )
        planner = planned_body.make_planner(
            self._task,
            planned_body.make_rigid_body(gravity),
            reference,
            footsteps=[s.footstep for s in nominal_sketch.steps],
            initial_state=initial_state,
            external_forces=self._external_forces,
        )
        pieces = [*coasted, *planner.plan(now + HALF_CYCLE_TIME, True)]
        shifted = zip(nominal_sketch.steps, planner.footsteps, strict=True)
        self._sketch = replace(
            nominal_sketch, steps=tuple(replace(s, footstep=f) for s, f in shifted)
        )
        self._planner = planner
        self._pieces = [*self._pieces, *pieces][-HISTORY_COUNT:]
        return self._scale.to_task_scale(self._solve_frames(now, pieces[-1].end))

    def _begin_sketch(self, speed: float, direction: float) -> Sketch:
        task = self._make_lookahead_task(self._task.path.points[0], speed, speed, direction)
        planned_body = self._planned_body
        return sketch_walk(
            task,
            planned_body.character,
            planned_body.style,
            com_height=planned_body.com_height,
            gyration=planned_body.gyration,
        )

    def _coast_through_push(self, planner: Planner, pushes: tuple[Push, ...]) -> PlanPiece:
        """The body goes on as planned while it is pushed."""
        now = planner.current_state.time
        pushed_task = replace(
            self._task,
            pushes=tuple(
                replace(push.in_units(self._scale.length, self._scale.time), time=now)
                for push in pushes
            ),
        )
        self._external_forces = compute_external_forces(
            pushed_task, self._planned_body.model, lambda t: planner.reference.sample(t).rotation
        )
        planner.external_forces = self._external_forces
        return planner.run_open_loop(now + REACTION_TIME)

    def _continue_sketch(
        self, planner: Planner, speed: float, direction: float
    ) -> tuple[Sketch, PlanState]:
        """The sketch from now on, and the body as it now is;
        footsteps of long ago are forgotten.
        """
        now = planner.current_state
        course = self._sketch.course
        current_speed = float(np.interp(now.time, course.time, course.speed))
        task = self._make_lookahead_task(
            course.pendulum.sample(np.array(now.time), "cart"), current_speed, speed, direction
        )
        dropped = max(sum(f.strike < now.time for f in planner.footsteps) - HISTORY_COUNT, 0)
        previous_sketch = replace(self._sketch, steps=self._sketch.steps[dropped:])
        sample_times = np.array([now.time])
        reference_sample = planner.reference.sample(sample_times)
        pendulum = course.pendulum
        com = (
            pendulum.sample(sample_times, "com")[0] + (now.state.com - reference_sample.com[0])[:2]
        )
        velocity = (
            pendulum.sample(sample_times, "velocity")[0]
            + (now.state.velocity - reference_sample.velocity[0])[:2]
        )
        nominal_sketch = resketch_with_task(
            previous_sketch,
            task,
            self._planned_body.character,
            now=now.time,
            com=com,
            velocity=velocity,
        )
        return nominal_sketch, replace(
            now, forces={(k - dropped, point): curve for (k, point), curve in now.forces.items()}
        )

    def _make_lookahead_task(
        self, start: Array, current_speed: float, speed: float, direction: float
    ) -> Task:
        """A task from a place on: on in the old direction as far as a turn needs to
        begin, then in the new one.
        """

        def make_offset(angle: float, distance: float) -> Array:
            return distance * np.array([np.cos(angle), np.sin(angle)])

        corner = start + make_offset(self._direction, max(CORNER_LEAD_TIME * current_speed, 0.05))
        path = Path(
            [
                start,
                corner,
                corner
                + make_offset(direction, 2.0 + 2 * LOOKAHEAD_TIME * max(current_speed, speed)),
            ]
        )
        self._direction = direction
        profile = SpeedProfile([current_speed, speed], [0.0, SPEED_CHANGE_TIME])
        return replace(
            self._task,
            path=path,
            speed=profile,
            seconds=LOOKAHEAD_TIME,
            start="moving",
            stop_at_end=False,
            facing=None,
        )

    def _solve_frames(self, now: float, end: float) -> Motion:
        """The full body from the frame after the last one given out."""
        fps = self._task.fps
        planned_body = self._planned_body
        last_frame = max(int(end * fps), self._emitted_frames)
        first_frame = max(self._emitted_frames - int(FOOT_PATH_HISTORY_TIME * fps), 0)
        times = np.arange(first_frame, last_frame + 1 + int(SWING_LOOKAHEAD_TIME * fps)) / fps
        plan = Plan(
            tuple(self._pieces),
            tuple(self._planner.footsteps) if self._planner else (),
            planned_body.character.mass * self._task.gravity,
            limb_count=planned_body.limb_count,
            warm_start={},
        )
        targets = compute_walk_targets(
            planned_body.model,
            self._sketch,
            plan,
            style=planned_body.style,
            ground=self._task.ground,
            times=times,
            is_forefoot_tread=self._task.tread == "forefoot",
            gaze=self._task.gaze,
        )
        targets = replace(
            targets, feet=self._join_foot_paths(targets.feet, first_frame, times, now)
        )
        self._foot_paths = targets.feet
        self._foot_paths_start = first_frame
        targets_ahead = targets.slice_frames(
            self._emitted_frames - first_frame,
            last_frame + 1 + int(SOLVED_LOOKAHEAD_TIME * fps) - first_frame,
        )
        initial_poses = compute_initial_poses(planned_body.model, targets_ahead)
        solution = solve_body(
            planned_body.model,
            targets_ahead,
            replace(STEPPING_BODY_WEIGHTS, momentum=MOMENTUM_WEIGHT),
            initial_poses=initial_poses,
            steps=MAX_ITERATIONS,
            previous=self._last_frame,
        )
        frame_count = last_frame + 1 - self._emitted_frames
        emitted = targets_ahead.slice_frames(0, frame_count)
        self._last_frame = PreviousFrame(
            solution.poses[frame_count - 1], emitted.reference[-1], emitted.momentum[-1]
        )
        self._emitted_frames = last_frame + 1
        report = Report(
            self._task.name,
            "centroidal",
            planned_body.character.name,
            seed=self._task.seed,
            clip_seconds=frame_count / fps,
            seconds={},
        )
        recorder = CentroidalRecorder(
            MotionBuilder(self._task, planned_body.model), self._sketch, self._external_forces
        )
        return recorder.record(SolvedFrames(plan, emitted, solution.poses[:frame_count]), report)

    def _join_foot_paths(
        self, feet: tuple[FootPath, ...], first_frame: int, times: Array, now: float
    ) -> tuple[FootPath, ...]:
        """Feet that go on from where they were on the ways of the half cycle before."""
        if not self._foot_paths:
            return feet
        out = []
        for old, new in zip(self._foot_paths, feet, strict=True):
            skipped = first_frame - self._foot_paths_start
            overlap = min(len(old.support) - skipped, len(times))
            joined = FootPath(
                *(
                    np.concatenate(
                        [
                            getattr(old, name)[skipped : skipped + overlap],
                            getattr(new, name)[overlap:],
                        ]
                    )
                    for name in FootPath.__dataclass_fields__
                )
            )
            out.append(retarget_swing(joined, new, times, now))
        return tuple(out)
