"""Files of controllers: JSON with parameters, their training and their validation."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ...errors import TaskError
from ...files.source import FileKind, read_file, show_path
from ...files.values import is_number, is_short_text, show_error, show_value
from .body_identity import BodyIdentity
from .parameters import (
    STEP_BOUNDS,
    GaitParameters,
    LocomotionParameters,
    list_bounds,
    list_parameter_fields,
    read_parameters,
)

FORMAT = 1  # version of the files
# What damaged data leads to
DAMAGE_ERRORS = (
    ArithmeticError,
    AttributeError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
CONTROLLER_FILE = FileKind("controller", 1_000_000, TaskError)


@dataclass(frozen=True)
class ValidationRow:
    """Walks of one kind, without helper force.

    Args:
        case: description of the ground and of what else is special.
        walks: number of walks.
        survived: number of walks without a fall.
        half_cycles: planned for each walk.
        mean_half_cycles: completed on average.
    """

    case: str
    walks: int
    survived: int
    half_cycles: int
    mean_half_cycles: float


@dataclass(frozen=True)
class TrainingRecord:
    """Origin of a controller.

    Args:
        generations: of the optimization.
        evaluations: of samples.
        rung: of the ladder that was reached, from 0.
        helper_limit: largest helper force on that rung [N].
        options: of the training, by name.
        start: parameters that it began with.
        versions: of Footfall and of the packages on which results depend.
        start_second: parameters of other half-cycles that it began with, if any.
        start_steps: step lengths of a transition that it began with [m].
    """

    generations: int
    evaluations: int
    rung: int
    helper_limit: float
    options: dict[str, Any]
    start: dict[str, float]
    versions: dict[str, str]
    start_second: dict[str, float] | None = None
    start_steps: tuple[float, ...] | None = None


@dataclass(frozen=True)
class TrainedController:
    """A controller with its origin and its quality.

    Args:
        name: of the movement or of the transition, such as "forward" or "forward-stand".
        body: name of the body that it was trained on.
        gait: parameters, the mean of the distribution that the optimization ended with.
        training: origin of the parameters.
        validation: how well it walks.
        identity: of a user's body that the controller moves unaltered; None for controllers that
            are fitted to bodies, see `shipped.fit_gaits`.
    """

    name: str
    body: str
    gait: GaitParameters
    training: TrainingRecord
    validation: tuple[ValidationRow, ...] = field(default=())
    identity: BodyIdentity | None = None


def parameter_table(parameters: LocomotionParameters) -> dict[str, float]:
    """Return the parameters by name."""
    return {one.name: getattr(parameters, one.name) for one in list_parameter_fields()}


def second_table(gait: GaitParameters) -> dict[str, float] | None:
    """Return the parameters of the second kind of half-cycles by name; None if there is none."""
    return None if gait.second is None else parameter_table(gait.second)


def save_controller(controller: TrainedController, path: Path) -> None:
    """Write the file of a controller."""
    bounds = {
        one.name: [b.low, b.high, b.unit]
        for one, b in zip(list_parameter_fields(), list_bounds(), strict=True)
    }
    table = {
        "format": FORMAT,
        "name": controller.name,
        "body": controller.body,
        "parameters": parameter_table(controller.gait.first),
        "second": second_table(controller.gait),
        "steps": controller.gait.steps,
        "bounds": bounds,
        "training": asdict(controller.training),
        "validation": [asdict(row) for row in controller.validation],
    }
    if controller.identity is not None:
        table["identity"] = controller.identity.numbers
    scratch = path.with_name(path.name + ".part")
    scratch.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    scratch.replace(path)


def load_controller(path: Path) -> TrainedController:
    """Return the controller of a file.

    Raises:
        TaskError: the file cannot be read or holds no controller.
    """
    data = read_file(path, CONTROLLER_FILE)
    try:
        table = json.loads(data.decode("utf-8"))
        if table["format"] != FORMAT:
            raise TaskError(
                f"Its format is {show_value(table['format'])}; this version reads {FORMAT}."
            )
        return TrainedController(
            _read_text(table["name"]),
            _read_text(table["body"]),
            _read_gait(table),
            _read_record(table["training"]),
            tuple(_read_row(row) for row in table["validation"]),
            _read_identity(table.get("identity")),
        )
    except TaskError as error:
        raise TaskError(f"The controller {show_path(path)} cannot be used. {error}") from error
    except DAMAGE_ERRORS as error:
        raise TaskError(
            f"{show_path(path)} is no file of a controller, which `footfall train adaptive` writes "
            f"({type(error).__name__}: {show_error(error)})."
        ) from error


def _read_text(value: object) -> str:
    """Return a text that fits into a message.

    Raises:
        ValueError: it is something else.
    """
    if not is_short_text(value):
        raise ValueError(f"{show_value(value)} is no short text")
    return str(value)


def _read_row(table: dict[str, Any]) -> ValidationRow:
    """Return the row of a table.

    Raises:
        ValueError: an entry is no number, or the case no text.
    """
    row = ValidationRow(**table)
    _read_text(row.case)
    _check_numbers({name: value for name, value in asdict(row).items() if name != "case"})
    return row


def _check_numbers(table: dict[str, Any]) -> None:
    """Refuse a table with an entry that is no number.

    Raises:
        ValueError: there is one.
    """
    for name, value in table.items():
        if not is_number(value):
            raise ValueError(f"{show_value(name)} is {show_value(value)}, which is no number")


def _read_identity(numbers: list[float] | None) -> BodyIdentity | None:
    """Return the identity of a body.

    Raises:
        ValueError: an entry is no number.
    """
    if numbers is None:
        return None
    _check_numbers({f"identity {k}": number for k, number in enumerate(numbers)})
    return BodyIdentity(tuple(float(number) for number in numbers))


def _read_gait(table: dict[str, Any]) -> GaitParameters:
    first = read_parameters(table["parameters"])
    if table.get("second") is None:
        return GaitParameters(first)
    second = read_parameters(table["second"])
    if table.get("steps") is None:
        return GaitParameters(first, second)
    low, high = STEP_BOUNDS
    _check_numbers({f"step {k}": step for k, step in enumerate(table["steps"])})
    steps = tuple(float(step) for step in table["steps"])
    if not all(low <= step <= high for step in steps):
        raise TaskError(
            f"The controller's steps are {', '.join(f'{step:g}' for step in steps)} m; they must "
            f"be from {low:g} to {high:g}."
        )
    return GaitParameters(first, second, steps)


def _read_record(table: dict[str, Any]) -> TrainingRecord:
    record = TrainingRecord(**table)
    numbers = ("generations", "evaluations", "rung", "helper_limit")
    _check_numbers({name: getattr(record, name) for name in numbers})
    _check_numbers({**record.start, **(record.start_second or {})})
    steps = record.start_steps
    return record if steps is None else replace(record, start_steps=tuple(steps))
