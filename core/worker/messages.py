"""Requests to the planning process and its answers, one JSON object per line.

A batch job sends a `GenerateRequest` or a `ResolveRequest`. The process answers with any number of
`ProgressAnswer`, then with one `MotionAnswer`. If it changed the task, to arrive in time or because
it demanded too much, a `TaskAnswer` comes first.

A `TrainRequest` or a `TrainControllerRequest` is answered by any number of `ProgressAnswer` and one
`TrainedAnswer`.

A live drive sends a `StartDriveRequest`, which a `DriveReadyAnswer` answers, and then one
`AdvanceRequest` per part of the motion, each answered by a `PartAnswer`. A second request for the
latest part replaces that part.

In place of any answer the process may send an `ErrorAnswer` or a `FaultAnswer`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from ..errors import ProtocolError
from ..task import Pace, Push, Wait


@dataclass(frozen=True)
class Message:
    """Base class of all messages."""

    kind: ClassVar[str]  # value of the key `kind`, by which a reader finds the class

    def to_json(self) -> str:
        """Return the message as one line of JSON, without the line break."""
        return json.dumps({"kind": self.kind, **asdict(self)}, default=_encode)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Return the message with the values of a JSON object.

        Args:
            data: decoded object, without the key `kind`.

        Raises:
            ProtocolError: a value is missing, superfluous or of the wrong type.
        """
        names = {field.name for field in fields(cls)}
        if data.keys() != names:
            raise ProtocolError(
                f"A message of the kind {cls.kind!r} has the values {sorted(data)}; "
                f"expected {sorted(names)}."
            )
        values = {}
        for field in fields(cls):
            try:
                values[field.name] = _CONVERTERS[str(field.type)](data[field.name])
            except (TypeError, ValueError, KeyError) as error:
                raise ProtocolError(
                    f"A message of the kind {cls.kind!r} has {data[field.name]!r} as "
                    f"{field.name!r}; expected {field.type}."
                ) from error
        return cls(**values)


@dataclass(frozen=True)
class GenerateRequest(Message):
    """Request to generate the motion of a task."""

    kind = "generate"
    task_file: Path
    output_folder: Path  # folder for the motion file
    # Pace at which the body reaches the end of the path when the clip ends; the process solves for
    # the speed. None keeps the speed of the task.
    arrival_pace: Pace | None = None


@dataclass(frozen=True)
class ResolveRequest(Message):
    """Request to solve a stretch of a motion again for a changed task."""

    kind = "resolve"
    task_file: Path
    output_folder: Path  # folder for the new motion file
    motion_file: Path  # previous motion
    begin: float  # start of the stretch [s]
    end: float  # end of the stretch [s]


@dataclass(frozen=True)
class TrainRequest(Message):
    """Request to train the network of a task's body in its style."""

    kind = "train"
    task_file: Path
    networks_folder: Path  # folder for the network file
    segments: int  # number of segments of motion to learn from
    epochs: int  # number of times that all of them are used
    seed: int  # of all random choices


@dataclass(frozen=True)
class TrainControllerRequest(Message):
    """Request to train the walk of a task's body for the engine 'adaptive'."""

    kind = "train controller"
    task_file: Path
    controllers_folder: Path  # folder for the file of the controller, and of those before
    seconds: float  # time after which the training ends [s]
    seed: int  # of all random choices


@dataclass(frozen=True)
class StartDriveRequest(Message):
    """Request to begin a live drive."""

    kind = "start drive"
    task_file: Path
    output_folder: Path  # folder for the motion files of all parts


@dataclass(frozen=True)
class AdvanceRequest(Message):
    """Request for a part of a live drive: the next one, or the latest one again."""

    kind = "advance"
    part_number: int  # counted from 0; the number of the latest part replaces it
    request_number: int  # identifies the answer
    speed: float  # [m/s]
    direction: float  # heading of the velocity in the world [rad]
    pushes: tuple[Push, ...]  # pushes that begin as soon as possible


@dataclass(frozen=True)
class ProgressAnswer(Message):
    """Stage of the computation and the completed share, 0 to 1."""

    kind = "progress"
    stage: str
    share: float


