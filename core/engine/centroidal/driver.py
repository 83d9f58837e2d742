"""A session in somebody's hands: what is wished for is what a body can follow, and the last half cycle may be taken back.

Hands turn a stick round in a moment; a body takes steps for it. So wishes go over a few half cycles into what is meant, and
when the hands change their mind before a half cycle is shown, it is planned once more.
"""
from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...character.humanoid import stands_like_people
from ...errors import TaskError
from ...geometry import so3
from ...motion import Motion
from ...task import SpeedProfile, Task
from ...terrain import Beyond
from ..base import ASIDE, FASTER, LIVE, SLOWER, TURN, Range, Wishes
from ..shared.character import body_of
from .session import Session


class Driver:
    """Goes on as it is told, half a cycle at a time.

    Args:
        task: as a session's; its speed is what it begins with. Where its ground ends, or has a hole, it goes on level.

    Raises:
        TaskError: the body does not walk like people.
    """

    def __init__(self, task: Task) -> None:
        character = body_of(task)
        if not stands_like_people(character):
            raise TaskError(f"{character.name} cannot be driven: as yet only bodies that walk on two legs like people can. "
                            "Generate its motion along a path.")
        self.range = Range.of(character.leg_length, task.gravity)
        self._unit, self._gravity = float(np.sqrt(task.gravity * character.leg_length)), task.gravity
        if task.ground.mesh() is not None:
            task = replace(task, ground=Beyond(task.ground))
        begin = Wishes(self._within(task.speed.top), float(task.path.heading(0.0)))
        self._now = (Session(replace(task, speed=SpeedProfile(begin.speed), start="moving")), begin, 0.4)
        self._before = self._now

    def advance(self, meant: Wishes) -> Motion:
        """The next half cycle towards what is meant."""
        self._before = self._now
        session, last, half = self._now
        session = session.branch()
        wishes = self._followed(meant, last, half)
        began, clock = session.time, time.perf_counter()
        part = session.advance(wishes)
        took = time.perf_counter() - clock
        self._now = (session, replace(wishes, pushes=()), session.time - began)
        return replace(part, report=replace(part.report, engine=LIVE, seconds={"total": took}))

    def take_back(self) -> None:
        """Be where it was before the last half cycle; one alone can be taken back."""
        self._now = self._before

    def _within(self, speed: float) -> float:
        return float(np.clip(speed, self.range.slowest, self.range.fastest))

    def _followed(self, meant: Wishes, last: Wishes, half: float) -> Wishes:
        """What of it a body can do in half a cycle of `half` seconds."""
        speed = self._within(float(np.clip(meant.speed, last.speed - SLOWER * self._unit, last.speed + FASTER * self._unit)))
        most = min(TURN, ASIDE * self._gravity * half / max(speed, last.speed))
        turn = so3.wrapped(meant.direction - last.direction)
        return replace(meant, speed=speed, direction=last.direction + float(np.clip(turn, -most, most)))
