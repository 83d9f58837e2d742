"""Walks with a transition: the cost of a training, and validation (section 8.3 of the paper)."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from .biped_model import set_ground
from .body_identity import SearchBody
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
from .gait_choice import GaitChooser, MotionRequest
from .height_field import PLANE, EndlessField, GroundKind
from .movement_choice import TURN_NAME
from .movements import MOVEMENTS, Movement, find_movement
from .parameters import GaitParameters, denormalize_gait
from .planner import Goal
from .shipped import load_shipped_controller, load_shipped_gaits
from .transitions import TRANSITIONS, MovementTransition
from .validation import VALIDATION_SEED, ValidationCase, WalkResult, summarize_walks
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
# Largest angle between the facing of the body and that of its goal then [rad]
MAX_FACING_ERROR = float(np.radians(15.0))
# Smallest turn of random walks, as a share of the whole turn of a transition
MIN_TURN_SHARE = 0.25
# Largest number of half-cycles after the transition in a training: faults of a transition show
# in the first ones, and a body that stands still does so on
MAX_TRAINED_HALF_CYCLES = 8
MAX_TRAINED_STANDING = 5
# Half-cycles for which a body stands at least and at most before it turns
HALF_CYCLES_STANDING = (3, 8)


class _TransitionWalk:
    """Source of the goals of a transition and of the movement after it.

    Args:
        transition: what it connects.
        gaits: parameters of the transition and of the movement after it.
        past: walk before.
        begin: half-cycles that the body has done before.
    """

    def __init__(
        self,
        transition: MovementTransition,
        gaits: tuple[GaitParameters, GaitParameters],
        past: WalkBefore,
        begin: int,
    ) -> None:
        self._transition = transition
        self._movements = find_movement(transition.before), find_movement(transition.after)
        self._gaits = gaits
        self._past = past
        self._begin = begin
        self._steps = gaits[0].steps or ()
        # Costs of the deviation of the center of mass, and errors of the facing [rad], at the
        # beginning of each half-cycle
        self._costs: list[float] = []
        self._facing_errors: list[float] = []

    @property
    def transition_cost(self) -> float:
        """Cost of the center of mass' deviation in the transition, which does not count."""
        return self._costs[min(len(self._steps), len(self._costs) - 1)] - self._costs[0]

    def is_cyclic(self) -> bool:
        """Return whether the body has the rhythm of the movement after it in time."""
        end = len(self._steps) + CYCLIC_AFTER + 1
        if end >= len(self._costs):
            return False
        squared = (self._costs[end] - self._costs[end - 1]) / COST_WEIGHTS.deviation
        return squared < MAX_DEVIATION**2 and self._facing_errors[end] < MAX_FACING_ERROR

    def find_goal(self, walker: TorqueWalker) -> Goal:
        """Return the goal of the half-cycle that begins now."""
        before, after = self._movements
        during, following = self._gaits
        elapsed = walker.half_cycles - self._begin
        self._costs.append(walker.cost.deviation)
        error = so3.wrap_angle(walker.heading - walker.goal.facing)
        self._facing_errors.append(abs(float(error)))
        heading = self._past.heading
        if elapsed < len(self._steps):
            walker.use_parameters(self._transition.select(during, elapsed))
            direction = (after if before.step_length == 0 else before).direction
            base = Goal(heading, heading + direction, self._steps[elapsed])
            return self._transition.make_goal(elapsed, self._past.turn, base)
        walker.use_parameters(following.select(walker.swing, after.lead))
        heading += self._past.turn
        return Goal(heading, heading + after.direction, after.step_length)


@dataclass(frozen=True)
class WalkBefore:
    """A walk up to a transition.

    Args:
        walker: at the beginning of a half-cycle; branch it.
        ground: on which it walks.
        heading: of the body [rad].
        turn: to the left in the transition [rad].
    """

    walker: TorqueWalker
    ground: EndlessField | None
    heading: float
    turn: float


