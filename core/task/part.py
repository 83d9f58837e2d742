"""What every part of a task can do: change its units, move in time, be stored in a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import Any, Self, TypeVar

PartT = TypeVar("PartT", bound="TaskPart")


class TaskPart(ABC):
    """A part of a task, such as its path or a push."""

    @abstractmethod
    def in_units(self, length: float, time: float) -> Self:
        """Return the part with its numbers in units of `length` [m] and `time` [s].

        Lengths are divided by the one and times by the other, both above 0; masses and angles
        stay. `part.in_units(a, b).in_units(1 / a, 1 / b)` is the part up to rounding.
        """

    @abstractmethod
    def shifted(self, seconds: float) -> Self:
        """Return the part with every moment later by `seconds`; durations stay."""

    @abstractmethod
    def to_table(self) -> dict[str, Any] | None:
        """Return the table that describes the part in a task file; None if it needs no entry."""

    @classmethod
    @abstractmethod
    def from_table(cls, table: object, key: str) -> Self:
        """Return the part that a table of a task file describes.

        Args:
            table: anything that the file may hold there.
            key: of the entry in the file, for messages.

        Raises:
            TaskError: the table does not describe such a part.
        """


class TimelessPart(TaskPart):
    """A part of a task without moments, such as its path."""

    def shifted(self, seconds: float) -> Self:
        """Return the part itself."""
        return self


def copy_part(part: PartT, **values: Any) -> PartT:
    """Return a copy of a part with other values, which are not checked.

    A part in other units holds numbers outside of the ranges that messages state in SI units.
    """
    other = copy(part)
    for name, value in values.items():
        object.__setattr__(other, name, value)
    return other
