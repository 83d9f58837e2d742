"""A session in somebody's hands: what is wished for is what a body can follow, and the last half
cycle may be taken back.

Hands turn a stick round in a moment; a body takes steps for it. So wishes go over a few half cycles
into what is meant, and when the hands change their mind before a half cycle is shown, it is planned
once more.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...character.humanoid import is_humanoid
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


class CentroidalDriver:
    """Goes on as it is told, half a cycle at a time.

    Args:
        task: as a session's; its speed is what it begins with. Where its ground ends, or has a
            hole, it goes on level.

    Raises:
        TaskError: the body does not walk like people.
    """

    def __init__(self, task: Task) -> None:
        character = load_task_character(task)
        if not is_humanoid(character):
            raise TaskError(
                f"{character.name} cannot be driven: as yet only bodies that walk on two legs "
                "like people can. Generate its motion along a path."
            )
        self.speed_range = SpeedRange.from_leg_length(character.leg_length, task.gravity)
        self._speed_unit = float(np.sqrt(task.gravity * character.leg_length))
        self._gravity = task.gravity
        if task.ground.to_mesh() is not None:
            task = replace(task, ground=ExtendedGround(task.ground))
        first_command = DriveCommand(
            self._clip_speed(task.speed.max_speed), float(task.path.heading_at(0.0))
        )
        self._current = (
            Session(replace(task, speed=SpeedProfile(first_command.speed), start="moving")),
            first_command,
            0.4,
        )
        self._previous = self._current

    def advance(self, command: DriveCommand) -> Motion:
        """The next half cycle towards what is meant."""
        self._previous = self._current
        session, last_command, half_cycle_time = self._current
        session = session.branch()
        limited_command = self._limit_rates(command, last_command, half_cycle_time)
        begin_time = session.time
        clock_start = time.perf_counter()
        part = session.advance(limited_command)
        elapsed = time.perf_counter() - clock_start
        self._current = (session, replace(limited_command, pushes=()), session.time - begin_time)
        return replace(
            part, report=replace(part.report, engine=LIVE_ENGINE_NAME, seconds={"total": elapsed})
        )

    def undo_last(self) -> None:
        """Be where it was before the last half cycle; one alone can be taken back."""
        self._current = self._previous

    def _clip_speed(self, speed: float) -> float:
        return float(np.clip(speed, self.speed_range.slowest, self.speed_range.fastest))

    def _limit_rates(
        self, command: DriveCommand, last_command: DriveCommand, half_cycle_time: float
    ) -> DriveCommand:
        """What of it a body can do in half a cycle of `half_cycle_time` seconds."""
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
