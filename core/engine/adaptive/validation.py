"""Validation of a controller on walks that no training has seen."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from .body_identity import SearchBody
from .controller_file import ValidationRow
from .evaluation import MOVING_UPPER_BODY, PUSH_SECONDS, TIMING, draw_walk, simulate_walk
from .external_forces import ExternalForces, PushForce
from .height_field import PLANE, GroundKind
from .movements import Movement
from .parameters import GaitParameters

# First number of the seeds; those of trainings are the users' seeds, of at most 2^31
VALIDATION_SEED = 2**40
# Half-cycles before a push
STEPS_BEFORE_PUSH = 6


@dataclass(frozen=True)
class ValidationCase:
    """Walks of one kind.

    Args:
        label: description.
        ground: kind of the ground.
        variety: of starts, step lengths and turns: a walk as users draw it, mostly straight on.
        step_length: of all walks; None for random ones [m].
        turn: of each half-cycle, to either side; None for random ones [deg].
        push: (x, y) of a force on the upper body for 0.1 s at a random time of the cycle [N].
        change: of the body, a key of `BODY_CHANGES`.
        half_cycles: of each walk, three times those of a training, since falls may come late.
    """

    label: str
    ground: GroundKind = PLANE
    variety: float = 0.25
    step_length: float | None = None
    turn: float | None = None
    push: tuple[float, float] | None = None
    change: str = ""
    half_cycles: int = 24


WALK_CASES = (
    ValidationCase("plane", half_cycles=108),
    ValidationCase("plane, all starts, step lengths and turns", variety=1.0),
)
# Largest heights of fields [m] on which changed bodies walk, and the changes
CHANGED_WALKS = (
    (0.05, MOVING_UPPER_BODY),
    (0.05, "left knee frozen"),
    (0.05, "knees inverted"),
    (0.1, "shanks 20 % shorter"),
    (0.1, "10 kg on the chest"),
)
CASES = (
    ValidationCase("plane, turns of 4 degrees each step", turn=4.0),
    ValidationCase("plane, turns of 8 degrees each step", turn=8.0),
    ValidationCase("fields 0-0.05 m", GroundKind(0.05)),
    ValidationCase("fields 0-0.1 m", GroundKind(0.1)),
    ValidationCase("fields 0-0.2 m", GroundKind(0.2)),
    ValidationCase(
        "fields 0-0.2 m, all starts, step lengths and turns", GroundKind(0.2), variety=1.0
    ),
    ValidationCase("fields 0-0.4 m", GroundKind(0.4)),
    ValidationCase("slope up 0.1", GroundKind(0.1, "slope")),
    ValidationCase("slope down 0.1", GroundKind(-0.1, "slope")),
    ValidationCase("slope up 0.2", GroundKind(0.2, "slope")),
    ValidationCase("slope down 0.2", GroundKind(-0.2, "slope")),
    ValidationCase("boxes 0-0.05 m", GroundKind(0.05, "boxes")),
    ValidationCase("boxes 0-0.1 m", GroundKind(0.1, "boxes")),
    ValidationCase("boxes 0-0.2 m", GroundKind(0.2, "boxes")),
    ValidationCase("stairs up, 0.05 m each", GroundKind(0.05, "stairs")),
    ValidationCase("stairs up, 0.1 m each", GroundKind(0.1, "stairs")),
    ValidationCase("stairs up, 0.2 m each", GroundKind(0.2, "stairs")),
    ValidationCase("stairs down, 0.05 m each", GroundKind(-0.05, "stairs")),
    ValidationCase("stairs down, 0.1 m each", GroundKind(-0.1, "stairs")),
    ValidationCase("plane, push 100 N ahead", push=(100.0, 0.0)),
    ValidationCase("plane, push 100 N aside", push=(0.0, 100.0)),
    ValidationCase("plane, push 100 N back", push=(-100.0, 0.0)),
    ValidationCase("plane, push 350 N ahead", push=(350.0, 0.0)),
    ValidationCase("plane, push 350 N aside", push=(0.0, 350.0)),
    ValidationCase("plane, push 350 N back", push=(-350.0, 0.0)),
    ValidationCase("plane, arms and head move", change=MOVING_UPPER_BODY),
    ValidationCase(
        "fields 0-0.05 m, arms and head move", GroundKind(0.05), change=MOVING_UPPER_BODY
    ),
    ValidationCase(
        "fields 0-0.05 m, left knee frozen", GroundKind(0.05), change="left knee frozen"
    ),
    ValidationCase("fields 0-0.05 m, knees inverted", GroundKind(0.05), change="knees inverted"),
    ValidationCase(
        "fields 0-0.1 m, shanks 20 % shorter", GroundKind(0.1), change="shanks 20 % shorter"
    ),
    ValidationCase(
        "fields 0-0.1 m, 10 kg on the chest", GroundKind(0.1), change="10 kg on the chest"
    ),
)


# Step lengths of the validation, as shares of the range of a movement about its step length
STEP_SHARES = (-2 / 3, -1 / 3, 1 / 3, 2 / 3)


def list_cases(movement: Movement) -> tuple[ValidationCase, ...]:
    """Return the kinds of walks of a movement."""
    steps = [movement.step_length + share * movement.step_range for share in STEP_SHARES]
    step_cases = [
        ValidationCase(f"plane, steps of {step:.2f} m", step_length=round(step, 2))
        for step in steps
        if movement.step_range > 0
    ]
    return (*WALK_CASES, *step_cases, *CASES)


@dataclass(frozen=True)
class WalkResult:
    """End of one walk.

    Args:
        half_cycles: completed.
        survived: whether the body did not fall.
    """

    half_cycles: int
    survived: bool


def try_walk(
    number: int, gait: GaitParameters, body: SearchBody, case: ValidationCase, movement: Movement
) -> WalkResult:
    """Return the end of a walk without helper force.

    Args:
        number: of the walk, from 0.
        gait: parameters of the controller.
        body: see `evaluation.find_body`.
        case: kind of the walk.
        movement: what the controller does.
    """
    walk = draw_walk((VALIDATION_SEED, number), case.ground, case.variety, movement)
    if case.step_length is not None:
        walk = replace(walk, step_length=case.step_length)
    if case.turn is not None:
        walk = replace(walk, turn=float(np.radians(case.turn)) * (1 if number % 2 else -1))
    pushes = () if case.push is None else (_make_push(case.push, number),)
    walker = simulate_walk(
        gait, body, walk, case.half_cycles, ExternalForces(0.0, pushes), change=case.change
    )
    return WalkResult(walker.half_cycles, not walker.has_fallen)


def _make_push(force: tuple[float, float], number: int) -> PushForce:
    """Return a push at one of eight instants of the cycle, from either side in turn."""
    x, y = force
    begin = (STEPS_BEFORE_PUSH + (number % 8) / 4) * TIMING.half_cycle_time
    side = 1.0 if number % 2 else -1.0
    return PushForce(begin, begin + PUSH_SECONDS, np.array([x, side * y, 0.0]))


def validate(
    gait: GaitParameters, body: SearchBody, walks: int, executor: Executor, movement: Movement
) -> tuple[ValidationRow, ...]:
    """Return how well a controller walks without helper force.

    Args:
        body: see `evaluation.find_body`.
        walks: number of walks of each kind.
        executor: simulates the walks.
        movement: what the controller does.
    """
    rows = []
    for case in list_cases(movement):
        call = partial(try_walk, gait=gait, body=body, case=case, movement=movement)
        results = list(executor.map(call, range(walks)))
        rows.append(summarize_walks(case.label, results, case.half_cycles))
    return tuple(rows)


def summarize_walks(label: str, results: Sequence[WalkResult], half_cycles: int) -> ValidationRow:
    """Return the row of the walks of one kind.

    Args:
        label: description of the walks.
        results: ends of the walks, at least one.
        half_cycles: planned for each walk.
    """
    mean = sum(result.half_cycles for result in results) / len(results)
    return ValidationRow(
        label,
        len(results),
        sum(result.survived for result in results),
        half_cycles=half_cycles,
        mean_half_cycles=round(mean, 2),
    )
