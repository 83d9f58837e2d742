"""Walks with a transition: the cost of a training, and validation (section 8.3 of the paper)."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from .biped_model import set_ground
from .controller_file import ValidationRow
from .costs import COST_WEIGHTS
from .evaluation import (
    FALL_COST,
    HELPER_WEIGHT,
    TIMING,
    Evaluation,
    TrainingStage,
    build_walker,
    draw_walk,
)
from .external_forces import ExternalForces
from .height_field import EndlessField
from .movements import Movement, find_movement
from .parameters import GaitParameters, denormalize_gait
from .planner import Goal
from .shipped import load_shipped_controller
from .transitions import MovementTransition
from .validation import VALIDATION_SEED, WalkResult, summarize_walks
from .walker import TorqueWalker

Array = NDArray[np.float64]

# Least and largest number of half-cycles before a transition
HALF_CYCLES_BEFORE = (3, 6)
# Largest number of walks that are drawn until one does not fall before its transition
MAX_ATTEMPTS = 10
# Half-cycles in which a body finds the rhythm of the movement after a transition, and the distance
# from its goal up to which it has it then [m]
CYCLIC_AFTER = 3
MAX_DEVIATION = 0.15
# Largest number of half-cycles after the transition in a training: faults of a transition show
# in the first ones
MAX_TRAINED_HALF_CYCLES = 8


class _TransitionWalk:
    """Source of the goals of a transition and of the movement after it.

    Args:
        movements: before and after the transition.
        gaits: of the transition and of the movement after it.
        heading: of the body [rad].
        begin: half-cycles that the body has done before.
    """

    def __init__(
        self,
        movements: tuple[Movement, Movement],
        gaits: tuple[GaitParameters, GaitParameters],
        heading: float,
        begin: int,
    ) -> None:
        self._movements = movements
        self._gaits = gaits
        self._heading = heading
        self._begin = begin
        self._steps = gaits[0].steps or ()
        # Costs of the deviation of the center of mass at the beginning of each half-cycle
        self._costs: list[float] = []

    @property
    def transition_cost(self) -> float:
        """Cost of the center of mass' deviation in the transition, which does not count."""
        return self._costs[min(len(self._steps), len(self._costs) - 1)] - self._costs[0]

    def measure_deviation(self, half_cycle: int) -> float:
        """Return how far the body is from its goal at the end of a half-cycle [m].

        Args:
            half_cycle: after the transition, from 0.
        """
        end = len(self._steps) + half_cycle + 1
        if end >= len(self._costs):
            return float("inf")
        squared = (self._costs[end] - self._costs[end - 1]) / COST_WEIGHTS.deviation
        return float(np.sqrt(max(squared, 0.0)))

    def find_goal(self, walker: TorqueWalker) -> Goal:
        """Return the goal of the half-cycle that begins now."""
        before, after = self._movements
        transition, gait = self._gaits
        elapsed = walker.half_cycles - self._begin
        self._costs.append(walker.cost.deviation)
        if elapsed < len(self._steps):
            assert transition.second is not None
            walker.use_parameters(transition.second if elapsed else transition.first)
            direction = (after if before.step_length == 0 else before).direction
            return Goal(self._heading, self._heading + direction, self._steps[elapsed])
        walker.use_parameters(gait.select(walker.swing, after.lead))
        return Goal(self._heading, self._heading + after.direction, after.step_length)


@dataclass(frozen=True)
class _WalkBefore:
    """A walk up to a transition.

    Args:
        walker: at the beginning of a half-cycle; branch it.
        ground: on which it walks.
        heading: of the body [rad].
    """

    walker: TorqueWalker
    ground: EndlessField | None
    heading: float


