"""Changes of gait, which take place only when a foot has just landed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ....slip.command import Gait, StepGoal
from .phase_machine import PhaseMachine

# Control steps for which a foot has just landed [1].
FRESH_CONTACT_TICKS = 1.5


@dataclass
class GaitChange:
    """The gait of a body: "walk", also where it stands, or a gait with flights.

    Attributes:
        gait: current gait.
        has_flight_gait_ended: whether a gait with flights ended with the last call.
    """

    gait: Gait = "walk"
    has_flight_gait_ended: bool = False

    def modify_goal(
        self, step_goal: StepGoal, phase_machine: PhaseMachine, time: float
    ) -> StepGoal:
        """Return the goal with the gait that is possible now.

        Args:
            time: current time [s].
        """
        previous_gait = self.gait
        phase_age = time - phase_machine.phase_start
        is_fresh = (
            phase_machine.support == "single" and phase_age < FRESH_CONTACT_TICKS * phase_machine.dt
        )
        if is_fresh or phase_machine.support == "double":
            may_fly = is_fresh or step_goal.gait == previous_gait
            is_possible = may_fly and _can_begin_flight_gait(step_goal, phase_machine)
            self.gait = step_goal.gait if is_possible else "walk"
        self.has_flight_gait_ended = previous_gait not in ("walk", self.gait)
        if self.gait == "walk" and not step_goal.has_flight:
            return step_goal
        if self.gait == "walk":
            return replace(step_goal, gait="walk", uneven_steps=None)
        return step_goal if step_goal.gait == self.gait else replace(step_goal, gait=self.gait)


def _can_begin_flight_gait(step_goal: StepGoal, phase_machine: PhaseMachine) -> bool:
    """Return whether the goal has flights that the stance foot can begin."""
    return step_goal.has_flight and (
        step_goal.gait != "hop" or phase_machine.stance_foot == step_goal.hop_leg
    )
