"""Interactive driving of a planned body.

A stick can be turned at once, but a body needs steps to turn. The driver therefore changes speed
and direction over a few half cycles. It can undo the last half cycle, so that it is planned once
more if the command changes before the half cycle is shown.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ...character.character import is_humanoid
from ...errors import TaskError
from ...geometry import so3
from ...motion import Motion
from ...task import SpeedProfile, Task
from ...terrain import ExtendedGround
from ..base import (
    LIVE_ENGINE_NAME,
    MAX_HALF_CYCLE_TURN,
    MAX_LATERAL_FORCE_RATIO,
    MAX_SPEED_GAIN_RATIO,
    MAX_SPEED_LOSS_RATIO,
    DriveCommand,
    SpeedRange,
)
from ..shared.character import load_task_character
from .session import Session

# Assumed duration of the half cycle before the first one [s]
INITIAL_HALF_CYCLE_TIME = 0.4


class DrivenSession(Protocol):
    """A motion that continues according to one command after another."""

    @property
    def time(self) -> float:
        """Time up to which frames were emitted [s]."""
        ...

    def branch(self) -> DrivenSession:
        """Return an independent session in the same state."""
        ...

    def advance(self, command: DriveCommand) -> Motion:
        """Return the next half cycle."""
        ...


@dataclass(frozen=True)
class _DriveState:
    """State of a drive after a half cycle.

    Args:
        session: the session.
        last_command: command of the half cycle, without its pushes.
        half_cycle_time: duration of the half cycle [s].
    """

    session: DrivenSession
    last_command: DriveCommand
    half_cycle_time: float


class CentroidalDriver:
    """Driver of a session that follows commands as fast as the body can.

    Args:
        task: task of the session, with the initial speed. Outside of its ground, and in holes of
            it, the ground is level.

    Raises:
        TaskError: The body is not a humanoid.
    """

    def __init__(self, task: Task) -> None:
        character = load_task_character(task)
        if not is_humanoid(character):
            raise TaskError(
                f"{character.name} cannot be driven: only bodies that walk on two legs like humans "
                "can. Generate its motion along a path."
            )
        self.speed_range = SpeedRange.from_leg_length(character.leg_length, task.gravity)
        self._speed_unit = float(np.sqrt(task.gravity * character.leg_length))
        self._gravity = task.gravity
        if task.ground.to_mesh() is not None:
            task = replace(task, ground=ExtendedGround(task.ground))
        first_command = DriveCommand(
            self._clip_speed(task.speed.max_speed), float(task.path.heading_at(0.0))
        )
        self._current = _DriveState(
            self._make_session(
                replace(task, speed=SpeedProfile(first_command.speed), start="moving")
            ),
            first_command,
            INITIAL_HALF_CYCLE_TIME,
        )
        self._previous = self._current

    def _make_session(self, task: Task) -> DrivenSession:
        """Return the session of a task."""
        return Session(task)

    def advance(self, command: DriveCommand) -> Motion:
        """Return the next half cycle, which follows the command as far as the body can."""
        self._previous = self._current
        session = self._current.session.branch()
        limited_command = self._limit_rates(
            command, self._current.last_command, self._current.half_cycle_time
        )
        begin_time = session.time
        clock_start = time.perf_counter()
        part = session.advance(limited_command)
        elapsed = time.perf_counter() - clock_start
        self._current = _DriveState(
            session, replace(limited_command, pushes=()), session.time - begin_time
        )
        return replace(
            part, report=replace(part.report, engine=LIVE_ENGINE_NAME, seconds={"total": elapsed})
        )

    def undo_last(self) -> None:
        """Restore the state before the last half cycle. Only one half cycle can be undone."""
        self._current = self._previous

    def _clip_speed(self, speed: float) -> float:
        return float(np.clip(speed, self.speed_range.slowest, self.speed_range.fastest))

    def _limit_rates(
        self, command: DriveCommand, last_command: DriveCommand, half_cycle_time: float
    ) -> DriveCommand:
        """Return the part of a command that the body can follow in half a cycle.

        Args:
            command: the command.
            last_command: command of the last half cycle.
            half_cycle_time: duration of the last half cycle [s].
        """
        speed = self._clip_speed(
            float(
                np.clip(
                    command.speed,
                    last_command.speed - MAX_SPEED_LOSS_RATIO * self._speed_unit,
                    last_command.speed + MAX_SPEED_GAIN_RATIO * self._speed_unit,
                )
            )
        )
        max_turn = min(
            MAX_HALF_CYCLE_TURN,
            MAX_LATERAL_FORCE_RATIO
            * self._gravity
            * half_cycle_time
            / max(speed, last_command.speed),
        )
        turn = so3.wrap_angle(command.direction - last_command.direction)
        return replace(
            command,
            speed=speed,
            direction=last_command.direction + float(np.clip(turn, -max_turn, max_turn)),
        )
