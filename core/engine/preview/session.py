"""Simulation of a body that is steered while it moves."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...motion import Motion
from ...task import Path, SpeedProfile, Task
from ...terrain import FlatGround
from ..base import DriveCommand
from ..shared.disturbances import begin_pushes
from .ground.foothold_field import build_foothold_field
from .simulation import Simulation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PreviewSessionParameters:
    """Steering of a body at human scale."""

    # Default duration of a part [s], a fifth of a step, so that a command counts soon.
    part_time: float = 0.12
    # Control steps after which a new preview is made in any case [1]; with this number of them a
    # simulation is faster than real time.
    replan_ticks: int = 5
    # Rate of change from the current speed to that of a command [m/s^2]: that of a walk in table 1
    # within a second.
    max_speed_rate: float = 1.25
    # Time for which instants are kept [s]; no swing is longer.
    history_time: float = 1.0
    # Side of the square around the body for which footholds are computed, without margins [m].
    field_size: float = 4.0
    # Distance from its center after which they are computed again [m]: 0.5 m from its side, so that
    # the next step is within it.
    refresh_distance: float = 1.5
    # Shortest duration of a change of speed [s]. Numerical: times of a profile must increase.
    min_speed_change_time: float = 1e-3


SESSION = PreviewSessionParameters()


class PreviewSession:
    """A simulation that continues from its current state with each command.

    Args:
        task: body, ground, frame rate, gravity, friction and stride. The body starts at the first
            point of the path, in its direction.
        replan_ticks: control steps after which a new preview is made in any case.

    Raises:
        TaskError: the task has features without support in this engine.
        CharacterError: the body does not stand on two soles.
    """

    def __init__(self, task: Task, replan_ticks: int = SESSION.replan_ticks) -> None:
        self.task = task
        self._simulation = Simulation(replace(task, stop_at_end=False), replan_ticks)
        self._emitted_frames = 0
        self._velocity: _TargetVelocity | None = None
        self._field_center = self._position

    @property
    def time(self) -> float:
        """Duration of the frames that were returned [s]."""
        return self._emitted_frames / self.task.fps

    @property
    def fall_cause(self) -> str:
        """Cause of the fall; empty while the body has not fallen."""
        return self._simulation.loop.state.trouble

    def branch(self) -> PreviewSession:
        """Return an independent copy in the same state."""
        other = copy.copy(self)
        other._simulation = self._simulation.branch()
        return other

    def advance(self, command: DriveCommand, seconds: float = SESSION.part_time) -> Motion:
        """Simulate the next part, and return its frames; a fallen body remains on the ground.

        Footsteps that the command keeps are ignored, since a simulated body chooses its footsteps.

        Args:
            command: speed, direction and pushes from now on.
            seconds: duration of the part [s].

        Raises:
            TaskError: a push acts on a part that the body does not have.
            MotionError: the state is not finite.
        """
        simulation = self._simulation
        while simulation.clip_start is None:
            simulation.step()
        speed = command.speed * simulation.scale.time / simulation.scale.length
        self._steer(_TargetVelocity(speed, command.direction))
        self._update_footholds()
        for push in begin_pushes(command.pushes, simulation.scale, simulation.time):
            simulation.push_scheduler.add(push)
        frame_count = max(round(seconds * self.task.fps), 1)
        clock_before = replace(simulation.loop.clock)
        while (
            simulation.recorder.instant_count
            < simulation.clip_start
            + (self._emitted_frames + frame_count) * simulation.ticks_per_frame
        ):
            simulation.step()
        clock_after = simulation.loop.clock
        motion = simulation.make_motion(
            self._emitted_frames,
            frame_count,
            frame_count / simulation.task.fps,
            {
                "plan": clock_after.plan - clock_before.plan,
                "fullbody": clock_after.control - clock_before.control,
                "simulate": clock_after.physics - clock_before.physics,
            },
        )
        simulation.recorder.forget(int(SESSION.history_time / simulation.loop.dt))
        self._emitted_frames += frame_count
        return motion

    @property
    def _position(self) -> Array:
        """Horizontal center of mass of the body, (2,) [m]."""
        return self._simulation.loop.body_state.com[:2].copy()

    def _steer(self, velocity: _TargetVelocity) -> None:
        """Replace path and speed of the task by those of a new target velocity."""
        if velocity == self._velocity:
            return
        self._velocity = velocity
        goal_source = self._simulation.goal_source
        position = self._position
        now = self._simulation.time
        current_speed = float(goal_source.task.speed.value_at(now))
        change_time = max(
            abs(velocity.speed - current_speed) / SESSION.max_speed_rate,
            SESSION.min_speed_change_time,
        )
        direction = velocity.direction
        path = Path([position, position + [np.cos(direction), np.sin(direction)]])
        speed = SpeedProfile([current_speed, velocity.speed], np.array([now, now + change_time]))
        goal_source.task = replace(goal_source.task, path=path, speed=speed)
        goal_source.station = 0.0

    def _update_footholds(self) -> None:
        """Compute the footholds around the body where the ground is not level everywhere."""
        simulation = self._simulation
        goal_source = simulation.goal_source
        position = self._position
        is_uneven = not isinstance(goal_source.task.ground, FlatGround) or bool(
            goal_source.task.forbidden_areas
        )
        distance = float(np.linalg.norm(position - self._field_center))
        is_outdated = goal_source.foothold_distance is None or distance > SESSION.refresh_distance
        if not is_uneven or not is_outdated:
            return
        self._field_center = position
        half_size = 0.5 * SESSION.field_size
        field_task = replace(
            goal_source.task, path=Path([position - half_size, position + half_size])
        )
        goal_source.foothold_distance = build_foothold_field(field_task, simulation.loop.slip_body)


@dataclass(frozen=True)
class _TargetVelocity:
    """Speed [m/s] and direction [rad] of the last command."""

    speed: float
    direction: float
