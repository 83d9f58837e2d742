"""Kinds of fields of a task: how each is converted, shifted, stored and read.

The metadata of each field of `Task` holds its kind. `Task.in_units`, `Task.shifted`,
`Task.to_table`, `Task.from_table` and the features that engines honor or refuse loop over the
fields and use their kinds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ..character.recognition.skeleton import Skeleton
from ..clip.style.knobs import Knobs
from ..clip.style.recipe import StyleShare
from ..clip.style.shelf import read_knobs
from ..errors import TaskError
from ..files.values import show_value
from ..terrain import FlatGround, Ground, ScaledGround, YieldingTerrain
from .entries import read_number, read_table, read_tables, read_text
from .ground_entry import ground_to_table, read_ground
from .part import TaskPart
from .profile import Profile
from .skeleton_entry import read_character, skeleton_to_table
from .units import PURE_NUMBER, Dimension, TaskUnits

# Relative rounding of a number that was converted to other units and back.
RANGE_SLACK = 1e-12
# Key of the kind in the metadata of a field.
METADATA_KEY = "kind"


@dataclass(frozen=True, kw_only=True)
class FieldKind(ABC):
    """How a field of a task is converted, shifted, stored and read.

    Args:
        key: of its entry in a task file.
        feature: what messages call the field, with {task} for the task; None for a field that
            every engine honors, or refuses by itself for a body that cannot have it.
        needs_steps: whether it cannot be combined with bars, or with jumps from standing.
    """

    key: str
    feature: str | None = None
    needs_steps: bool = False

    @property
    def metadata(self) -> dict[str, FieldKind]:
        """Metadata of a dataclass field of this kind."""
        return {METADATA_KEY: self}

    def is_used(self, value: Any, default: Any) -> bool:
        """Return whether a task with this value uses the field."""
        return bool(value != default)

    def in_units(self, value: Any, length: float, time: float) -> Any:
        """Return a value in units of `length` [m] and `time` [s]; see `TaskPart.in_units`."""
        return value

    def shifted(self, value: Any, seconds: float) -> Any:
        """Return a value with every moment later by `seconds`."""
        return value

    @abstractmethod
    def is_of_type(self, value: Any) -> bool:
        """Return whether a value that is not None has the type of the field."""

    @abstractmethod
    def describe_type(self) -> str:
        """Return what messages call a value of the field's type, such as "a number"."""

    def check(self, value: Any) -> None:  # noqa: B027 (parts check themselves)
        """Check a value as far as its part does not check itself.

        Raises:
            TaskError: there is no such value.
        """

    @abstractmethod
    def to_entry(self, value: Any) -> Any:
        """Return a value as a task file holds it; None if it needs no entry."""

    @abstractmethod
    def from_entry(self, entry: object) -> Any:
        """Return the value that an entry of a task file describes; None for a missing entry.

        Raises:
            TaskError: it describes no such value.
        """


@dataclass(frozen=True, kw_only=True)
class Number(FieldKind):
    """A number or a flag.

    Args:
        dimension: its physical dimension.
        number_type: float, int or bool.
        is_moment: whether it is a moment of the clip, which is shifted, not a duration.
        label: what messages call it; None for its key.
        minimum, maximum: its range.
    """

    dimension: Dimension
    number_type: type[float] = float
    is_moment: bool = False
    label: str | None = None
    minimum: float = -np.inf
    maximum: float = np.inf

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, Real | np.bool_)

    def describe_type(self) -> str:
        return "a number"

    def check(self, value: float | None) -> None:
        slack = RANGE_SLACK * abs(value or 0.0)
        if value is None or (
            np.isfinite(value) and self.minimum - slack <= value <= self.maximum + slack
        ):
            return
        allowed = (
            f"at most {self.maximum:g}"
            if value > self.maximum
            else f"at least {self.minimum:g}"
            if np.isfinite(self.minimum)
            else "a finite number"
        )
        raise TaskError(f"The {self.label or self.key} is {value:g}; it must be {allowed}.")

    def in_units(self, value: float | None, length: float, time: float) -> float | None:
        return None if value is None else self.dimension.convert(value, length, time)

    def shifted(self, value: float, seconds: float) -> float:
        return value + seconds if self.is_moment else value

    def to_entry(self, value: float | None) -> float | None:
        return None if value is None else self.number_type(value)

    def from_entry(self, entry: object) -> float:
        return read_number(entry, self.key, self.number_type)


@dataclass(frozen=True, kw_only=True)
class Flag(Number):
    """True or false."""

    dimension: Dimension = PURE_NUMBER
    number_type: type[float] = bool


@dataclass(frozen=True, kw_only=True)
class Text(FieldKind):
    """A name or a choice; None is not stored.

    Args:
        choices: the possible values; None for any.
    """

    choices: tuple[str, ...] | None = None

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, str)

    def describe_type(self) -> str:
        return "text"

    def check(self, value: str | None) -> None:
        if self.choices is not None and value not in self.choices:
            raise TaskError(
                f"The {self.key} is {show_value(value)}; it must be "
                f"{' or '.join(repr(choice) for choice in self.choices)}."
            )

    def to_entry(self, value: str | None) -> str | None:
        return value

    def from_entry(self, entry: object) -> str:
        return read_text(entry, self.key)


@dataclass(frozen=True, kw_only=True)
class Part(FieldKind):
    """One part, or None.

    Args:
        part: class of the part.
    """

    part: type[TaskPart]

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, self.part)

    def describe_type(self) -> str:
        return f"of the class {self.part.__name__}"

    def is_used(self, value: TaskPart | None, default: Any) -> bool:
        return value is not None

    def in_units(self, value: TaskPart | None, length: float, time: float) -> TaskPart | None:
        return None if value is None else value.in_units(length, time)

    def shifted(self, value: TaskPart | None, seconds: float) -> TaskPart | None:
        return None if value is None else value.shifted(seconds)

    def to_entry(self, value: TaskPart | None) -> dict[str, Any] | None:
        return None if value is None else value.to_table()

    def from_entry(self, entry: object) -> TaskPart:
        return self.part.from_table(entry, self.key)


