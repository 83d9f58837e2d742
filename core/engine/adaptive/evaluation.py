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
from .body_identity import SearchBody, UserBody
from .external_forces import ExternalForces, PushForce
from .height_field import PLANE, EndlessField, GroundKind
from .movements import MOVEMENTS, Movement
from .parameters import GaitParameters, LocomotionParameters, denormalize_gait
from .planner import Goal, HalfCycleTiming
from .start import Start
from .walker import GoalSource, TorqueWalker

Array = NDArray[np.float64]

REFERENCE_BODY = "reference"  # name of the body of table 3
TIMING = HalfCycleTiming()
# Cost of a control step that a fallen body has not walked. Tuned: larger than any cost of walking,
# so that samples which fall later are better
FALL_COST = 10.0
# Weight of the helper force in the cost, w_h of equation 7 (section 8.3)
HELPER_WEIGHT = 5e-3
NO_FORCES = ExternalForces()
# Duration of pushes in trainings and validations [s], that of the papers that measure by pushes, as
# Abe and Popović 2011
PUSH_SECONDS = 0.1
# Bodies that are changed after the training (section 9). Trainings have arms and head as parts of
# the trunk, which takes less time
MOVING_UPPER_BODY = "arms and head move"
CHEST = (0.12, 0.0, 1.6)  # place of a load [m]
BODY_CHANGES: dict[str, Callable[[Biped], Biped]] = {
    "": lambda body: body,
    MOVING_UPPER_BODY: lambda body: body,
    "left knee frozen": lambda body: body.with_frozen_knee(0),
    "knees inverted": lambda body: body.with_inverted_knees(),
    "shanks 20 % shorter": lambda body: body.with_shorter_shanks(0.8),
    "10 kg on the chest": lambda body: body.with_load(10.0, CHEST),
}
FORWARD = MOVEMENTS["forward"]


@dataclass(frozen=True)
class TrainingStage:
    """Difficulty of the walks that a controller is evaluated on.

    Args:
        helper_limit: largest helper force and torque [N], [N m].
        half_cycles: number of half-cycles of each walk: four cycles (section 8.3).
        grounds: kind of the ground of each walk.
        variety: from 0, where all walks begin alike and straight on, to 1, the whole range of
            starts, step lengths and turns.
        push: largest force for 0.1 s on the body, in walks on a plane [N].
    """

    helper_limit: float
    half_cycles: int = 8
    grounds: tuple[GroundKind, ...] = (PLANE,)
    variety: float = 1.0
    push: float = 0.0


@dataclass(frozen=True)
class WalkRanges:
    """Ranges of random walks at full variety that all movements share.

    Args:
        lateral_speed: of the start, across the movement [m/s], below the sway of a human walk.
        knee: of the start about that of `Start` [rad]: from nearly straight to well bent.
        turn_chance: share of walks that turn; the others learn to walk straight on.
        push_time: first and last half-cycle in which pushes begin.
        push_share: smallest push, as a share of the largest one.
    """

    lateral_speed: float = 0.08
    knee: float = 0.15
    turn_chance: float = 0.3
    push_time: tuple[float, float] = (2.0, 4.0)
    push_share: float = 0.5


RANGES = WalkRanges()


@dataclass(frozen=True)
class Evaluation:
    """Result of one controller on the walks of a stage.

    Args:
        costs: of each walk (equation 7), with `FALL_COST` for every step not walked.
        half_cycles: completed on each walk.
        falls: whether each walk ended in a fall.
    """

    costs: tuple[float, ...]
    half_cycles: tuple[int, ...]
    falls: tuple[bool, ...]

    @property
    def cost(self) -> float:
        """Mean of the costs."""
        return float(np.mean(self.costs))

    @property
    def survived(self) -> bool:
        """Whether no walk ended in a fall."""
        return not any(self.falls)


@dataclass(frozen=True)
class RandomWalk:
    """One walk, toward x: its start, goals and ground.

    Args:
        turn: change of heading in each half-cycle [rad].
        ground: None for a plane.
    """

    movement: Movement
    start: Start
    step_length: float
    turn: float
    ground: EndlessField | None


def draw_walk(
    seed: tuple[int, ...], ground: GroundKind, variety: float, movement: Movement = FORWARD
) -> RandomWalk:
    """Return a random walk.

    Args:
        seed: of all random choices.
        ground: its kind.
        variety: share of the ranges that are used.
        movement: what the controller does.
    """
    rng = np.random.default_rng(seed)
    ground_seed = int(rng.integers(2**31))
    shares = variety * rng.uniform(-1.0, 1.0, 5)
    swing = int(rng.integers(2))
    velocity = movement.find_start_velocity(
        movement.speed + movement.speed_range * shares[0], RANGES.lateral_speed * shares[1]
    )
    step_length = movement.step_length + movement.step_range * shares[3]
    start = Start(
        float(velocity[0]),
        float(velocity[1]),
        knee=Start.knee + RANGES.knee * shares[2],
        swing=swing if movement.lead is None else movement.lead,
        heading=-movement.direction,
        sway=movement.sway,
        stride=movement.find_stride(step_length),
    )
    turns = rng.uniform() < RANGES.turn_chance
    return RandomWalk(
        movement,
        start,
        step_length,
        movement.turn_range * shares[4] * turns,
        ground.create(ground_seed),
    )


