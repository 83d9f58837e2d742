"""Transitions from one cyclical controller to another (Wu and Popović 2010, sections 7 and 8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from .controller_file import ValidationRow
from .evaluation import (
    FALL_COST,
    HELPER_WEIGHT,
    TIMING,
    Evaluation,
    RandomWalk,
    TrainingStage,
    build_walker,
    draw_walk,
)
from .external_forces import ExternalForces
from .movements import Movement, find_movement
from .parameters import GaitParameters, denormalize_gait
from .planner import Goal
from .shipped import load_shipped_controller
from .validation import VALIDATION_SEED, WalkResult, summarize_walks
from .walker import TorqueWalker

Array = NDArray[np.float64]

# Least and largest number of half-cycles before a transition
HALF_CYCLES_BEFORE = (3, 6)


@dataclass(frozen=True)
class MovementTransition:
    """Some half-cycles between two cyclical controllers, without a turn.

    Args:
        before, after: names of the movements.
        sources: names of the movements whose parameters its first half-cycle and the others
            begin with.
        start_steps: step lengths from which the search begins [m].
        first_changes, second_changes: parameters with which a search begins instead of those of
            the sources.
    """

    before: str
    after: str
    sources: tuple[str, str]
    start_steps: tuple[float, ...]
    first_changes: Mapping[str, float] = field(default_factory=dict)
    second_changes: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the file of its controller."""
        return f"{self.before}-{self.after}"

    def make_start(self, gaits: Mapping[str, GaitParameters]) -> GaitParameters:
        """Return parameters from which a search begins.

        Args:
            gaits: parameters of the movements by their names.
        """
        first, second = (gaits[name].first for name in self.sources)
        return GaitParameters(
            replace(first, **self.first_changes),
            replace(second, **self.second_changes),
            self.start_steps,
        )


# Rounded mean of a search over these 11 numbers and the step lengths alone
STOPPING = {
    "step_outward": -0.049,
    "step_forward": -0.014,
    "step_gain_outward": 0.183,
    "step_gain_ahead": 0.523,
    "step_gain_inward": 1.395,
    "body_gain_outward": 0.398,
    "body_gain_forward": 0.359,
    "body_outward": -0.013,
    "body_forward": -0.038,
    "body_lowering": -0.06,
    "body_along_2": 0.549,
}
TRANSITIONS = {
    transition.name: transition
    for transition in (
        MovementTransition(
            "forward",
            "stand",
            ("forward", "forward"),
            (0.49, 0.38, 0.21),
            first_changes=STOPPING,
            second_changes=STOPPING,
        ),
        MovementTransition("backward", "stand", ("backward", "backward"), (0.35, 0.25, 0.1)),
        # The body shifts over one foot and tips forward, then the other foot steps. The values are
        # the rounded mean of a search over these 16 numbers alone
        MovementTransition(
            "stand",
            "forward",
            ("stand", "forward"),
            (0.0, 0.81),
            first_changes={
                "body_outward": 0.045,
                "body_forward": 0.126,
                "body_along_1": 0.0,
                "body_along_2": 0.53,
                "body_lean_back": 1.6,
                "body_lowering": 0.025,
            },
            second_changes={
                "step_forward": -0.29,
                "step_outward": -0.063,
                "step_gain_ahead": 0.058,
                "step_gain_behind": 0.161,
                "swing_height_2": 0.225,
                "body_forward": 0.007,
                "body_outward": -0.022,
                "body_lowering": -0.154,
                "body_along_2": 0.424,
                "body_height_2": -0.075,
            },
        ),
        MovementTransition(
            "stand",
            "backward",
            ("stand", "backward"),
            (0.0, 0.56),
            first_changes={
                "body_outward": -0.035,
                "body_forward": 0.095,
                "body_along_1": 0.0,
                "body_along_2": 0.495,
                "body_lean_back": -2.4,
                "body_lowering": -0.021,
            },
            second_changes={
                "step_forward": 0.053,
                "step_outward": 0.044,
                "step_gain_ahead": 1.234,
                "step_gain_behind": 0.452,
                "swing_height_2": 0.14,
                "body_forward": 0.149,
                "body_outward": 0.008,
                "body_lowering": -0.152,
                "body_along_2": 0.681,
                "body_height_2": 0.112,
            },
        ),
    )
}


class _TransitionWalk:
    """Source of the goals of a walk with one transition.

    Args:
        gaits: of the movement before, the transition and the movement after.
        walk: start and ground of the movement before.
        begin: number of half-cycles before the transition.
    """

    def __init__(
        self,
        movements: tuple[Movement, Movement],
        gaits: tuple[GaitParameters, GaitParameters, GaitParameters],
        walk: RandomWalk,
        begin: int,
    ) -> None:
        self._movements = movements
        self._gaits = gaits
        self._walk = walk
        self._begin = begin
        self._length = len(gaits[1].steps or ())
        self._costs: list[float] = []

    @property
    def transition_cost(self) -> float:
        """Cost of the center of mass' deviation in the transition, which does not count."""
        end = self._begin + self._length
        if len(self._costs) <= self._begin:
            return 0.0
        return self._costs[min(end, len(self._costs) - 1)] - self._costs[self._begin]

    def find_goal(self, walker: TorqueWalker) -> Goal:
        """Return the goal of the half-cycle that begins now."""
        self._costs.append(walker.cost.deviation)
        before, after = self._movements
        elapsed = walker.half_cycles - self._begin
        heading = self._walk.start.heading
        if 0 <= elapsed < self._length:
            transition = self._gaits[1]
            assert transition.second is not None
            assert transition.steps is not None
            walker.use_parameters(transition.second if elapsed else transition.first)
            direction = (after if before.step_length == 0 else before).direction
            return Goal(heading, heading + direction, transition.steps[elapsed])
        movement, gait = (before, self._gaits[0]) if elapsed < 0 else (after, self._gaits[2])
        walker.use_parameters(gait.select(walker.swing, movement.lead))
        step = self._walk.step_length if elapsed < 0 else movement.step_length
        return Goal(heading, heading + movement.direction, step)


