"""Jumps at chosen moments: the take-off that comes nearest to each is a leap.

It is one off one foot, and goes as far as the body's speed carries it.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...slip.command import StepWish
from ...task import Jump
from .goal import walking
from .phases.phase_machine import Stepping

Array = NDArray[np.float64]

PUSHES = 0.27         # s that a foot pushes before a leap
FRESH = 0.06          # s for which a stance has only begun: what began otherwise does not leap any more
SETS_OFF = 0.9        # s before a leap, that a body that stands sets off
ENOUGH = 0.7          # of the height and the reach that were wished for, below which that is told
LATE = 0.5            # s that a take-off may be late or early before that is told


@dataclass(frozen=True)
class Leap:
    """One that was done: when it left the ground, s, how high the centre of mass rose from there and how far it got, m."""

    asked: Jump
    time: float
    rise: float
    reach: float


class Leaps:
    """Turns wishes into those of leaps where they are due."""

    def __init__(self, jumps: tuple[Jump, ...]) -> None:
        self._left = sorted(jumps, key=lambda jump: jump.time)
        self._is_pushing = False
        self._off: tuple[float, Array] | None = None          # s and (3,) m of the take-off, in the air
        self._top = 0.0                                       # m
        self.done: list[Leap] = []

    def of(self, wish: StepWish, time: float, since: float, stepping: Stepping, com: Array) -> StepWish:
        """The wish for one instant.

        Args:
            time: of the clip, s.
            since: s for which the body is in its phase.
            stepping: which that is.
            com: (3,) of the body.
        """
        if self._off is not None and stepping.support != "flight":
            when, begin = self._off
            self.done.append(Leap(self._left.pop(0), when, self._top - float(begin[2]), float(np.linalg.norm((com - begin)[:2]))))
            self._is_pushing, self._off = False, None
        if not self._left:
            return wish
        jump = self._left[0]
        if not self._is_pushing:
            lead = jump.time - PUSHES - 0.5 * wish.seconds
            if stepping.support != "single" or since > FRESH or time < lead:
                sets_off = wish.gait == "stand" and time > jump.time - SETS_OFF
                return walking(wish) if sets_off else wish
            self._is_pushing = True
        elif stepping.support == "flight":
            self._off = self._off if self._off is not None else (time, com)
            self._top = max(self._top, float(com[2])) if time > self._off[0] else float(com[2])
        return replace(wish, gait="run", leap=jump.height)

    def told(self, length: float, unit: float) -> tuple[str, ...]:
        """A note for each jump that became another one than was wished for.

        Args:
            length, unit: m and s of the clip for one of the simulation's.
        """
        notes = []
        for leap in self.done:
            asked = leap.asked
            if leap.rise < ENOUGH * asked.height or leap.reach < ENOUGH * asked.reach or abs(leap.time - asked.time) > LATE:
                notes.append(f"the jump at {asked.time * unit:.2f} s takes off at {leap.time * unit:.2f} s, rises by "
                             f"{leap.rise * length:.2f} m and reaches {leap.reach * length:.2f} m, as its speed carries it")
        return tuple(notes)
