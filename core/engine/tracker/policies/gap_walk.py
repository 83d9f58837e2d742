"""A walker that takes the steps of a stepping policy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ....errors import MotionError
from ....task.units import TaskUnits
from ..biped import HEEL_1, PlanarBiped
from ..input_walk import StepSamples
from ..walker import PlanarWalker
from ..walker_state import WalkerState
from .stepping_policy import (
    STEPPING,
    FootExtent,
    StepChoice,
    SteppingPolicy,
    StepState,
    StepTable,
)

Array = NDArray[np.float64]


@dataclass
class GapStepper:
    """Choice of the constraints of each step of a walker.

    Args:
        policy: policy for the gaps.
        length: index of the length of the present step.
        choices: of the steps up to now.
    """

    policy: SteppingPolicy
    length: int = field(init=False)
    choices: list[StepChoice] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.length = self.policy.table.find_length(1.0)

    @staticmethod
    def over_gaps(
        biped: PlanarBiped,
        steps: tuple[StepSamples, ...],
        gaps: Array,
        foot: FootExtent,
        span: tuple[float, float],
        units: TaskUnits,
    ) -> GapStepper:
        """Return the choice of steps that lead from the begin to the end of a span [m].

        Raises:
            MotionError: no steps lead over the gaps.
        """
        table = StepTable.from_samples(biped, steps)
        policy = SteppingPolicy.from_gaps(table, gaps, foot, span)
        if policy.find_risk() < STEPPING.max_risk:
            return GapStepper(policy)
        for count in range(1, len(gaps) + 1):
            policy = SteppingPolicy.from_gaps(table, gaps[:count], foot, span)
            if policy.find_risk() >= STEPPING.max_risk:
                break
        begin, end = gaps[count - 1]
        longest = units.to_user_length(float(table.length.max()))
        raise MotionError(
            f"No steps lead over the gap of {units.to_user_length(float(end - begin)):.2f} m that "
            f"begins {units.to_user_length(float(begin)):.2f} m along the path: the walker's steps "
            f"are at most {longest:.2f} m long, and it comes from the gap before it. Make the gap "
            "narrower, move it, or choose the engine 'preview'."
        )

    def __call__(self, walker: PlanarWalker, state: WalkerState) -> PlanarWalker:
        """Return the walker of the step that begins, for `record_walk`."""
        table = self.policy.table
        if state.steps == 0:  # Within a step there is nothing to choose.
            return self._follow(walker, state, self.length, 1.0)
        choice = self.policy.choose(self.observe(walker, state))
        self.choices.append(choice)
        return self._follow(walker, state, choice.length, float(table.speeds[choice.speed]))

    def _follow(
        self, walker: PlanarWalker, state: WalkerState, length: int, speed: float
    ) -> PlanarWalker:
        steps = self.policy.table.family.steps
        here = steps[state.leg][self.length][length]
        after = steps[1 - state.leg][length][length]
        self.length = length
        gait = (here, after) if state.leg == 0 else (after, here)
        return replace(walker, gait=gait, speed_ratio=speed, ground_gaits=None, sees_ground=False)

    def observe(self, walker: PlanarWalker, state: WalkerState) -> StepState:
        """Return what the policy depends on at a landing."""
        biped = walker.biped
        heel = biped.locate(state.q)[HEEL_1]
        place = float(heel.real - biped.side_view.heel.real)
        rate = float(walker.measure_phase(state).rate)
        return StepState(state.leg, self.length, rate, place)