@dataclass(frozen=True)
class TransitionResult:
    """End of a walk with a transition.

    Args:
        walker: at the end.
        half_cycles: planned.
        cost: without the deviation of the center of mass in the transition.
    """

    walker: TorqueWalker
    half_cycles: int
    cost: float


def simulate_transition(
    gait: GaitParameters,
    transition: MovementTransition,
    seed: tuple[int, ...],
    stage: TrainingStage,
    body: str,
) -> TransitionResult:
    """Return the end of a walk with a transition, on the first ground of a stage.

    Args:
        gait: parameters of the transition.
        transition: what it connects.
        seed: of the random walk.
        stage: how difficult it is; its half-cycles are those after the transition.
        body: name of the body, see `evaluation.find_body`.
    """
    before, after = (find_movement(one) for one in (transition.before, transition.after))
    walk = draw_walk((*seed, 0), stage.field_heights[0], stage.variety, before)
    begin = int(np.random.default_rng((*seed, 1)).integers(*HALF_CYCLES_BEFORE, endpoint=True))
    if before.step_length == 0:  # toward x, where the ground is uneven
        walk = replace(walk, start=replace(walk.start, heading=-after.direction))
    gaits = (
        load_shipped_controller(before.name).gait,
        gait,
        load_shipped_controller(after.name).gait,
    )
    source = _TransitionWalk((before, after), gaits, walk, begin)
    walker = build_walker(
        gait.first, body, walk.ground, source.find_goal, ExternalForces(stage.helper_limit)
    )
    count = begin + len(transition.start_steps) + stage.half_cycles
    walker.begin(walk.start)
    walker.walk(count)
    return TransitionResult(walker, count, walker.cost.total - source.transition_cost)


def evaluate_transition(
    coordinates: Array,
    seed: tuple[int, ...],
    stage: TrainingStage,
    body: str,
    transition: MovementTransition,
) -> Evaluation:
    """Return the cost of a transition between the controllers that Footfall ships.

    Args:
        coordinates: of the search, see `parameters.normalize_gait`.
        seed: of the random walk.
        stage: how difficult it is.
        body: name of the body, see `evaluation.find_body`.
        transition: what it connects.
    """
    gait = denormalize_gait(np.clip(coordinates, 0.0, 1.0))
    result = simulate_transition(gait, transition, seed, stage, body)
    walker = result.walker
    steps_planned = result.half_cycles * TIMING.half_cycle
    cost = result.cost + HELPER_WEIGHT * steps_planned * stage.helper_limit
    cost += FALL_COST * (steps_planned - walker.step_count)
    return Evaluation(float(cost), (walker.half_cycles,), not walker.has_fallen)


@dataclass(frozen=True)
class _Case:
    label: str
    field_height: float = 0.0
    variety: float = 0.25


CASES = (
    _Case("plane"),
    _Case("plane, all starts and step lengths", variety=1.0),
    _Case("fields 0-0.05 m", 0.05),
    _Case("fields 0-0.1 m", 0.1),
    _Case("fields 0-0.2 m", 0.2),
)
VALIDATION_LENGTH = 16  # half-cycles after a transition


def try_transition(
    number: int, gait: GaitParameters, body: str, case: _Case, transition: MovementTransition
) -> WalkResult:
    """Return the end of a walk, whose half-cycles are those since a transition began."""
    stage = TrainingStage(0.0, VALIDATION_LENGTH, (case.field_height,), variety=case.variety)
    result = simulate_transition(gait, transition, (VALIDATION_SEED, number), stage, body)
    missing = result.half_cycles - result.walker.half_cycles
    done = max(len(transition.start_steps) + VALIDATION_LENGTH - missing, 0)
    return WalkResult(done, not result.walker.has_fallen)


def validate_transition(
    gait: GaitParameters, body: str, walks: int, executor: Executor, transition: MovementTransition
) -> tuple[ValidationRow, ...]:
    """Return how well a transition holds without helper force, from random half-cycles.

    Args:
        body: name of the body.
        walks: number of walks of each kind.
        executor: simulates the walks.
        transition: what it connects.
    """
    half_cycles = len(transition.start_steps) + VALIDATION_LENGTH
    rows = []
    for case in CASES:
        call = partial(try_transition, gait=gait, body=body, case=case, transition=transition)
        results = list(executor.map(call, range(walks)))
        rows.append(summarize_walks(case.label, results, half_cycles))
    return tuple(rows)
