"""Tables of a body's file, read with messages that say what is wrong where."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError

Array = NDArray[np.float64]


class CheckedTable:
    """One table of a body's file; what is asked for is taken out of it,
    and `check_empty` complains of what is left.
    """

    def __init__(self, data: object, location: str) -> None:
        if not isinstance(data, dict):
            raise CharacterError(f"{location} must be a table, not {data!r}.")
        self._data: dict[str, Any] = dict(data)
        self.location = location

    def copy(self) -> CheckedTable:
        """The same table, to be read once more."""
        return CheckedTable(self._data, self.location)

    def has_key(self, key: str) -> bool:
        """Whether a key is there and not yet taken."""
        return key in self._data

    def pop_value(self, key: str) -> Any:
        """What a key holds, of whatever type; it must be there."""
        if key not in self._data:
            raise CharacterError(f"{self.location} lacks `{key}`.")
        return self._data.pop(key)

    def pop_text(self, key: str, default: str | None = None) -> str:
        """A word."""
        return self._pop_typed(key, default, str, "a text")

    def pop_flag(self, key: str, default: bool) -> bool:
        """True or false."""
        return self._pop_typed(key, default, bool, "true or false")

    def pop_number(self, key: str, default: float | None = None) -> float:
        """A finite number."""
        return float(self.pop_numbers(key, 0)) if default is None or self.has_key(key) else default

    def pop_int(self, key: str, default: int) -> int:
        """A whole number."""
        return self._pop_typed(key, default, int, "a whole number")

    def pop_point(self, key: str) -> Array:
        """Three numbers, (3,)."""
        return self.pop_numbers(key, 3)

    def pop_numbers(self, key: str, count: int) -> Array:
        """So many finite numbers in a list, (count,), or with 0 a single one, ()."""
        value = self.pop_value(key)
        parts = value if isinstance(value, list) else [value]
        is_valid = all(
            isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v) for v in parts
        )
        if (
            not is_valid
            or isinstance(value, list) != (count > 0)
            or (count and len(parts) != count)
        ):
            raise CharacterError(
                f"`{key}` of {self.location} must be "
                f"{f'a list of {count} numbers' if count else 'a number'}, not {value!r}."
            )
        return np.asarray(value, float)

    def pop_tables(self, key: str) -> list[CheckedTable]:
        """A list of tables, which may be missing."""
        value = self._data.pop(key, [])
        if not isinstance(value, list):
            raise CharacterError(
                f"`{key}` of {self.location} must be a list of tables, not {value!r}."
            )
        return [CheckedTable(v, f"{self.location}, {key} {k + 1}") for k, v in enumerate(value)]

    def check_empty(self) -> None:
        """Complain of keys that mean nothing."""
        if self._data:
            raise CharacterError(
                f"{self.location} has {', '.join(f'`{key}`' for key in self._data)}, which means "
                "nothing there."
            )

    def _pop_typed(self, key: str, default: Any, kind: type, meaning: str) -> Any:
        value = self.pop_value(key) if default is None or self.has_key(key) else default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise CharacterError(f"`{key}` of {self.location} must be {meaning}, not {value!r}.")
        return value