@dataclass(frozen=True)
class TaskAnswer(Message):
    """File of the task whose motion is generated, which differs from the requested one."""

    kind = "task"
    task_file: Path
    changed_fields: tuple[str, ...]  # names of the fields of `Task` that differ


@dataclass(frozen=True)
class MotionAnswer(Message):
    """File of a finished motion."""

    kind = "motion"
    motion_file: Path


@dataclass(frozen=True)
class TrainedAnswer(Message):
    """File of a trained network or controller, and what it reached."""

    kind = "trained"
    trained_file: Path
    result: str  # sentence for the user


@dataclass(frozen=True)
class DriveReadyAnswer(Message):
    """Speeds that the driven body can reach [m/s]."""

    kind = "drive ready"
    min_speed: float
    max_speed: float


@dataclass(frozen=True)
class PartAnswer(Message):
    """File with a part of a live drive."""

    kind = "part"
    part_number: int
    request_number: int  # of the request that this answers
    motion_file: Path


@dataclass(frozen=True)
class ErrorAnswer(Message):
    """Error that the user can correct."""

    kind = "error"
    message: str


@dataclass(frozen=True)
class FaultAnswer(Message):
    """Unexpected exception, that is, a bug in Footfall."""

    kind = "fault"
    description: str
    trace: str


Request = (
    GenerateRequest
    | ResolveRequest
    | TrainRequest
    | TrainControllerRequest
    | StartDriveRequest
    | AdvanceRequest
)
Answer = (
    ProgressAnswer
    | TaskAnswer
    | MotionAnswer
    | TrainedAnswer
    | DriveReadyAnswer
    | PartAnswer
    | ErrorAnswer
    | FaultAnswer
)

_REQUESTS: dict[str, type[Request]] = {
    cls.kind: cls
    for cls in (
        GenerateRequest,
        ResolveRequest,
        TrainRequest,
        TrainControllerRequest,
        StartDriveRequest,
        AdvanceRequest,
    )
}
_ANSWERS: dict[str, type[Answer]] = {
    cls.kind: cls
    for cls in (
        ProgressAnswer,
        TaskAnswer,
        MotionAnswer,
        TrainedAnswer,
        DriveReadyAnswer,
        PartAnswer,
        ErrorAnswer,
        FaultAnswer,
    )
}


M = TypeVar("M", bound=Message)


def read_request(line: str) -> Request:
    """Return the request in a line.

    Raises:
        ProtocolError: the line is not a request.
        TaskError: a push is invalid.
    """
    return _read(line, _REQUESTS)


def read_answer(line: str) -> Answer:
    """Return the answer in a line.

    Raises:
        ProtocolError: the line is not an answer.
    """
    return _read(line, _ANSWERS)


def _read(line: str, classes: dict[str, type[M]]) -> M:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise ProtocolError(f"{line.strip()[:80]!r} is not a line of JSON.") from error
    if not isinstance(data, dict) or str(data.get("kind")) not in classes:
        raise ProtocolError(
            f"{line.strip()[:80]!r} is not a message of the kind {', '.join(classes)}."
        )
    return classes[data.pop("kind")].from_json(data)


def _encode(value: object) -> object:
    """Return a value that JSON can represent."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be part of a message.")


def _to_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _to_whole_number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _to_number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(value)
    return float(value)


def _to_pushes(values: list[dict[str, Any]]) -> tuple[Push, ...]:
    return tuple(Push(**value) for value in values)


def _to_texts(values: list[object]) -> tuple[str, ...]:
    return tuple(_to_text(value) for value in values)


def _to_pace(data: dict[str, Any] | None) -> Pace | None:
    if data is None:
        return None
    stations = tuple(np.atleast_1d(data["stations"]).tolist())
    shares = tuple(np.atleast_1d(data["shares"]).tolist())
    return Pace(data["seconds"], stations, shares, tuple(Wait(**wait) for wait in data["waits"]))


# By annotation of the field.
_CONVERTERS: dict[str, Callable[[Any], object]] = {
    "str": _to_text,
    "int": _to_whole_number,
    "float": _to_number,
    "Path": lambda value: Path(_to_text(value)),
    "Pace | None": _to_pace,
    "tuple[Push, ...]": _to_pushes,
    "tuple[str, ...]": _to_texts,
}