def _draw_walk_before(
    transition: MovementTransition, seed: tuple[int, ...], stage: TrainingStage, body: SearchBody
) -> WalkBefore:
    """Return a walk of a random number of half-cycles."""
    before, after = find_movement(transition.before), find_movement(transition.after)
    # A body that turns where it stands walks there, to uneven ground
    moving = MOVEMENTS["forward"] if transition.name == TURN_NAME else before
    walk = draw_walk((*seed, 0), stage.grounds[0], stage.variety, moving)
    rng = np.random.default_rng((*seed, 1))
    begin = int(rng.integers(*HALF_CYCLES_BEFORE, endpoint=True))
    start = walk.start
    lead = after.lead if before.lead is None else before.lead
    if lead is not None and (start.swing + begin) % 2 != lead:  # which steps first
        begin += 1
    if moving.step_length == 0:  # toward x, where the ground is uneven
        start = replace(start, heading=-after.direction)
    gait = load_shipped_controller(moving.name).gait
    direction = start.heading + moving.direction

    def find_goal(walker: TorqueWalker) -> Goal:
        walker.use_parameters(gait.select(walker.swing, moving.lead))
        return Goal(start.heading, direction, walk.step_length)

    forces = ExternalForces(stage.helper_limit)
    walker = build_walker(gait.first, body, walk.ground, find_goal, forces)
    walker.begin(start)
    _advance(walker, begin)
    if moving is not before:
        _stop_and_stand(walker, moving, start.heading)
    turn = transition.whole_turn * (1.0 - stage.variety * (1.0 - MIN_TURN_SHARE) * rng.uniform())
    turn *= 1.0 if walker.swing == 0 else -1.0
    return WalkBefore(walker, walk.ground, start.heading, turn)


def _stop_and_stand(walker: TorqueWalker, moving: Movement, heading: float) -> None:
    """Let a walker stop and stand until it is still.

    Args:
        walker: at the beginning of a half-cycle.
        moving: what it does.
        heading: of the body [rad].
    """
    gaits = load_shipped_gaits()
    chooser = GaitChooser(gaits, TIMING.half_cycle_time, moving.name, heading)
    request = MotionRequest(0.0, heading + moving.direction, heading)
    walker.goal_source = lambda walker: chooser.choose(walker, request)
    _advance(walker, len(gaits[f"{moving.name}-stand"].steps or ()))
    least, most = HALF_CYCLES_STANDING
    for k in range(most):
        if k >= least and chooser.is_still(walker):
            return
        _advance(walker, 1)


def _advance(walker: TorqueWalker, half_cycles: int) -> None:
    """Simulate half-cycles without finishing the last one, until the body falls."""
    end = walker.step_count + half_cycles * TIMING.half_cycle
    while walker.step_count < end and not walker.has_fallen:
        walker.advance()


@lru_cache(maxsize=4)
def _walk_before(
    name: str, seed: tuple[int, ...], stage: TrainingStage, body: SearchBody
) -> WalkBefore:
    """Return a walk up to a transition, which all samples of a generation have in common.

    Walks whose body falls before the transition are drawn again.

    Args:
        name: of the transition.
        seed: of the random walk.
        stage: how difficult it is.
        body: see `evaluation.find_body`.
    """
    for attempt in range(MAX_ATTEMPTS):
        past = _draw_walk_before(TRANSITIONS[name], (*seed, attempt), stage, body)
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
    body: SearchBody,
) -> TransitionResult:
    """Return the end of a walk with a transition, on the one ground of a stage.

    Args:
        gait: parameters of the transition.
        transition: what it connects.
        seed: of the random walk.
        stage: how difficult it is; its half-cycles are those after the transition.
        body: see `evaluation.find_body`.
    """
    past = _walk_before(transition.name, seed, stage, body)
    walker = past.walker.branch()
    if past.ground is not None:  # other walks may have changed that of the model since
        set_ground(walker.model, past.ground)
    steps_before = walker.step_count
    cost_before = walker.cost.total
    half_cycles_before = steps_before // TIMING.half_cycle
    source = _TransitionWalk(
        transition,
        (gait, load_shipped_controller(transition.after).gait),
        past,
        half_cycles_before,
    )
    walker.goal_source = source.find_goal
    walker.walk(len(transition.start_steps) + stage.half_cycles)
    return TransitionResult(
        walker,
        walker.step_count - steps_before,
        walker.half_cycles - half_cycles_before,
        cost=walker.cost.total - cost_before - source.transition_cost,
        is_cyclic=source.is_cyclic(),
    )


