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
from ..shared.scaling import REFERENCE_GRAVITY, REFERENCE_LEG_LENGTH
from .goal import REFERENCE_WALK_SPEED, RUN_SPEED
from .session import PreviewSession

FALLEN_DISPLAY_TIME = 1.5  # s that a body that has fallen is shown


def compute_speed_range(leg_length: float, gravity: float) -> tuple[SpeedRange, float]:
    """The range of legs of a length in m under a gravity in m/s^2,
    and the speed at which they walk of themselves, m/s.
    """
    speed_scale = float(np.sqrt(gravity * leg_length / (REFERENCE_GRAVITY * REFERENCE_LEG_LENGTH)))
    return SpeedRange(0.0, RUN_SPEED * speed_scale), REFERENCE_WALK_SPEED * speed_scale


class PreviewDriver:
    """Goes on as it is told, a part of a step at a time; it begins standing.

    Args:
        task: as a session's. Where its ground ends, the body falls.

    Raises:
        TaskError: the task asks for what no preview knows.
        CharacterError: the body does not stand on two soles.
    """

    def __init__(self, task: Task) -> None:
        self.speed_range, _ = compute_speed_range(
            load_task_character(task).leg_length, task.gravity
        )
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
