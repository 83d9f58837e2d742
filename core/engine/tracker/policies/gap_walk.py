"""A walker that takes the steps of a stepping policy, over gaps and steps of the ground."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ....errors import MotionError
from ....task.units import TaskUnits
from ..biped import HEEL_1, PlanarBiped
from ..ground_gaits import GroundGaits
from ..input_walk import StepSamples
from ..path_ground import PathGround
from ..walker import PlanarWalker
from ..walker_state import WalkerState
from .step_lengths import StepFactors, scale_step
from .stepping_policy import (
    STEPPING,
    FootExtent,
    StepChoice,
    SteppingPolicy,
    StepState,
    StepTable,
)

Array = NDArray[np.float64]


# Distance of the toes from a step up, and of the heel from a step down [m]. tuned: nearer, a foot
# that swings cuts the edge, test_stepping.test_feet_clear_the_edges_of_stairs
ROOM_BEFORE_UP = 0.03
ROOM_AFTER_DOWN = 0.06


@dataclass(frozen=True)
class LengthGaits:
    """Steps between pairs of lengths on any ground, fitted as they are needed.

    Args:
        biped: body.
        samples: a step on the left and one on the right foot, on level ground.
        factors: lengths as factors of those of the samples, shape (m,).
    """

    biped: PlanarBiped
    samples: tuple[StepSamples, ...]
    factors: Array
    _fitted: dict[tuple[int, int, int], GroundGaits] = field(default_factory=dict, repr=False)

    def find(self, leg: int, before: int, length: int) -> GroundGaits:
        """Return the gaits of a step on a leg.

        Args:
            leg: index of the leg that stands.
            before: index of the length of the step before it.
            length: index of its length.
        """
        key = (leg, before, length)
        if key not in self._fitted:
            old, new = (float(self.factors[k]) for k in (before, length))
            here = scale_step(self.samples[leg], self.biped, StepFactors(old, new))
            last = scale_step(self.samples[1 - leg], self.biped, StepFactors(old, old))
            steps = (here, last) if leg == 0 else (last, here)
            self._fitted[key] = GroundGaits(self.biped, steps)
        return self._fitted[key]


@dataclass
class PolicyStepper:
    """Choice of the constraints of each step of a walker.

    Args:
        policy: policy for the ground.
        gaits: steps on ground that is not level; None where all of it is.
        length: index of the length of the present step.
        choices: of the steps up to now.
    """

    policy: SteppingPolicy
    gaits: LengthGaits | None = None
    length: int = field(init=False)
    choices: list[StepChoice] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.length = self.policy.table.find_length(1.0)

    @staticmethod
    def over_ground(
        biped: PlanarBiped,
        samples: tuple[StepSamples, ...],
        ground: PathGround,
        foot: FootExtent,
        span: tuple[float, float],
        units: TaskUnits,
    ) -> PolicyStepper:
        """Return the choice of steps that lead from the begin to the end of a span [m].

        Raises:
            MotionError: no steps lead over the gaps and steps of the ground.
        """
        table = StepTable.from_samples(biped, samples)
        places = np.concatenate([ground.gaps, list_steps(ground)])
        places = places[np.argsort(places[:, 0])]
        policy = SteppingPolicy.from_gaps(table, places, foot, span)
        if policy.find_risk() < STEPPING.max_risk:
            gaits = LengthGaits(biped, samples, table.family.factors)
            return PolicyStepper(policy, None if ground.is_level else gaits)
        for count in range(1, len(places) + 1):
            policy = SteppingPolicy.from_gaps(table, places[:count], foot, span)
            if policy.find_risk() >= STEPPING.max_risk:
                break
        raise MotionError(_describe_obstacle(policy, ground, units))

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
        gaits = None
        if self.gaits is not None:
            gaits = self.gaits.find(state.leg, self.length, length)
        self.length = length
        return replace(
            walker,
            gait=(here, after) if state.leg == 0 else (after, here),
            speed_ratio=speed,
            ground_gaits=gaits,
            sees_ground=gaits is not None,
        )

    def observe(self, walker: PlanarWalker, state: WalkerState) -> StepState:
        """Return what the policy depends on at a landing."""
        biped = walker.biped
        heel = biped.locate(state.q)[HEEL_1]
        place = float(heel.real - biped.side_view.heel.real)
        rate = float(walker.measure_phase(state).rate)
        return StepState(state.leg, self.length, rate, place)


def list_steps(ground: PathGround) -> Array:
    """Return begin and end of what no foot may touch around each step [m], shape (s, 2)."""
    places = ground.steps.copy()
    for place in places:
        before, after = (ground.locate(float(x)).height for x in place)
        place += [-ROOM_BEFORE_UP, 0.0] if after > before else [0.0, ROOM_AFTER_DOWN]
    return places


def _describe_obstacle(policy: SteppingPolicy, ground: PathGround, units: TaskUnits) -> str:
    """Return the message on the last gap or step of a policy, which no steps lead over."""
    begin, end = policy.gaps[-1]
    place = f"{units.to_user_length(float(begin)):.2f} m along the path"
    longest = units.to_user_length(float(policy.table.length.max()))
    if begin in ground.gaps[:, 0]:
        return (
            f"No steps lead over the gap of {units.to_user_length(float(end - begin)):.2f} m that "
            f"begins {place}: the walker's steps are at most {longest:.2f} m long, and it comes "
            "from the gap or step before it. Make the gap narrower, move it, or choose the engine "
            "'preview'."
        )
    foot = units.to_user_length(policy.foot.front - policy.foot.rear)
    return (
        f"No steps lead over the step of the ground {place}: the walker's foot is {foot:.2f} m "
        f"long and takes one tread after another, with steps of at most {longest:.2f} m. Make the "
        "tread wider, move the step, or choose the engine 'preview'."
    )