def evaluate_transition(
    coordinates: Array,
    seed: tuple[int, ...],
    stage: TrainingStage,
    body: SearchBody,
    transition: MovementTransition,
) -> Evaluation:
    """Return the costs of a transition between the controllers that Footfall ships.

    Args:
        coordinates: of the search, see `parameters.normalize_gait`.
        seed: of the random walks.
        stage: how difficult they are.
        body: see `evaluation.find_body`.
        transition: what it connects.
    """
    gait = denormalize_gait(np.clip(coordinates, 0.0, 1.0))
    longest = MAX_TRAINED_STANDING if transition.after == "stand" else MAX_TRAINED_HALF_CYCLES
    stage = replace(stage, half_cycles=min(stage.half_cycles, longest))
    steps_planned = (len(transition.start_steps) + stage.half_cycles) * TIMING.half_cycle
    help_cost = HELPER_WEIGHT * steps_planned * stage.helper_limit
    costs = []
    half_cycles = []
    falls = []
    for k, ground in enumerate(stage.grounds):
        one = replace(stage, grounds=(ground,))
        result = simulate_transition(gait, transition, (*seed, k), one, body)
        costs.append(help_cost + result.cost + FALL_COST * (steps_planned - result.steps))
        half_cycles.append(result.half_cycles)
        falls.append(result.walker.has_fallen)
    return Evaluation(tuple(costs), tuple(half_cycles), tuple(falls))


@dataclass(frozen=True)
class _Case:
    """Ground and variety of walks, as those of `ValidationCase`."""

    label: str
    ground: GroundKind = PLANE
    variety: float = ValidationCase.variety


CASES = (
    _Case("plane"),
    _Case("plane, all starts and step lengths", variety=1.0),
    _Case("fields 0-0.05 m", GroundKind(0.05)),
    _Case("fields 0-0.1 m", GroundKind(0.1)),
    _Case("fields 0-0.2 m", GroundKind(0.2)),
)
# Half-cycles after a transition, and after a turn, which leads to the side of the fields
VALIDATION_LENGTH = 16
LENGTH_AFTER_TURN = 8


def find_validation_length(transition: MovementTransition) -> int:
    """Return the number of half-cycles after a transition in its validation."""
    return LENGTH_AFTER_TURN if transition.turns else VALIDATION_LENGTH


def try_transition(
    number: int, gait: GaitParameters, body: SearchBody, case: _Case, transition: MovementTransition
) -> WalkResult:
    """Return the end of a walk, whose half-cycles are those since a transition began.

    A body that does not fall but has not found the rhythm of the movement in time counts as fallen.
    """
    length = find_validation_length(transition)
    stage = TrainingStage(0.0, length, (case.ground,), variety=case.variety)
    result = simulate_transition(gait, transition, (VALIDATION_SEED, number), stage, body)
    survived = result.is_cyclic and not result.walker.has_fallen
    return WalkResult(result.half_cycles, survived)


def validate_transition(
    gait: GaitParameters,
    body: SearchBody,
    walks: int,
    executor: Executor,
    transition: MovementTransition,
) -> tuple[ValidationRow, ...]:
    """Return how well a transition holds without helper force, from random half-cycles.

    Args:
        body: see `evaluation.find_body`.
        walks: number of walks of each kind.
        executor: simulates the walks.
        transition: what it connects.
    """
    half_cycles = len(transition.start_steps) + find_validation_length(transition)
    rows = []
    for case in CASES:
        call = partial(try_transition, gait=gait, body=body, case=case, transition=transition)
        results = list(executor.map(call, range(walks)))
        rows.append(summarize_walks(case.label, results, half_cycles))
    return tuple(rows)
