"""Simulation of the body of a task, with its goals and its disturbances."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionError
from ...motion import Motion, Report
from ...simulate import MujocoPhysics, Physics, PhysicsState, SimulatedBody, SimulatedModel
from ...slip.body import SlipBody
from ...slip.command import StepGoal
from ...task import Task
from ..features import check_features
from ..shared.character import load_task_character
from ..shared.scaling import to_human_scale
from .approach import LedgeApproach
from .disturbances.projectiles import Projectiles
from .disturbances.pushes import AppliedForce, PushScheduler, sum_forces
from .goal import GoalSource, LocomotionGoal
from .goal_modifiers import GoalModifier, GoalView, modify_goal
from .ground.foothold_field import build_foothold_field
from .info import INFO
from .instant import Instant, make_slip_body
from .jumps import JumpScheduler
from .loop import ControlLoop
from .recording.recorder import Recorder
from .start import make_start_state
from .stride_planner import StridePlanner

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SimulationParameters:
    """Timing of a simulation."""

    # Approximate rate of control steps [1/s]; a frame has a whole number of them. That of the
    # paper, section 7.
    control_rate: float = 250.0
    # Control steps between updates of the goal on level ground [1], 0.02 s; on other ground one,
    # since a foot may pass an edge in a few.
    goal_update_ticks: int = 5
    # Time per distance after which the clip begins though the run-up has not arrived [s/m], four
    # times that of a walk.
    max_run_up_time_per_meter: float = 3.0


SIMULATION = SimulationParameters()


class Simulation:
    """A simulated body with a task, which starts with a run-up if the task starts in motion.

    All quantities are at human scale; `scale` converts them to that of the task.

    Attributes:
        task: the task at human scale.
        clip_start: instant at which the clip begins; None during the run-up.

    Args:
        task: what the body does.
        replan_ticks: control steps after which a new preview is made in any case.
        make_physics: constructor of the physics engine.

    Raises:
        TaskError: the task has features without support in this engine, such as monkey bars.
        CharacterError: the body does not stand on two soles.
    """

    def __init__(
        self,
        task: Task,
        replan_ticks: int = 1,
        make_physics: Callable[[SimulatedModel], Physics] = MujocoPhysics,
    ) -> None:
        check_features(task, INFO)
        character = load_task_character(task)
        # Raises the errors of an unsuitable character before anything is simulated.
        SlipBody.from_character(character, task.gravity)
        scaled = to_human_scale(task, character)
        self.task = scaled.task
        self.character = scaled.character
        self.scale = scaled.scale
        self.body = SimulatedBody(self.character, self.task.ground, self.task.friction)
        self._physics = make_physics(self.body.model)
        self.ticks_per_frame = max(round(SIMULATION.control_rate / self.task.fps), 1)
        self.goal_source = GoalSource(
            self.task, build_foothold_field(self.task, make_slip_body(self.body))
        )
        self.start = make_start_state(self.task, self.body, self.goal_source.initial_speed)
        self._physics.reset(self.start.pose, self.start.velocity)
        self.loop = ControlLoop(
            self.body, self._physics, 1 / (self.ticks_per_frame * self.task.fps), replan_ticks
        )
        self.goal_source.station = -self.start.run_up_distance
        self.push_scheduler = PushScheduler(self.task.pushes, self.body, self._physics)
        self.jump_scheduler = JumpScheduler(self.task.jumps)
        self.projectiles = Projectiles(self.task, self.body, self._physics)
        self.ledge_approach = LedgeApproach(self.body, self.loop.slip_body)
        self.stride_planner = StridePlanner()
        self.recorder = Recorder(self.body, self.ticks_per_frame, self.loop.dt)
        self.clip_start: int | None = None if self.start.run_up_distance else 0
        self._goal: LocomotionGoal | None = None

    @property
    def goal_modifiers(self) -> tuple[GoalModifier, ...]:
        """What changes the goal of a step, in this order."""
        return (self.projectiles, self.jump_scheduler, self.ledge_approach, self.stride_planner)

    @property
    def time(self) -> float:
        """Time of the clip [s], negative during the run-up."""
        return (
            -self.loop.dt
            if self.clip_start is None
            else (self.recorder.instant_count - self.clip_start) * self.loop.dt
        )

    def step(self) -> Instant:
        """Simulate one control step, and return its result.

        Raises:
            MotionError: the state is not finite.
        """
        loop = self.loop
        goal = self._update_goal()
        resultant = self._apply_disturbances()
        instant = loop.advance(self._modify_goal(goal.step_goal))
        self.recorder.record(instant, loop.state, resultant, goal.velocity)
        if self.clip_start is None and self._is_run_up_over():
            self.clip_start = self.recorder.instant_count
        if loop.state.trouble.startswith("not finite"):
            raise MotionError(
                f"{self.task.name}: {loop.state.trouble}. Reduce the speed, or use weaker pushes."
            )
        return instant

    def _update_goal(self) -> LocomotionGoal:
        """Return the goal of the task, recomputed at intervals on level ground."""
        loop = self.loop
        goal_source = self.goal_source
        if (
            self._goal is None
            or goal_source.ground_height is not None
            or self.recorder.instant_count % SIMULATION.goal_update_ticks == 0
        ):
            self._goal = goal_source.compute_goal(
                self.time,
                loop.body_state.com,
                loop.heading,
                current_speed=float(np.linalg.norm(loop.body_state.com_velocity[:2])),
                stance_place=loop.body_state.foot_frames.place[loop.phase_machine.stance_foot],
                is_setting_off=loop.phase_machine.is_setting_off,
            )
        return self._goal

    def _apply_disturbances(self) -> AppliedForce:
        """Apply pushes and balls, and return their resultant."""
        loop = self.loop
        now = self._event_time
        applied = [
            *self.push_scheduler.apply(now, loop.dt, loop.body_state),
            *self.projectiles.apply(now, loop.dt, loop.body_state),
        ]
        return sum_forces(loop.body_state.com, applied)

    def _modify_goal(self, step_goal: StepGoal) -> StepGoal:
        """Return the goal after all modifiers, and start the maneuver that is due."""
        step_goal = modify_goal(self.goal_modifiers, step_goal, self._observe())
        if self.ledge_approach.due_maneuver is not None:
            self.loop.maneuver = self.ledge_approach.due_maneuver
        return step_goal

    def _observe(self) -> GoalView:
        """Return the view of the body that the modifiers of the goal read."""
        loop = self.loop
        machine = loop.phase_machine
        return GoalView(
            self._event_time,
            self.goal_source.path_view,
            self.goal_source.is_running,
            body=loop.body_state,
            heading=loop.heading,
            support=machine.support,
            stance_foot=machine.stance_foot,
            phase_age=loop.state.time - machine.phase_start,
            step_start=machine.step_start,
            is_setting_off=machine.is_setting_off,
            is_in_maneuver=loop.maneuver is not None,
        )

    @property
    def _event_time(self) -> float:
        """Time of the clip [s] for events, which do not happen during the run-up."""
        return self.time if self.clip_start is not None else -1.0

    def _is_run_up_over(self) -> bool:
        """Return whether the body has reached the path, or should have reached it long ago."""
        run_up_time = self.recorder.instant_count * self.loop.dt
        max_time = SIMULATION.max_run_up_time_per_meter * self.start.run_up_distance
        return self.goal_source.station >= 0 or run_up_time > max_time

    def make_motion(
        self, first_frame: int, frame_count: int, duration: float, seconds: dict[str, float]
    ) -> Motion:
        """Return frames of the clip at the scale of the task, without its ground.

        Args:
            first_frame: number of the first frame.
            frame_count: number of frames.
            duration: duration of these frames [s].
            seconds: computing time by stage [s].
        """
        assert self.clip_start is not None
        length_unit = self.scale.length
        time_unit = self.scale.time
        report = Report(
            self.task.name,
            "preview",
            self.character.name,
            seed=self.task.seed,
            clip_seconds=duration,
            seconds=seconds,
            notes=(
                *self.character.notes,
                *self.start.notes,
                *self.projectiles.make_notes(time_unit),
                *self.goal_source.make_notes(length_unit, time_unit),
                *self.jump_scheduler.make_notes(length_unit, time_unit),
                *make_failure_notes(self.loop.state, self.clip_start * self.loop.dt, time_unit),
            ),
        )
        motion = self.recorder.make_motion(
            self.task,
            frame_count,
            self.clip_start + first_frame * self.ticks_per_frame,
            clip_start=self.clip_start,
            report=report,
        )
        return self.scale.to_task_scale(motion)

    def branch(self) -> Simulation:
        """Return an independent copy in the same state, which works with MuJoCo only."""
        model = self.body.model
        shared = (
            self.task,
            self.character,
            self.body,
            model,
            model.mujoco,
            self.loop.slip_body,
            self.goal_source.task,
            self.goal_source.task.ground,
            self.goal_source.foothold_distance,
            self.recorder.model,
            self.recorder.sole_locator,
            self.push_scheduler.scratch,
            self.projectiles.hit_shape,
        )
        return copy.deepcopy(self, {id(item): item for item in shared})


def make_failure_notes(
    state: PhysicsState, run_up_time: float, time_unit: float
) -> tuple[str, ...]:
    """Return a note if the body has fallen.

    Args:
        state: state of the physics.
        run_up_time: time of the simulation at which the clip begins [s].
        time_unit: duration in the clip of one second of the simulation [s].
    """
    if not state.trouble:
        return ()
    description, _, time_text = state.trouble.rpartition(" at ")
    time = (float(time_text.split()[0]) - run_up_time) * time_unit
    return (
        f"{description} at {time:.2f} s. Use a slower speed, wider turns, weaker pushes or "
        "gentler ground",
    )
