"""Driver of a simulated body, which follows every command and may fall."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...errors import MotionError
from ...motion import Motion
from ...task import Path, SpeedProfile, Task
from ..base import FALLEN_DISPLAY_TIME, LIVE_ENGINE_NAME, DriveCommand, SpeedRange
from ..shared.character import load_task_character
from .info import compute_drive_speeds
from .session import PreviewSession


class PreviewDriver:
    """A body that starts standing and is driven in parts shorter than a step.

    Args:
        task: task as for a `PreviewSession`. Where its ground ends, the body falls.

    Raises:
        TaskError: the task has features without support in this engine.
        CharacterError: the body does not stand on two soles.
    """

    def __init__(self, task: Task) -> None:
        speeds = compute_drive_speeds(load_task_character(task).leg_length, task.gravity)
        self.speed_range = SpeedRange(speeds.slow, speeds.fast)
        start = task.path.points[0]
        heading = float(task.path.heading_at(0.0))
        straight_path = Path([start, start + [np.cos(heading), np.sin(heading)]])
        self._session = PreviewSession(
            replace(task, path=straight_path, speed=SpeedProfile(0.0), start="standing")
        )
        self._previous_session = self._session
        self._fallen_time = 0.0
        self._previous_fallen_time = 0.0

    def advance(self, command: DriveCommand) -> Motion:
        """Return the next part of the motion.

        Raises:
            MotionError: the body has fallen, and has been shown for some time.
        """
        if self._fallen_time > FALLEN_DISPLAY_TIME:
            raise MotionError(
                f"The body has {self._session.fall_cause}. Steer it in wider turns and push it "
                "less."
            )
        self._previous_session = self._session
        self._previous_fallen_time = self._fallen_time
        self._session = self._session.branch()
        start_time = time.perf_counter()
        part = self._session.advance(
            replace(command, speed=float(np.clip(command.speed, 0.0, self.speed_range.fastest)))
        )
        if self._session.fall_cause:
            self._fallen_time += part.frames / part.fps
        return replace(
            part,
            report=replace(
                part.report,
                engine=LIVE_ENGINE_NAME,
                seconds={"total": time.perf_counter() - start_time},
            ),
        )

    def undo_last(self) -> None:
        """Return to the state before the last part; only one part can be undone."""
        self._session = self._previous_session
        self._fallen_time = self._previous_fallen_time
