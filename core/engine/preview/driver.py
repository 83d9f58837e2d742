"""A simulated body in somebody's hands: what they mean it is asked for as
it is, and it may fall.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...errors import MotionError
from ...motion import Motion
from ...task import Path, SpeedProfile, Task
from ..base import LIVE_ENGINE_NAME, DriveCommand, SpeedRange
from ..shared.character import load_task_character
from .drive_speeds import compute_drive_speeds
from .session import PreviewSession

FALLEN_DISPLAY_TIME = 1.5  # s that a body that has fallen is shown


class PreviewDriver:
    """Goes on as it is told, a part of a step at a time; it begins standing.

    Args:
        task: as a session's. Where its ground ends, the body falls.

    Raises:
        TaskError: the task asks for what no preview knows.
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
        """The next part.

        Raises:
            MotionError: the body has fallen, and was shown to.
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
        """Be where it was before the last part; one alone can be taken back."""
        self._session = self._previous_session
        self._fallen_time = self._previous_fallen_time