@dataclass(frozen=True, kw_only=True)
class Parts(FieldKind):
    """Any number of parts, as a tuple.

    Args:
        part: class of each.
    """

    part: type[TaskPart]

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(isinstance(part, self.part) for part in value)

    def describe_type(self) -> str:
        return f"a tuple of objects of the class {self.part.__name__}"

    def in_units(
        self, value: tuple[TaskPart, ...], length: float, time: float
    ) -> tuple[TaskPart, ...]:
        return tuple(part.in_units(length, time) for part in value)

    def shifted(self, value: tuple[TaskPart, ...], seconds: float) -> tuple[TaskPart, ...]:
        return tuple(part.shifted(seconds) for part in value)

    def to_entry(self, value: tuple[TaskPart, ...]) -> list[dict[str, Any] | None] | None:
        return [part.to_table() for part in value] or None

    def from_entry(self, entry: object) -> tuple[TaskPart, ...]:
        return tuple(
            self.part.from_table(table, self.key) for table in read_tables(entry, self.key)
        )


@dataclass(frozen=True, kw_only=True)
class OverTime(FieldKind):
    """A number over time, or None.

    Args:
        profile: class of the number over time.
        dimension: of the number.
    """

    profile: type[Profile]
    dimension: Dimension

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, self.profile)

    def describe_type(self) -> str:
        return f"of the class {self.profile.__name__}, such as {self.profile.__name__}(1.2)"

    def is_used(self, value: Profile | None, default: Profile | None) -> bool:
        if value is None or default is None:
            return value is not default
        return bool((value.values != default.values).any())

    def in_units(self, value: Profile | None, length: float, time: float) -> Profile | None:
        if value is None:
            return None
        return value.scaled(self.dimension.convert(1.0, length, time), 1 / time)

    def shifted(self, value: Profile | None, seconds: float) -> Profile | None:
        return None if value is None else value.shifted(seconds)

    def to_entry(self, value: Profile | None) -> dict[str, Any] | None:
        return None if value is None else value.to_table()

    def from_entry(self, entry: object) -> Profile:
        return self.profile.from_table(entry, self.key)


@dataclass(frozen=True, kw_only=True)
class CharacterName(FieldKind):
    """The name of a character or the skeleton of a rig. `in_units` leaves it as it is."""

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, str | Skeleton)

    def describe_type(self) -> str:
        return "a name, the path of a file, or a Skeleton"

    def to_entry(self, value: str | Skeleton) -> str | dict[str, Any]:
        return value if isinstance(value, str) else skeleton_to_table(value)

    def from_entry(self, entry: object) -> str | Skeleton:
        return read_character(entry)


@dataclass(frozen=True, kw_only=True)
class GroundSurface(FieldKind):
    """The ground."""

    def is_of_type(self, value: Any) -> bool:
        return hasattr(value, "sample_heights") and hasattr(value, "to_mesh")

    def describe_type(self) -> str:
        return "a ground, such as FlatGround()"

    def in_units(self, value: Ground, length: float, time: float) -> Ground:
        if isinstance(value, FlatGround):
            return value
        if isinstance(value, YieldingTerrain):
            return value.in_units(length, time)
        return ScaledGround(value, length)

    def to_entry(self, value: Ground) -> dict[str, Any]:
        return ground_to_table(value)

    def from_entry(self, entry: object) -> Ground:
        return read_ground(read_table(entry, self.key))


@dataclass(frozen=True, kw_only=True)
class StyleKnobs(FieldKind):
    """Knobs of the style; only those that are turned are stored."""

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, Knobs)

    def describe_type(self) -> str:
        return "of the class Knobs"

    def is_used(self, value: Knobs, default: Any) -> bool:
        return bool(value.list_changes())

    def to_entry(self, value: Knobs) -> dict[str, float] | None:
        return value.list_changes() or None

    def from_entry(self, entry: object) -> Knobs:
        return read_knobs(entry)


@dataclass(frozen=True, kw_only=True)
class StyleShares(FieldKind):
    """Shares of other styles, stored as numbers by style."""

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(isinstance(part, StyleShare) for part in value)

    def describe_type(self) -> str:
        return "a tuple of objects of the class StyleShare"

    def to_entry(self, value: tuple[StyleShare, ...]) -> dict[str, float] | None:
        return {part.style: part.share for part in value} or None

    def from_entry(self, entry: object) -> tuple[StyleShare, ...]:
        return tuple(
            StyleShare(name, float(read_number(share, f"share of {show_value(name)}", float)))
            for name, share in read_table(entry, self.key).items()
        )


@dataclass(frozen=True, kw_only=True)
class UnitsOfNumbers(FieldKind):
    """Units of the task's numbers, which are never stored: files are in SI units."""

    def is_of_type(self, value: Any) -> bool:
        return isinstance(value, TaskUnits)

    def describe_type(self) -> str:
        return "of the class TaskUnits"

    def in_units(self, value: TaskUnits, length: float, time: float) -> TaskUnits:
        return value.in_units(length, time)

    def shifted(self, value: TaskUnits, seconds: float) -> TaskUnits:
        return value.shifted(seconds)

    def to_entry(self, value: TaskUnits) -> None:
        return None

    def from_entry(self, entry: object) -> TaskUnits:
        raise TaskError("A task file is in SI units; leave out its entry 'units'.")
