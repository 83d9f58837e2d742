"""Validation of a controller on grounds that no training has seen."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from .controller_file import ValidationRow
from .evaluation import Evaluation, Stage, evaluate
from .parameters import ControllerParameters, normalize

# First number of the seeds; those of trainings are the users' seeds, of at most 2^31
VALIDATION_SEED = 2**40


@dataclass(frozen=True)
class ValidationCase:
    """Walks of one kind.

    Args:
        ground: description.
        field_height: largest height of the grounds [m].
        half_cycles: of each walk.
        variety: of starts, step lengths and turns.
    """

    ground: str
    field_height: float
    half_cycles: int = 24
    variety: float = 1.0


CASES = (
    ValidationCase("plane, nominal start", 0.0, variety=0.0),
    ValidationCase("plane", 0.0),
    ValidationCase("fields 0-0.05 m", 0.05),
    ValidationCase("fields 0-0.1 m", 0.1),
    ValidationCase("fields 0-0.2 m", 0.2),
)


def validate(
    parameters: ControllerParameters, body: str, walks: int, executor: Executor
) -> tuple[ValidationRow, ...]:
    """Return how well a controller walks without helper force.

    Args:
        body: name of the body.
        walks: number of walks of each kind, on different grounds.
        executor: simulates the walks.
    """
    coordinates = normalize(parameters)
    rows = []
    for number, case in enumerate(CASES):
        stage = Stage(0.0, case.half_cycles, (case.field_height,), variety=case.variety)
        call = partial(evaluate, coordinates, stage=stage, body=body)
        seeds = [(VALIDATION_SEED, number, k) for k in range(walks)]
        results: list[Evaluation] = list(executor.map(call, seeds))
        completed = [result.half_cycles[0] for result in results]
        rows.append(
            ValidationRow(
                case.ground,
                walks,
                sum(result.survived for result in results),
                half_cycles=case.half_cycles,
                mean_half_cycles=round(sum(completed) / walks, 2),
            )
        )
    return tuple(rows)
