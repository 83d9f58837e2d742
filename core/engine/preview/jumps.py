"""Jumps at chosen moments: the take-off that comes nearest to each is a leap.

It is one off one foot, and goes as far as the body's speed carries it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...slip.command import StepGoal
from ...task import Jump
from .goal import with_walk_gait
from .phases.phase_machine import PhaseMachine

Array = NDArray[np.float64]

PUSH_OFF_TIME = 0.27  # s that a foot pushes before a leap
# s for which a stance has only begun: what began otherwise does not leap any more
MAX_STANCE_AGE = 0.06
START_LEAD_TIME = 0.9  # s before a leap, that a body that stands sets off
# of the height and the reach that were wished for, below which that is told
MIN_ACHIEVED_RATIO = 0.7
MAX_TAKE_OFF_ERROR = 0.5  # s that a take-off may be late or early before that is told


@dataclass(frozen=True)
class CompletedJump:
    """One that was done: when it left the ground, s, how high the centre of mass rose from
    there and how far it got, m.
    """

    requested: Jump
    time: float
    rise: float
    reach: float


class JumpScheduler:
    """Turns wishes into those of leaps where they are due."""

    def __init__(self, jumps: tuple[Jump, ...]) -> None:
        self._pending = sorted(jumps, key=lambda jump: jump.time)
        self._is_pushing = False
        # s and (3,) m of the take-off, in the air
        self._take_off: tuple[float, Array] | None = None
        self._apex_height = 0.0  # m
        self.completed: list[CompletedJump] = []

    def modify_goal(
        self,
        step_goal: StepGoal,
        time: float,
        phase_age: float,
        phase_machine: PhaseMachine,
        com: Array,
    ) -> StepGoal:
        """The wish for one instant.

        Args:
            time: of the clip, s.
            phase_age: s for which the body is in its phase.
            phase_machine: which that is.
            com: (3,) of the body.
        """
        if self._take_off is not None and phase_machine.support != "flight":
            take_off_time, take_off_com = self._take_off
            self.completed.append(
                CompletedJump(
                    self._pending.pop(0),
                    take_off_time,
                    self._apex_height - float(take_off_com[2]),
                    float(np.linalg.norm((com - take_off_com)[:2])),
                )
            )
            self._is_pushing = False
            self._take_off = None
        if not self._pending:
            return step_goal
        jump = self._pending[0]
        if not self._is_pushing:
            push_off_start = jump.time - PUSH_OFF_TIME - 0.5 * step_goal.step_time
            if (
                phase_machine.support != "single"
                or phase_age > MAX_STANCE_AGE
                or time < push_off_start
            ):
                is_starting = step_goal.gait == "stand" and time > jump.time - START_LEAD_TIME
                return with_walk_gait(step_goal) if is_starting else step_goal
            self._is_pushing = True
        elif phase_machine.support == "flight":
            self._take_off = self._take_off if self._take_off is not None else (time, com)
            self._apex_height = (
                max(self._apex_height, float(com[2])) if time > self._take_off[0] else float(com[2])
            )
        return replace(step_goal, gait="run", leap_height=jump.height)

    def make_notes(self, length_unit: float, time_unit: float) -> tuple[str, ...]:
        """A note for each jump that became another one than was wished for.

        Args:
            length_unit, time_unit: m and s of the clip for one of the simulation's.
        """
        notes = []
        for completed_jump in self.completed:
            requested = completed_jump.requested
            if (
                completed_jump.rise < MIN_ACHIEVED_RATIO * requested.height
                or completed_jump.reach < MIN_ACHIEVED_RATIO * requested.distance
                or abs(completed_jump.time - requested.time) > MAX_TAKE_OFF_ERROR
            ):
                notes.append(
                    f"the jump at {requested.time * time_unit:.2f} s takes off at "
                    f"{completed_jump.time * time_unit:.2f} s, rises by "
                    f"{completed_jump.rise * length_unit:.2f} m and reaches "
                    f"{completed_jump.reach * length_unit:.2f} m, as its speed carries it"
                )
        return tuple(notes)
