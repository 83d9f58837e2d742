"""Cost of a controller on random walks (Wu and Popović 2010, section 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...character.load import load_character
from .biped import Biped, create_reference_biped, scale_to_reference
from .biped_model import BipedModel, build_biped_model, set_ground
from .external_forces import ExternalForces
from .height_field import HeightField, create_random_field
from .parameters import ControllerParameters, denormalize
from .planner import Goal, Timing
from .start import Start
from .walker import Walker

Array = NDArray[np.float64]

REFERENCE_BODY = "reference"  # name of the body of table 3
TIMING = Timing()
# Cost of a control step that a fallen body has not walked. Tuned: larger than any cost of walking,
# so that samples which fall later are better
FALL_COST = 10.0
# Weight of the helper force in the cost, w_h of equation 7
HELPER_WEIGHT = 5e-3
NO_FORCES = ExternalForces()
# Bodies that are changed after the training (section 9)
BODY_CHANGES: dict[str, Callable[[Biped], Biped]] = {
    "": lambda body: body,
    "left knee frozen": lambda body: body.with_frozen_knee(0),
    "knees inverted": lambda body: body.with_inverted_knees(),
}
NOMINAL_STEP = 0.65  # step length of the paper [m]


@dataclass(frozen=True)
class Stage:
    """Difficulty of the walks that a controller is evaluated on.

    Args:
        helper_limit: largest helper force and torque [N], [N m].
        half_cycles: number of half-cycles of each walk.
        field_heights: largest height of the ground of each walk, 0 for a plane [m].
        variety: from 0, where all walks begin alike and straight on, to 1, the whole range of
            starts, step lengths and turns.
    """

    helper_limit: float
    half_cycles: int = 8
    field_heights: tuple[float, ...] = (0.05, 0.2)
    variety: float = 1.0


@dataclass(frozen=True)
class WalkRanges:
    """Ranges of random walks at full variety, about those of the paper.

    Args:
        speed: of the start about 1 m/s [m/s].
        lateral_speed: of the start [m/s].
        knee: of the start about 0.475 rad [rad].
        step_length: about 0.65 m [m].
        turn: largest change of heading in half a cycle [rad].
        turn_chance: share of walks that turn.
    """

    speed: float = 0.25
    lateral_speed: float = 0.08
    knee: float = 0.15
    step_length: float = 0.12
    turn: float = float(np.radians(8.0))
    turn_chance: float = 0.3


RANGES = WalkRanges()


@dataclass(frozen=True)
class Evaluation:
    """Result of one controller on the walks of a stage.

    Args:
        cost: mean over the walks of equation 7, with `FALL_COST` for every step not walked.
        half_cycles: completed on each walk.
        survived: whether no walk ended in a fall.
    """

    cost: float
    half_cycles: tuple[int, ...]
    survived: bool


@dataclass(frozen=True)
class RandomWalk:
    """One walk: its start, goals and ground."""

    start: Start
    step_length: float
    turn: float  # change of heading in each half-cycle [rad]
    ground: HeightField | None


def draw_walk(seed: tuple[int, ...], field_height: float, variety: float) -> RandomWalk:
    """Return a random walk.

    Args:
        seed: of all random choices.
        field_height: largest height of the ground, 0 for a plane [m].
        variety: share of the ranges that are used.
    """
    rng = np.random.default_rng(seed)
    ground_seed = int(rng.integers(2**31))
    shares = variety * rng.uniform(-1.0, 1.0, 5)
    start = Start(
        1.0 + RANGES.speed * shares[0],
        RANGES.lateral_speed * shares[1],
        knee=0.475 + RANGES.knee * shares[2],
        swing=int(rng.integers(2)),
    )
    turns = rng.uniform() < RANGES.turn_chance
    return RandomWalk(
        start,
        NOMINAL_STEP + RANGES.step_length * shares[3],
        RANGES.turn * shares[4] * turns,
        create_random_field(ground_seed, field_height) if field_height > 0 else None,
    )


@lru_cache(maxsize=8)
def find_body(name: str, change: str = "") -> Biped:
    """Return a body in the units of the controllers: "reference" or a built-in character.

    Args:
        change: a key of `BODY_CHANGES`.

    Raises:
        CharacterError: there is no such character, or it does not walk on two legs.
    """
    body = (
        create_reference_biped()
        if name == REFERENCE_BODY
        else scale_to_reference(load_character(name)).biped
    )
    return BODY_CHANGES[change](body)


@lru_cache(maxsize=8)
def _find_model(body: str, change: str, has_field: bool) -> BipedModel:
    ground = create_random_field(0, 0.1) if has_field else None
    return build_biped_model(find_body(body, change), ground, TIMING.substep)


def simulate_walk(
    parameters: ControllerParameters,
    body: str,
    walk: RandomWalk,
    half_cycles: int,
    forces: ExternalForces = NO_FORCES,
    change: str = "",
) -> Walker:
    """Return the walker at the end of a walk.

    Args:
        parameters: of the controller.
        body: name of the body, see `find_body`.
        walk: start, goals and ground.
        half_cycles: to walk, if the body does not fall.
        forces: from outside.
        change: of the body, a key of `BODY_CHANGES`.
    """
    model = _find_model(body, change, walk.ground is not None)
    if walk.ground is not None:
        set_ground(model, walk.ground)

    def find_goal(walker: Walker) -> Goal:
        heading = walk.turn * walker.half_cycles
        return Goal(heading, heading, walk.step_length)

    walker = Walker(
        model,
        parameters,
        walk.ground,
        find_goal,
        timing=TIMING,
        forces=forces,
    )
    walker.begin(walk.start)
    walker.walk(half_cycles)
    return walker


def evaluate(coordinates: Array, seed: tuple[int, ...], stage: Stage, body: str) -> Evaluation:
    """Return the cost of a controller, a function of nothing but its arguments.

    Walks are done in the order of the stage, easy ones first. After a fall the rest of them count
    as falls at their begin, which saves time.

    Args:
        coordinates: (39,) of the search, see `parameters.normalize`.
        seed: of the random walks.
        stage: how difficult they are.
        body: name of the body, see `find_body`.
    """
    parameters = denormalize(np.clip(coordinates, 0.0, 1.0))
    count = len(stage.field_heights)
    steps_planned = stage.half_cycles * TIMING.half_cycle
    cost = HELPER_WEIGHT * steps_planned * stage.helper_limit
    half_cycles: list[int] = []
    for k, field_height in enumerate(stage.field_heights):
        walk = draw_walk((*seed, k), field_height, stage.variety)
        walker = simulate_walk(
            parameters, body, walk, stage.half_cycles, ExternalForces(stage.helper_limit)
        )
        half_cycles.append(walker.half_cycles)
        cost += walker.cost.total / count
        if walker.has_fallen:
            missing = steps_planned - walker.step_count + (count - 1 - k) * steps_planned
            cost += FALL_COST * missing / count
            half_cycles += [0] * (count - 1 - k)
            return Evaluation(float(cost), tuple(half_cycles), False)
    return Evaluation(float(cost), tuple(half_cycles), True)
