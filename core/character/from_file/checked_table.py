"""Checked access to the tables of a body file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...files.values import ANY_NUMBER, NumberRange, is_number, show_names, show_value

Array = NDArray[np.float64]

LENGTH = NumberRange(-1e3, 1e3)  # coordinates [m]
MASS = NumberRange(0.0, 1e6, excludes_minimum=True)  # [kg]
ANGLE = NumberRange(-1e3, 1e3)  # [deg]
INERTIA = NumberRange(-1e9, 1e9)  # [kg m^2]
MAX_NAME_CHARACTERS = 100  # longer than the 63 of Blender's names


class CheckedTable:
    """A table of a body file. Reading an entry removes it; `check_empty` reports unread entries.

    All methods raise `CharacterError` for missing or invalid entries, with the location.

    Args:
        data: the table.
        location: of the table, for messages.
    """

    def __init__(self, data: object, location: str) -> None:
        if not isinstance(data, dict):
            raise CharacterError(f"{location} must be a table, not {show_value(data)}.")
        self._data: dict[str, Any] = dict(data)
        self.location = location

    def copy(self) -> CheckedTable:
        """Return a copy of the unread entries."""
        return CheckedTable(self._data, self.location)

    def has_key(self, key: str) -> bool:
        """Return whether there is an unread entry."""
        return key in self._data

    def pop_value(self, key: str) -> Any:
        """Return a required entry of any type."""
        if key not in self._data:
            raise CharacterError(f"{self.location} has no `{key}`.")
        return self._data.pop(key)

    def pop_text(self, key: str, default: str | None = None) -> str:
        """Return a string; required without a default."""
        return self._pop_typed(key, default, str, "a string")

    def pop_name(self, key: str) -> str:
        """Return a required name, which is printable and not longer than a line."""
        name = self.pop_text(key)
        if not (0 < len(name) <= MAX_NAME_CHARACTERS and name.isprintable()):
            raise CharacterError(
                f"`{key}` of {self.location} must be a name of 1 to {MAX_NAME_CHARACTERS} "
                f"printable characters, not {show_value(name)}."
            )
        return name

    def pop_flag(self, key: str, default: bool) -> bool:
        """Return a boolean."""
        return self._pop_typed(key, default, bool, "true or false")

    def pop_number(
        self, key: str, default: float | None = None, allowed: NumberRange = ANY_NUMBER
    ) -> float:
        """Return a number within a range; required without a default."""
        if default is not None and not self.has_key(key):
            return default
        return float(self.pop_numbers(key, 0, allowed))

    def pop_int(self, key: str, default: int, maximum: int) -> int:
        """Return an integer from 0 to a maximum."""
        value: int = self._pop_typed(key, default, int, "a whole number")
        if not 0 <= value <= maximum:
            raise CharacterError(
                f"`{key}` of {self.location} must be from 0 to {maximum}, not {show_value(value)}."
            )
        return value

    def pop_point(self, key: str) -> Array:
        """Return three coordinates (3,) [m]."""
        return self.pop_numbers(key, 3, LENGTH)

    def pop_numbers(self, key: str, count: int, allowed: NumberRange = ANY_NUMBER) -> Array:
        """Return numbers within a range (count,), or for a count of 0 a single number ()."""
        value = self.pop_value(key)
        parts = value if isinstance(value, list) else [value]
        is_valid = all(is_number(v, allowed) for v in parts)
        if (
            not is_valid
            or isinstance(value, list) != (count > 0)
            or (count and len(parts) != count)
        ):
            raise CharacterError(
                f"`{key}` of {self.location} must be "
                f"{f'a list of {count} numbers' if count else 'a number'} {allowed.describe()}, "
                f"not {show_value(value)}."
            )
        return np.asarray(value, float)

    def pop_tables(self, key: str) -> list[CheckedTable]:
        """Return a list of tables, empty if there is no entry."""
        value = self._data.pop(key, [])
        if not isinstance(value, list):
            raise CharacterError(
                f"`{key}` of {self.location} must be a list of tables, not {show_value(value)}."
            )
        return [CheckedTable(v, f"{self.location}, {key} {k + 1}") for k, v in enumerate(value)]

    def check_empty(self) -> None:
        """Raise `CharacterError` if entries are unread, as they are unknown."""
        if self._data:
            raise CharacterError(
                f"{self.location} has {show_names(f'`{key}`' for key in self._data)}, which "
                "means nothing there."
            )

    def _pop_typed(self, key: str, default: Any, kind: type, meaning: str) -> Any:
        value = self.pop_value(key) if default is None or self.has_key(key) else default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise CharacterError(
                f"`{key}` of {self.location} must be {meaning}, not {show_value(value)}."
            )
        return value
