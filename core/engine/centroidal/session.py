"""Sessions: a body that is steered while it moves, half a cycle at a time.

Source: the receding horizon of Kwon et al. 2020, section 5.1. A clip is planned several times, each
time with the momentum that the limbs had. A session plans only once, and the leak of the full body
keeps the error from this small.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...clip import load_recipe
from ...fullbody.objective import PreviousFrame
from ...motion import Motion, Report
from ...plan.body import PlanState
from ...plan.external import ExternalForce
from ...plan.forces import PointKey
from ...plan.planner import Planner
from ...plan.result import Plan, PlanPiece
from ...sketch.sketch import Sketch, resketch_with_task
from ...task import Push, Task
from ..base import DriveCommand, StageClock
from ..shared.character import load_task_character
from ..shared.disturbances import begin_pushes, compute_external_forces
from ..shared.scaling import to_human_scale
from .body import PlannedBody
from .modes.live_walking import FootHistory, LiveWalking
from .modes.walking import sketch_style_walk
from .pipeline import FrameWindow, InitialState, Pipeline
from .planning import PlanWindow
from .segments import REACTION_TIME, Segments
from .steering import Steering
from .tracking import LIVE_PASS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SessionParameters:
    """Times of a session."""

    # Shortest time of a half cycle [s], that of the steps of a human run
    half_cycle_time: float = 0.3
    # Time of the past for which foot paths are computed again [s], so that swings which have begun
    # before the new frames are computed as a whole
    foot_path_history: float = 0.9
    # Time after the last emitted frame to which foot paths are computed, for swings that have
    # begun [s]: that of a human swing
    swing_lookahead: float = 0.45
    # Time after the last emitted frame to which the body is solved [s], so that its last frames do
    # not end in a pose that no frame follows
    solved_lookahead: float = 0.2
    # Number of footsteps before the current time that are kept, and of pieces of the plan: more
    # than begin within `foot_path_history`
    history_count: int = 6


SESSION = SessionParameters()


@dataclass(frozen=True)
class _Continuation:
    """Sketch of the next half cycle, and the state of the body at its start (None at time 0)."""

    sketch: Sketch
    initial_state: PlanState | None

    @property
    def begin(self) -> float:
        """Start of the half cycle [s]."""
        return self.initial_state.time if self.initial_state else 0.0


@dataclass
class Session:
    """A motion that continues according to one command after another.

    Args:
        task: body, ground, style, frame rate, gravity and friction. The motion begins at the first
            point of the path, in its direction.

    Raises:
        TaskError: Style, body or speed are not possible.
    """

    task: Task
    _planner: Planner | None = field(default=None, init=False)
    _pieces: tuple[PlanPiece, ...] = field(default=(), init=False)
    _feet: FootHistory | None = field(default=None, init=False)
    _emitted_frames: int = field(default=0, init=False)
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
        """Time up to which frames were emitted [s]."""
        return self._emitted_frames / self.task.fps

    def branch(self) -> Session:
        """Return an independent session in the same state."""
        other = copy.copy(self)
        # All other state is replaced as a session continues, and never changed in place.
        if self._planner is not None:
            other._planner = copy.copy(self._planner)
        return other

    def advance(self, command: DriveCommand) -> Motion:
        """Return the next half cycle: the frames after the last emitted one, to about the middle
        of the next contact.
        """
        speed = command.speed * self._scale.time / self._scale.length
        self._task = replace(
            self._task,
            pinned_steps=tuple(
                step.in_units(self._scale.length, self._scale.time) for step in command.pinned
            ),
        )
        coasted: tuple[PlanPiece, ...] = ()
        if self._planner is not None and command.pushes:
            coasted = (self._coast_through_push(self._planner, command.pushes),)
        start = self._continue_sketch(speed, command.direction)
        mode = LiveWalking.from_sketch(
            start.sketch, self._task, self._planned_body, self._feet, start.begin
        )
        pipeline = Pipeline(self._task, mode, StageClock(), LIVE_PASS)
        initial_state = InitialState(
            start.initial_state,
            external_forces=self._external_forces,
            previous_frame=self._last_frame,
        )
        window = PlanWindow(start.begin + SESSION.half_cycle_time, shiftable=True)
        planned = pipeline.plan(window, initial_state)
        self._planner = planned.planner
        self._pieces = (*self._pieces, *coasted, *planned.plan.pieces)[-SESSION.history_count :]
        self._sketch = start.sketch.with_footsteps(planned.plan.footsteps)
        segment = replace(planned.segments.last, sketch=self._sketch)
        pipeline = replace(pipeline, mode=mode.with_segments(Segments((segment,))))
        plan = replace(planned.plan, pieces=self._pieces)
        return self._scale.to_task_scale(self._solve_frames(pipeline, plan, initial_state))

    def _coast_through_push(self, planner: Planner, pushes: tuple[Push, ...]) -> PlanPiece:
        """Return the plan of the body that continues as planned while it is pushed."""
        now = planner.current_state.time
        pushed_task = replace(
            self._task,
            pushes=begin_pushes(pushes, self._scale, now),
        )
        self._external_forces = compute_external_forces(
            pushed_task, self._planned_body.model, lambda t: planner.reference.sample(t).rotation
        )
        planner.external_forces = self._external_forces
        return planner.run_open_loop(now + REACTION_TIME)

    def _continue_sketch(self, speed: float, direction: float) -> _Continuation:
        """Return the sketch from now on. Footsteps of the distant past are dropped.

        Args:
            speed: commanded speed [m/s].
            direction: commanded direction [rad].
        """
        planner = self._planner
        if planner is None:
            task = self._make_lookahead_task(self._task.path.points[0], speed, speed, direction)
            return _Continuation(sketch_style_walk(task, self._planned_body), None)
        now = planner.current_state
        course = self._sketch.course
        current_speed = float(np.interp(now.time, course.time, course.speed))
        task = self._make_lookahead_task(
            course.pendulum.sample(np.array(now.time), "cart"), current_speed, speed, direction
        )
        past_count = sum(f.strike < now.time for f in planner.footsteps)
        dropped = max(past_count - SESSION.history_count, 0)
        sample_times = np.array([now.time])
        reference_sample = planner.reference.sample(sample_times)
        pendulum = course.pendulum
        com_change = (now.state.com - reference_sample.com[0])[:2]
        velocity_change = (now.state.velocity - reference_sample.velocity[0])[:2]
        sketch = resketch_with_task(
            replace(self._sketch, steps=self._sketch.steps[dropped:]),
            task,
            self._planned_body.character,
            now=now.time,
            com=pendulum.sample(sample_times, "com")[0] + com_change,
            velocity=pendulum.sample(sample_times, "velocity")[0] + velocity_change,
        )
        forces = {PointKey(k - dropped, point): curve for (k, point), curve in now.forces.items()}
        return _Continuation(sketch, replace(now, forces=forces))

    def _make_lookahead_task(
        self, start: Array, current_speed: float, speed: float, direction: float
    ) -> Task:
        """Return the task of the next seconds.

        Args:
            start: begin of the path [m], shape (2,).
            current_speed: current speed [m/s].
            speed: commanded speed [m/s].
            direction: commanded direction [rad].
        """
        steering = Steering(
            current_speed, speed, current_direction=self._direction, direction=direction
        )
        self._direction = direction
        return steering.make_task(self._task, start)

    def _solve_frames(self, pipeline: Pipeline, plan: Plan, initial_state: InitialState) -> Motion:
        """Return the frames after the last emitted one, to the end of the plan."""
        fps = self._task.fps
        last_frame = max(int(plan.pieces[-1].end * fps), self._emitted_frames)
        first_frame = max(self._emitted_frames - int(SESSION.foot_path_history * fps), 0)
        end_frame = last_frame + 1 + int(SESSION.swing_lookahead * fps)
        window = FrameWindow(
            np.arange(first_frame, end_frame) / fps,
            self._emitted_frames - first_frame,
            last_frame + 1 + int(SESSION.solved_lookahead * fps) - first_frame,
        )
        frames = pipeline.track(plan, window, initial_state)
        self._feet = FootHistory(frames.all_targets.feet, first_frame)
        count = last_frame + 1 - self._emitted_frames
        emitted = replace(
            frames, targets=frames.targets.slice_frames(0, count), poses=frames.poses[:count]
        )
        self._last_frame = PreviousFrame(
            emitted.poses[-1], emitted.targets.reference[-1], emitted.targets.momentum[-1]
        )
        self._emitted_frames = last_frame + 1
        report = Report(
            self._task.name,
            "centroidal",
            self._planned_body.character.name,
            seed=self._task.seed,
            clip_seconds=count / fps,
            seconds={},
        )
        return pipeline.record(plan, emitted, self._external_forces, report)
