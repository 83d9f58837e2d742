"""A simulated body in somebody's hands: what they mean it is asked for as it is, and it may fall."""
from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...errors import MotionError
from ...motion import Motion
from ...task import Path, SpeedProfile, Task
from ..base import LIVE, Range, Wishes
from ..shared.character import body_of
from ..shared.scaling import GRAVITY, LEG
from .goal import CADENCE, RUN_SPEED
from .session import PreviewSession

LIES = 1.5            # s that a body that has fallen is shown


def own_range(leg_length: float, gravity: float) -> tuple[Range, float]:
    """The range of legs of a length in m under a gravity in m/s^2, and the speed at which they walk of themselves, m/s."""
    unit = float(np.sqrt(gravity * leg_length / (GRAVITY * LEG)))
    return Range(0.0, RUN_SPEED * unit), CADENCE * unit


class PreviewDriver:
    """Goes on as it is told, a part of a step at a time; it begins standing.

    Args:
        task: as a session's. Where its ground ends, the body falls.

    Raises:
        TaskError: the task asks for what no preview knows.
        CharacterError: the body does not stand on two soles.
    """

    def __init__(self, task: Task) -> None:
        self.range, _ = own_range(body_of(task).leg_length, task.gravity)
        start = task.path.points[0]
        heading = float(task.path.heading(0.0))
        ahead = Path([start, start + [np.cos(heading), np.sin(heading)]])
        self._session = PreviewSession(replace(task, path=ahead, speed=SpeedProfile(0.0), start="standing"))
        self._before, self._lain, self._lain_before = self._session, 0.0, 0.0

    def advance(self, meant: Wishes) -> Motion:
        """The next part.

        Raises:
            MotionError: the body has fallen, and was shown to.
        """
        if self._lain > LIES:
            raise MotionError(f"The body has {self._session.fallen}. Steer it in wider turns and push it less.")
        self._before, self._lain_before = self._session, self._lain
        self._session = self._session.branch()
        clock = time.perf_counter()
        part = self._session.advance(replace(meant, speed=float(np.clip(meant.speed, 0.0, self.range.fastest))))
        if self._session.fallen:
            self._lain += part.frames / part.fps
        return replace(part, report=replace(part.report, engine=LIVE, seconds={"total": time.perf_counter() - clock}))

    def take_back(self) -> None:
        """Be where it was before the last part; one alone can be taken back."""
        self._session, self._lain = self._before, self._lain_before
