"""Jumps of a task: the take-off nearest to the time of each becomes a leap off one foot.

A leap is as long as the speed of the body makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...slip.command import StepGoal
from ...task import Jump
from .goal import with_walk_gait
from .goal_modifiers import GoalView

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LeapParameters:
    """Timing of leaps, and the differences that are reported."""

    # Time for which a foot pushes before a leap [s], that of the stance of a human run, 0.25 to
    # 0.3 s.
    push_off_time: float = 0.27
    # Age of a stance up to which it may become that of a leap [s]; later, the leg no longer has
    # the time to sink and push.
    max_stance_age: float = 0.06
    # Time before a jump at which a standing body begins to step [s]: a first step and its weight
    # shift take about as long.
    start_lead_time: float = 0.9
    # Height and distance, relative to those of the task, below which they are reported [1].
    min_achieved_ratio: float = 0.7
    # Difference of the take-off from the time of the task above which it is reported [s]; a
    # take-off is at most half of a step away, 0.3 s.
    max_take_off_error: float = 0.5


JUMPS = LeapParameters()


@dataclass(frozen=True)
class CompletedJump:
    """A jump that has ended.

    Attributes:
        requested: the jump of the task.
        time: time of the clip at the take-off [s].
        rise: rise of the center of mass above the take-off [m].
        reach: horizontal distance from the take-off to the landing [m].
    """

    requested: Jump
    time: float
    rise: float
    reach: float


@dataclass(frozen=True)
class _TakeOff:
    """Time of the clip [s] and center of mass (3,) [m] at a take-off."""

    time: float
    com: Array


class JumpScheduler:
    """Turns a step into a leap where a jump is due.

    Attributes:
        completed: the jumps that have ended.
    """

    def __init__(self, jumps: tuple[Jump, ...]) -> None:
        self._pending = sorted(jumps, key=lambda jump: jump.time)
        self._is_pushing = False
        self._take_off: _TakeOff | None = None
        self._apex_height = 0.0
        self.completed: list[CompletedJump] = []

    def modify_goal(self, step_goal: StepGoal, view: GoalView) -> StepGoal:
        """Return the goal of a leap during the stance and the flight of a jump."""
        if self._take_off is not None and view.support != "flight":
            self._complete(self._take_off, view.body.com)
        if not self._pending:
            return step_goal
        jump = self._pending[0]
        if self._is_pushing and view.support == "flight":
            self._follow_flight(view)
        if not self._is_pushing and not _begins(jump, step_goal, view):
            is_starting = (
                step_goal.gait == "stand" and view.time > jump.time - JUMPS.start_lead_time
            )
            return with_walk_gait(step_goal) if is_starting else step_goal
        self._is_pushing = True
        return replace(step_goal, gait="run", leap_height=jump.height)

    def make_notes(self, length_unit: float, time_unit: float) -> tuple[str, ...]:
        """Return a note for each jump that differs from that of the task.

        Args:
            length_unit: meters of the clip for one of the simulation.
            time_unit: seconds of the clip for one of the simulation.
        """
        return tuple(
            f"the jump at {jump.requested.time * time_unit:.2f} s takes off at "
            f"{jump.time * time_unit:.2f} s, rises by {jump.rise * length_unit:.2f} m and reaches "
            f"{jump.reach * length_unit:.2f} m, which depends on its speed"
            for jump in self.completed
            if _differs(jump)
        )

    def _complete(self, take_off: _TakeOff, com: Array) -> None:
        """Note that the first pending jump has landed with the center of mass at `com` (3,)."""
        self.completed.append(
            CompletedJump(
                self._pending.pop(0),
                take_off.time,
                self._apex_height - float(take_off.com[2]),
                float(np.linalg.norm((com - take_off.com)[:2])),
            )
        )
        self._is_pushing = False
        self._take_off = None

    def _follow_flight(self, view: GoalView) -> None:
        """Note the take-off and the greatest height of a leap."""
        height = float(view.body.com[2])
        if self._take_off is None:
            self._take_off = _TakeOff(view.time, view.body.com)
        is_first = view.time <= self._take_off.time
        self._apex_height = height if is_first else max(self._apex_height, height)


def _begins(jump: Jump, step_goal: StepGoal, view: GoalView) -> bool:
    """Return whether a stance has just begun whose take-off is the nearest to a jump."""
    push_off_start = jump.time - JUMPS.push_off_time - 0.5 * step_goal.step_time
    return (
        view.support == "single"
        and view.phase_age <= JUMPS.max_stance_age
        and view.time >= push_off_start
    )


def _differs(jump: CompletedJump) -> bool:
    """Return whether a jump is lower, shorter, earlier or later than in the task."""
    requested = jump.requested
    return (
        jump.rise < JUMPS.min_achieved_ratio * requested.height
        or jump.reach < JUMPS.min_achieved_ratio * requested.distance
        or abs(jump.time - requested.time) > JUMPS.max_take_off_error
    )
