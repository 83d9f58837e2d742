"""Modifiers of a goal: what a body does because of balls, jumps, ledges and gaps.

The goal of the task passes through a chain of modifiers at each control step. A modifier reads the
body and its path from a read-only view, and returns the goal that it received or a changed copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...simulate import BodyState
from ...slip.command import StepGoal
from ...slip.state import Support
from .path_view import PathView


@dataclass(frozen=True)
class GoalView:
    """Read-only view of a body at one control step.

    Attributes:
        time: time of the clip [s]; -1 during the run-up, in which no event happens.
        path: where the body is on its path.
        is_running: whether its steps are those of a run.
        body: state of the body.
        heading: heading of the pelvis [rad], continuous over whole turns.
        support: support of the current contact phase.
        stance_foot: foot that carries the current step, 0 left, 1 right; in flight the foot that
            left the ground last.
        phase_age: time since the phase began [s].
        step_start: time of the simulation at which the step began [s].
        is_setting_off: whether the next step to end is the first one out of standing.
        is_in_maneuver: whether the body follows a maneuver in place of its steps.
    """

    time: float
    path: PathView
    is_running: bool
    body: BodyState
    heading: float
    support: Support
    stance_foot: int
    phase_age: float
    step_start: float
    is_setting_off: bool
    is_in_maneuver: bool

    @property
    def speed(self) -> float:
        """Horizontal speed of the center of mass [m/s]."""
        return float(np.linalg.norm(self.body.com_velocity[:2]))


class GoalModifier(Protocol):
    """A link of the chain."""

    def modify_goal(self, step_goal: StepGoal, view: GoalView) -> StepGoal:
        """Return the goal of one control step, changed where the modifier applies."""
        ...


def modify_goal(modifiers: Iterable[GoalModifier], step_goal: StepGoal, view: GoalView) -> StepGoal:
    """Return the goal after all modifiers, in their order."""
    for modifier in modifiers:
        step_goal = modifier.modify_goal(step_goal, view)
    return step_goal
