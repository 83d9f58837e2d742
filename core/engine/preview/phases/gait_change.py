"""When a body goes over from one gait to another: with a foot that has just
come down, and not before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ....slip.command import Gait, StepGoal
from .phase_machine import PhaseMachine

FRESH_CONTACT_TICKS = 1.5  # looks for which a foot has just come down


@dataclass
class GaitChange:
    """Remembers the gait that a body is in: a walk, also where it stands, or one with flights."""

    gait: Gait = "walk"
    has_flight_gait_ended: bool = False  # one with flights, with the last look

    def modify_goal(
        self, step_goal: StepGoal, phase_machine: PhaseMachine, time: float
    ) -> StepGoal:
        """The wish with the gait that can be had now.

        Args:
            time: s, now.
        """
        previous_gait = self.gait
        is_fresh = (
            phase_machine.support == "single"
            and time - phase_machine.phase_start < FRESH_CONTACT_TICKS * phase_machine.dt
        )
        is_possible = step_goal.has_flight and (
            step_goal.gait != "hop" or phase_machine.stance_foot == step_goal.hop_leg
        )
        if is_fresh or phase_machine.support == "double":
            self.gait = (
                step_goal.gait
                if is_possible and (is_fresh or step_goal.gait == previous_gait)
                else "walk"
            )
        self.has_flight_gait_ended = previous_gait not in ("walk", self.gait)
        if self.gait == "walk":
            return (
                replace(step_goal, gait="walk", uneven_steps=None)
                if step_goal.has_flight
                else step_goal
            )
        return step_goal if step_goal.gait == self.gait else replace(step_goal, gait=self.gait)