def _draw_walk_before(
    names: tuple[str, str], seed: tuple[int, ...], stage: TrainingStage, body: str
) -> _WalkBefore:
    """Return a walk of a random number of half-cycles."""
    before, after = (find_movement(name) for name in names)
    gait = load_shipped_controller(before.name).gait
    walk = draw_walk((*seed, 0), stage.field_heights[0], stage.variety, before)
    begin = int(np.random.default_rng((*seed, 1)).integers(*HALF_CYCLES_BEFORE, endpoint=True))
    start = walk.start
    lead = after.lead if before.lead is None else before.lead
    if lead is not None and (start.swing + begin) % 2 != lead:  # which steps first
        begin += 1
    if before.step_length == 0:  # toward x, where the ground is uneven
        start = replace(start, heading=-after.direction)

    def find_goal(walker: TorqueWalker) -> Goal:
        walker.use_parameters(gait.select(walker.swing, before.lead))
        return Goal(start.heading, start.heading + before.direction, walk.step_length)

    forces = ExternalForces(stage.helper_limit)
    walker = build_walker(gait.first, body, walk.ground, find_goal, forces)
    walker.begin(start)
    while walker.step_count < begin * TIMING.half_cycle and not walker.has_fallen:
        walker.advance()
    return _WalkBefore(walker, walk.ground, start.heading)


@lru_cache(maxsize=1)
def _walk_before(
    names: tuple[str, str], seed: tuple[int, ...], stage: TrainingStage, body: str
) -> _WalkBefore:
    """Return a walk up to a transition, which all samples of a generation have in common.

    Walks whose body falls before the transition are drawn again.

    Args:
        names: of the movements before and after.
        seed: of the random walk.
        stage: how difficult it is.
        body: name of the body, see `evaluation.find_body`.
    """
    for attempt in range(MAX_ATTEMPTS):
        past = _draw_walk_before(names, (*seed, attempt), stage, body)
        if not past.walker.has_fallen:
            break
    return past


@dataclass(frozen=True)
class TransitionResult:
    """End of a walk with a transition.

    Args:
        walker: at the end.
        steps: control steps since the transition began.
        half_cycles: completed since then.
        cost: since then, without the deviation of the center of mass in the transition.
        is_cyclic: whether the body has the rhythm of the movement after it in time.
    """

    walker: TorqueWalker
    steps: int
    half_cycles: int
    cost: float
    is_cyclic: bool


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
    names = (transition.before, transition.after)
    past = _walk_before(names, seed, stage, body)
    walker = past.walker.branch()
    if past.ground is not None:  # other walks may have changed that of the model since
        set_ground(walker.model, past.ground)
    steps_before = walker.step_count
    cost_before = walker.cost.total
    half_cycles_before = steps_before // TIMING.half_cycle
    source = _TransitionWalk(
        (find_movement(names[0]), find_movement(names[1])),
        (gait, load_shipped_controller(names[1]).gait),
        past.heading,
        half_cycles_before,
    )
    walker.goal_source = source.find_goal
    walker.walk(len(transition.start_steps) + stage.half_cycles)
    return TransitionResult(
        walker,
        walker.step_count - steps_before,
        walker.half_cycles - half_cycles_before,
        cost=walker.cost.total - cost_before - source.transition_cost,
        is_cyclic=source.measure_deviation(CYCLIC_AFTER) < MAX_DEVIATION,
    )


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
    half_cycles = min(stage.half_cycles, MAX_TRAINED_HALF_CYCLES)
    result = simulate_transition(
        gait, transition, seed, replace(stage, half_cycles=half_cycles), body=body
    )
    steps_planned = (len(transition.start_steps) + half_cycles) * TIMING.half_cycle
    cost = result.cost + HELPER_WEIGHT * steps_planned * stage.helper_limit
    cost += FALL_COST * (steps_planned - result.steps)
    return Evaluation(float(cost), (result.half_cycles,), not result.walker.has_fallen)


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
    """Return the end of a walk, whose half-cycles are those since a transition began.

    A body that does not fall but has not found the rhythm of the movement in time counts as fallen.
    """
    stage = TrainingStage(0.0, VALIDATION_LENGTH, (case.field_height,), variety=case.variety)
    result = simulate_transition(gait, transition, (VALIDATION_SEED, number), stage, body)
    survived = result.is_cyclic and not result.walker.has_fallen
    return WalkResult(result.half_cycles, survived)


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
