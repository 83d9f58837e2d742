"""A simulated body that is steered while it goes:
what is wished for counts from the next look on.
"""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...motion import Motion
from ...task import Path, SpeedProfile, Task
from ...terrain import FlatGround
from ..base import DriveCommand
from ..shared.scaling import scale_push
from .ground.foothold_field import build_foothold_field
from .simulation import Simulation

Array = NDArray[np.float64]

PART_TIME = 0.12  # s that are given out at once
REPLAN_TICKS = 5  # looks after which a preview is made in any case: that is faster than real time
MAX_SPEED_RATE = 1.25  # m/s^2 by which the speed goes over to the one wished for
HISTORY_TIME = 1.0  # s, more than any swing takes
GROUND_MARGIN = 4.0  # m around the body in which good ground is looked for, and
REFRESH_DISTANCE = 1.5  # m after which it is looked for again


class PreviewSession:
    """Goes on from where it is, whatever is wished for next.

    Args:
        task: body, ground, frame rate, gravity, friction and stride; it begins at the path's first
            point, in its direction.
        replan_ticks: looks after which a new preview is made in any case.

    Raises:
        TaskError: the task asks for what no preview knows.
        CharacterError: the body does not stand on two soles.
    """

    def __init__(self, task: Task, replan_ticks: int = REPLAN_TICKS) -> None:
        self.task = task
        self._simulation = Simulation(replace(task, stop_at_end=False), replan_ticks)
        self._emitted_frames = 0
        self._initial_speed = float(task.speed.value_at(0.0))
        self._command: tuple[float, float] | None = None
        self._field_center = self._position

    @property
    def time(self) -> float:
        """Until when it has gone, s."""
        return self._emitted_frames / self.task.fps

    @property
    def fall_cause(self) -> str:
        """What has made it fall, empty while it has not."""
        return self._simulation.loop.state.trouble

    def branch(self) -> PreviewSession:
        """Another session that is where this one is; each goes on without the other."""
        other = copy.copy(self)
        other._simulation = self._simulation.branch()
        return other

    def advance(self, command: DriveCommand, seconds: float = PART_TIME) -> Motion:
        """The frames after the last one given out, of the next `seconds`;
        a body that has fallen lies there.

        Kept footsteps are left out: a simulated body finds its own.

        Raises:
            TaskError: a push acts at a part that the body does not have.
            MotionError: numbers came out that are not finite.
        """
        simulation = self._simulation
        while simulation.clip_start is None:
            simulation.step()
        self._steer(
            command.speed * simulation.scale.time / simulation.scale.length, command.direction
        )
        for push in command.pushes:
            simulation.push_scheduler.add(
                replace(scale_push(push, simulation.scale), time=simulation.time)
            )
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
        simulation.recorder.forget(int(HISTORY_TIME / simulation.loop.dt))
        self._emitted_frames += frame_count
        return motion

    @property
    def _position(self) -> Array:
        """Where the body is, (2,) m."""
        return self._simulation.loop.body_state.com[:2].copy()

    def _steer(self, speed: float, direction: float) -> None:
        """A way from here on, where what is wished for has changed; good ground along it."""
        simulation = self._simulation
        goal_source = self._simulation.goal_source
        position = self._position
        now = simulation.time
        if (speed, direction) != self._command:
            current_speed = float(goal_source.task.speed.value_at(now))
            times = np.array([now, now + max(abs(speed - current_speed) / MAX_SPEED_RATE, 1e-3)])
            path = Path([position, position + [np.cos(direction), np.sin(direction)]])
            goal_source.task = replace(
                goal_source.task, path=path, speed=SpeedProfile([current_speed, speed], times)
            )
            goal_source.station = 0.0
            self._command = (speed, direction)
        is_uneven = not isinstance(goal_source.task.ground, FlatGround) or bool(
            goal_source.task.forbidden_areas
        )
        if is_uneven and (
            goal_source.foothold_distance is None
            or float(np.linalg.norm(position - self._field_center)) > REFRESH_DISTANCE
        ):
            self._field_center = position
            field_task = replace(
                goal_source.task,
                path=Path([position - 0.5 * GROUND_MARGIN, position + 0.5 * GROUND_MARGIN]),
            )
            goal_source.foothold_distance = build_foothold_field(
                field_task, simulation.loop.slip_body
            )
