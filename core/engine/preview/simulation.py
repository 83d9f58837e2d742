"""A task's body under control, instant by instant, and all that happens to it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionError
from ...motion import Motion, Report
from ...simulate import MujocoPhysics, Physics, PhysicsState, SimulatedBody, SimulatedModel
from ...slip.body import SlipBody
from ...task import Task
from ..features import check_features
from ..shared.character import load_task_character
from ..shared.scaling import to_human_scale
from .approach import LedgeApproach
from .disturbances.projectiles import Projectiles
from .disturbances.pushes import PushScheduler, sum_forces
from .goal import GoalSource, LocomotionGoal
from .ground.foothold_field import build_foothold_field
from .info import INFO
from .instant import Instant, make_slip_body
from .jumps import JumpScheduler
from .loop import ControlLoop
from .recording.recorder import Recorder
from .start import make_start_state
from .stride_planner import StridePlanner

Array = NDArray[np.float64]

CONTROL_RATE = 250.0  # looks a second, about
# looks from one to the next at the path for what is to be done, on level ground
GOAL_UPDATE_TICKS = 5
MAX_RUN_UP_TIME_PER_METER = 3.0  # s for each metre, in which a run-up must arrive


class Simulation:
    """From a run-up on, if the task begins under way; time 0 is where the clip begins.

    Attributes:
        task: at human scale, as everything here; `scale` leads back.
        clip_start: instant at which the clip begins; None while the body is still on its way there.

    Args:
        task: what is asked for.
        replan_ticks: looks after which a new preview is made in any case.
        make_physics: the physics engine.

    Raises:
        TaskError: the task asks for what no preview knows, such as bars.
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
        # says what is wrong with it before anything is simulated
        SlipBody.from_character(character, task.gravity)
        self.task, self.character, self.scale = to_human_scale(task, character)
        self.body = SimulatedBody(self.character, self.task.ground, self.task.friction)
        self._physics = make_physics(self.body.model)
        self.ticks_per_frame = max(round(CONTROL_RATE / self.task.fps), 1)
        self.goal_source = GoalSource(
            self.task, build_foothold_field(self.task, make_slip_body(self.body))
        )
        self.start = make_start_state(self.task, self.body, self.goal_source.initial_speed)
        self._physics.reset(self.start.pose, self.start.velocity)
        self.loop = ControlLoop(
            self.body, self._physics, 1 / (self.ticks_per_frame * self.task.fps), replan_ticks
        )
        self.goal_source.station = -self.start.run_up_distance
        self.ledge_approach = LedgeApproach(self.goal_source, self.loop)
        self.stride_planner = StridePlanner(self.goal_source, self.loop)
        self.push_scheduler = PushScheduler(self.task.pushes, self.body, self._physics)
        self.jump_scheduler = JumpScheduler(self.task.jumps)
        self.projectiles = Projectiles(self.task, self.body, self._physics)
        self.recorder = Recorder(self.body, self.ticks_per_frame, self.loop.dt)
        self.clip_start: int | None = None if self.start.run_up_distance else 0
        self._goal: LocomotionGoal | None = None  # the last one

    @property
    def time(self) -> float:
        """Of the clip, s; below 0 before it begins."""
        return (
            -self.loop.dt
            if self.clip_start is None
            else (self.recorder.instant_count - self.clip_start) * self.loop.dt
        )

    def step(self) -> Instant:
        """One instant; returns what the body was and was to do.

        Raises:
            MotionError: numbers came out that are not finite.
        """
        loop = self.loop
        goal_source = self.goal_source
        goal = self._goal
        if (
            goal is None
            or goal_source.ground_height is not None
            or self.recorder.instant_count % GOAL_UPDATE_TICKS == 0
        ):
            goal = goal_source.compute_goal(
                self.time,
                loop.body_state.com,
                loop.heading,
                current_speed=float(np.linalg.norm(loop.body_state.com_velocity[:2])),
                stance_place=loop.body_state.foot_frames.place[loop.phase_machine.stance_foot],
                is_setting_off=loop.phase_machine.is_setting_off,
            )
            self._goal = goal
        now = self.time if self.clip_start is not None else -1.0
        applied = self.push_scheduler.apply(now, loop.dt, loop.body_state) + self.projectiles.apply(
            now, loop.dt, loop.body_state
        )
        resultant = sum_forces(loop.body_state.com, applied)
        projectile = self.projectiles.find_threat(loop.body_state)
        step_goal = self.jump_scheduler.modify_goal(
            replace(goal.step_goal, projectile=projectile),
            now,
            loop.state.time - loop.phase_machine.phase_start,
            phase_machine=loop.phase_machine,
            com=loop.body_state.com,
        )
        instant = loop.advance(
            self.stride_planner.modify_goal(self.ledge_approach.modify_goal(step_goal, now))
        )
        self.recorder.record(instant, loop.state, resultant, goal.velocity)
        if self.clip_start is None and (
            goal_source.station >= 0
            or self.recorder.instant_count * loop.dt
            > MAX_RUN_UP_TIME_PER_METER * self.start.run_up_distance
        ):
            self.clip_start = self.recorder.instant_count
        if loop.state.trouble.startswith("not finite"):
            raise MotionError(
                f"{self.task.name}: {loop.state.trouble}. Ask for less at once: a slower speed or "
                "weaker pushes."
            )
        return instant

    def make_motion(
        self, first_frame: int, frame_count: int, duration: float, seconds: dict[str, float]
    ) -> Motion:
        """Frames from one of the clip on, at the task's own scale; its ground is left out.

        Args:
            first_frame: number of the first.
            duration: s, of all.
            seconds: computing time by stage.
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
        """Another one that is where this one is; each goes on without the other.
        MuJoCo's bodies alone can.
        """
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
    """A note where the body fell.

    Args:
        run_up_time: s that the clip begins after time 0.
        time_unit: s of the clip for one of the simulation's.
    """
    if not state.trouble:
        return ()
    description, _, time_text = state.trouble.rpartition(" at ")
    time = (float(time_text.split()[0]) - run_up_time) * time_unit
    return (
        f"{description} at {time:.2f} s. Ask for less at once: a slower speed, wider turns, "
        "weaker pushes or gentler ground",
    )
