"""A walker that starts from a stand, walks, and stops in one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..biped import ANKLE_1
from ..driven_cycle import DrivenCycle, PoseSource
from ..input_cycle import InputCycle
from ..record import ChooseStep
from ..walker import PlanarWalker
from ..walker_policy import STAND_POLICY
from ..walker_state import WalkerState
from .plan import StandWalk


@dataclass(frozen=True)
class StandStepperParameters:
    """How starts and stops are joined with a walk.

    Args:
        start_steps: number of steps from a stand before the walk itself is followed. The planned
            walk has its speed after as many.
        stop_steps: number of steps from the end at which a stop is planned. tuned: a walk at
            1.5 m/s slows down within six
        least_factor, most_factor: least and largest length of the steps to a stand, as a factor of
            their length in the plan.
        least_change: change of their length that is not worth a fit, as a factor: 6 mm of a step.
        last_scaled: distance from the stand from which on steps keep their lengths [m]; they are
            short, and a factor would change with each of them.
    """

    start_steps: int = 3
    stop_steps: float = 7.0
    least_factor: float = 0.85
    most_factor: float = 1.15
    least_change: float = 0.01
    last_scaled: float = 1.0


STAND_STEPPER = StandStepperParameters()


@dataclass
class StandStepper:
    """Choice of the steps of a walk with a start or a stop, for `record_walk`.

    Args:
        walker: that of the walk between start and stop.
        choose_step: its choice of steps.
        step_length: length of its steps [m].
        start: walk from a stand; None if the walk begins in stride.
        plan_stop: returns the walk to a stand, for the leg that stands and the distance of its
            ankle from the end of the path [m]; None if it does not stop.
        end: distance of the end of the path [m].
        settled_integral: integral of the policy in the steady walk [rad], with which the walk
            follows a start. Without, it is up to 10 % too slow for ten steps.
        changes: number of the step from which on poses are those of each walk.
    """

    walker: PlanarWalker
    choose_step: ChooseStep
    step_length: float
    start: StandWalk | None
    plan_stop: Callable[[int, float], StandWalk] | None
    end: float
    settled_integral: float = 0.0
    changes: list[tuple[int, PoseSource]] = field(default_factory=list)
    _stop: StandWalk | None = field(init=False, default=None)
    _stop_number: int = field(init=False, default=0)
    _factor: float = field(init=False, default=1.0)

    def __post_init__(self) -> None:
        if self.start is not None:
            self.changes.append((0, self.start.poses))

    @property
    def start_steps(self) -> int:
        """Number of steps that are those of the start."""
        if self.start is None:
            return 0
        if self.start.length is not None:
            return self.start.count
        return min(STAND_STEPPER.start_steps, self.start.count)

    def __call__(self, walker: PlanarWalker, state: WalkerState) -> PlanarWalker:
        """Return the walker of the step that begins."""
        number = state.steps
        if self.start is not None and number < self.start_steps:
            return self.follow(self.start, number)
        ankle = float(walker.biped.locate(state.q, walker.biped.points[[ANKLE_1]])[0].real)
        left = self.end - ankle
        is_near = number > 0 and left < STAND_STEPPER.stop_steps * self.step_length
        is_new = is_near and self._stop is None and self.plan_stop is not None
        if is_new and self.plan_stop is not None:
            self._begin_stop(self.plan_stop(state.leg, left), state, left)
        if self._stop is not None:
            stopping = self._follow_stop(self._stop, number - self._stop_number, left)
            # The integral of the walk would keep its speed up.
            return replace(stopping, settled_integral=0.0) if is_new else stopping
        self.walker = self.choose_step(self.walker, state)
        if self.start is not None and number == self.start_steps:
            return replace(self.walker, settled_integral=self.settled_integral)
        return self.walker

    def join_poses(self, changes: Sequence[tuple[int, InputCycle]]) -> DrivenCycle:
        """Return the poses of start, walk and stop.

        Args:
            changes: cycles of the walk, by the number of the step from which on they are followed.
        """
        first = self.start_steps
        walks = [(max(number, first), cycle) for number, cycle in changes]
        return DrivenCycle(tuple(sorted([*self.changes, *walks], key=lambda change: change[0])))

    def follow(
        self, walk: StandWalk, number: int, before: float = 1.0, factor: float = 1.0
    ) -> PlanarWalker:
        """Return the walker of a step of a walk that is followed once, see `StandFit.fit`."""
        gait = walk.fit.fit(number, before, factor)
        return PlanarWalker(
            self.walker.simulation,
            (gait, gait),
            walk.fit.find_speed_ratio(number),
            policy=STAND_POLICY,
        )

    def _begin_stop(self, stop: StandWalk, state: WalkerState, left: float) -> None:
        """Begin a walk to a stand with the step of the same leg that is as far from its end."""
        numbers = [k for k in range(stop.count) if stop.find_leg(k) == state.leg]
        away = [abs(stop.measure_left(k) - left) for k in numbers]
        first = numbers[int(np.argmin(away))]
        self._stop = stop
        self._stop_number = state.steps - first
        self.changes.append((state.steps, replace(stop.poses, first=self._stop_number)))

    def _follow_stop(self, stop: StandWalk, number: int, left: float) -> PlanarWalker:
        planned = stop.measure_left(number)
        before = self._factor
        if planned < STAND_STEPPER.last_scaled:
            self._factor = 1.0
        else:
            factor = float(
                np.clip(left / planned, STAND_STEPPER.least_factor, STAND_STEPPER.most_factor)
            )
            changed = abs(factor - 1.0) > STAND_STEPPER.least_change
            self._factor = factor if changed else 1.0
        return self.follow(stop, number, before, self._factor)