@lru_cache(maxsize=8)
def find_body(body: SearchBody, change: str = "") -> Biped:
    """Return a body in the units of the controllers.

    Args:
        body: "reference", the name of a built-in character, or a character of a user.
        change: a key of `BODY_CHANGES`.

    Raises:
        CharacterError: there is no such character, or it does not walk on two legs.
    """
    if body == REFERENCE_BODY:
        biped = create_reference_biped()
    else:
        character = body.character if isinstance(body, UserBody) else load_character(body)
        biped = scale_to_reference(character).biped
    if change != MOVING_UPPER_BODY:
        biped = biped.with_rigid_upper_body()
    return BODY_CHANGES[change](biped)


@lru_cache(maxsize=8)
def _find_model(
    body: SearchBody, change: str, shape: tuple[int, ...], spacing: float
) -> BipedModel:
    """Return the model of a body on a ground with the grid of others, see `height_field`.

    Args:
        shape: of the grid; () for a plane.
        spacing: of the grid [m].
    """
    origin = (-3.0, -0.5 * spacing * (shape[1] - 1)) if shape else (0.0, 0.0)
    ground = EndlessField(np.zeros(shape), origin, spacing) if shape else None
    return build_biped_model(find_body(body, change), ground, TIMING.substep)


def build_walker(
    parameters: LocomotionParameters,
    body: SearchBody,
    ground: EndlessField | None,
    goal_source: GoalSource,
    forces: ExternalForces,
    change: str = "",
) -> TorqueWalker:
    """Return a walker that has not begun.

    Args:
        parameters: of the controller.
        body: see `find_body`.
        ground: made by `height_field`; None for a plane.
        goal_source: called at the beginning of each half-cycle.
        forces: from outside.
        change: of the body, a key of `BODY_CHANGES`.
    """
    if ground is None:
        model = _find_model(body, change, (), 0.0)
    else:
        model = _find_model(body, change, ground.heights.shape, ground.spacing)
        set_ground(model, ground)
    return TorqueWalker(model, parameters, ground, goal_source, timing=TIMING, forces=forces)


def simulate_walk(
    gait: GaitParameters,
    body: SearchBody,
    walk: RandomWalk,
    half_cycles: int,
    forces: ExternalForces = NO_FORCES,
    change: str = "",
) -> TorqueWalker:
    """Return the walker at the end of a walk.

    Args:
        gait: parameters of the controller.
        body: see `find_body`.
        walk: start, goals and ground.
        half_cycles: to walk, if the body does not fall.
        forces: from outside.
        change: of the body, a key of `BODY_CHANGES`.
    """

    def find_goal(walker: TorqueWalker) -> Goal:
        walker.use_parameters(gait.select(walker.swing, walk.movement.lead))
        direction = walk.turn * walker.half_cycles
        return Goal(direction - walk.movement.direction, direction, walk.step_length)

    walker = build_walker(gait.first, body, walk.ground, find_goal, forces, change)
    walker.begin(walk.start)
    walker.walk(half_cycles)
    return walker


def draw_push(seed: tuple[int, ...], largest: float) -> PushForce:
    """Return a random push on the body from any side.

    Args:
        seed: of all random choices.
        largest: force [N].
    """
    rng = np.random.default_rng(seed)
    begin = float(rng.uniform(*RANGES.push_time)) * TIMING.half_cycle_time
    angle = float(rng.uniform(0.0, 2.0 * np.pi))
    size = largest * float(rng.uniform(RANGES.push_share, 1.0))
    force = size * np.array([np.cos(angle), np.sin(angle), 0.0])
    return PushForce(begin, begin + PUSH_SECONDS, force)


def evaluate(
    coordinates: Array,
    seed: tuple[int, ...],
    stage: TrainingStage,
    body: SearchBody,
    movement: Movement = FORWARD,
) -> Evaluation:
    """Return the costs of a controller, a function of nothing but its arguments.

    Args:
        coordinates: of the search, see `parameters.normalize_gait`.
        seed: of the random walks.
        stage: how difficult they are.
        body: see `find_body`.
        movement: what the controller does.
    """
    gait = denormalize_gait(np.clip(coordinates, 0.0, 1.0))
    steps_planned = stage.half_cycles * TIMING.half_cycle
    help_cost = HELPER_WEIGHT * steps_planned * stage.helper_limit
    costs: list[float] = []
    half_cycles: list[int] = []
    falls: list[bool] = []
    for k, ground in enumerate(stage.grounds):
        walk = draw_walk((*seed, k), ground, stage.variety, movement)
        is_pushed = stage.push > 0 and walk.ground is None
        pushes = (draw_push((*seed, k, 1), stage.push),) if is_pushed else ()
        forces = ExternalForces(stage.helper_limit, pushes)
        walker = simulate_walk(gait, body, walk, stage.half_cycles, forces)
        missing = steps_planned - walker.step_count
        costs.append(help_cost + walker.cost.total + FALL_COST * missing)
        half_cycles.append(walker.half_cycles)
        falls.append(walker.has_fallen)
    return Evaluation(tuple(costs), tuple(half_cycles), tuple(falls))
