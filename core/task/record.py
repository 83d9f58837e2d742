"""A dataclass that is converted, shifted, stored and read by looping over its fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, replace
from typing import Any, Self, TypeVar

from ..errors import TaskError
from ..files.values import show_value
from .field_kinds import METADATA_KEY, FieldKind

T = TypeVar("T", bound="Record")


@dataclass(frozen=True)
class Record:
    """A dataclass each of whose fields has a kind in its metadata, see `field_kinds`.

    Fields without a place in `__init__` are derived and need none.
    """

    def check_fields(self) -> None:
        """Check each value by the kind of its field.

        Raises:
            TaskError: a value has another type than its field, a number is out of range, or a
                choice does not exist.
        """
        for f in list_fields(type(self)):
            _check_type(f, getattr(self, f.name))
            kind_of(f).check(self._in_user_units(f))

    def _in_user_units(self, field: Field[Any]) -> Any:
        """Return the value of a field in the units in which its range is stated."""
        return getattr(self, field.name)

    def list_step_features(self) -> list[str]:
        """Return what messages call the values in use that need a body that takes steps."""
        return [
            str(kind.feature)
            for f in list_fields(type(self))
            if (kind := kind_of(f)).needs_steps
            and kind.is_used(getattr(self, f.name), default_of(f))
        ]

    def in_units(self, length: float, time: float) -> Self:
        """Return the record in units of `length` [m] and `time` [s], both above 0.

        All lengths are divided by the one and all times by the other; masses, angles and a
        character stay. `record.in_units(a, b).in_units(1 / a, 1 / b)` is the record up to rounding.

        Raises:
            TaskError: a value is out of range in the new units.
        """
        return self._with_each_field(lambda kind, value: kind.in_units(value, length, time))

    def shifted(self, seconds: float) -> Self:
        """Return the record with every moment later by `seconds`, the end of a clip included.

        Places stay: a body still starts at the first point of its path at time 0.

        Raises:
            TaskError: a moment is out of range.
        """
        return self._with_each_field(lambda kind, value: kind.shifted(value, seconds))

    def _with_each_field(self, change: Callable[[FieldKind, Any], Any]) -> Self:
        return replace(
            self,
            **{f.name: change(kind_of(f), getattr(self, f.name)) for f in list_fields(type(self))},
        )

    def to_table(self) -> dict[str, Any]:
        """Return the entries of a file that describe the record."""
        entries = {
            kind_of(f).key: kind_of(f).to_entry(getattr(self, f.name))
            for f in list_fields(type(self))
        }
        return {key: entry for key, entry in entries.items() if entry is not None}

    @classmethod
    def from_table(cls, table: dict[str, Any]) -> Self:
        """Return the record that the entries of a file describe.

        Raises:
            FootfallError: an entry is unknown or missing, or describes no such value.
        """
        by_key = {kind_of(f).key: f for f in list_fields(cls)}
        unknown = [key for key in table if key not in by_key]
        if unknown:
            raise TaskError(
                f"There is no entry {show_value(unknown[0])}; the entries are: "
                f"{', '.join(sorted(by_key))}."
            )
        values = {
            f.name: kind_of(f).from_entry(table.get(key))
            for key, f in by_key.items()
            if key in table or not has_default(f)
        }
        return cls(**values)


def list_fields(record_class: type[Record]) -> list[Field[Any]]:
    """Return the fields of a record class that are not derived."""
    return [f for f in fields(record_class) if f.init]


def kind_of(field: Field[Any]) -> FieldKind:
    """Return the kind of a field."""
    kind: FieldKind = field.metadata[METADATA_KEY]
    return kind


def has_default(field: Field[Any]) -> bool:
    """Return whether a field may be left out."""
    return field.default is not MISSING or field.default_factory is not MISSING


def default_of(field: Field[Any]) -> Any:
    """Return the value that a field has when it is left out; None if it has to be given."""
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if field.default is MISSING else field.default


def _check_type(field: Field[Any], value: Any) -> None:
    kind = kind_of(field)
    may_be_none = has_default(field) and default_of(field) is None
    if kind.is_of_type(value) or (value is None and may_be_none):
        return
    raise TaskError(
        f"The field {field.name} is {show_value(value)}; it must be {kind.describe_type()}."
    )


def require_kinds(record_class: type[T]) -> type[T]:
    """Check that each field of a class has a kind, and that no two share a key.

    Raises:
        TypeError: a field has none, or its key is taken.
    """
    keys: dict[str, str] = {}
    for field in list_fields(record_class):
        kind = field.metadata.get(METADATA_KEY)
        if not isinstance(kind, FieldKind):
            raise TypeError(
                f"The field {field.name!r} of {record_class.__name__} has no kind; write "
                "`field(metadata=Number(...).metadata)`, or another kind of `field_kinds`."
            )
        if kind.key in keys:
            raise TypeError(
                f"The fields {keys[kind.key]!r} and {field.name!r} of {record_class.__name__} have "
                f"the same key {kind.key!r}."
            )
        keys[kind.key] = field.name
    return record_class
