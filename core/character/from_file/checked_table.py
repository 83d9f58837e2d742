"""Tables of a body's file, read with messages that say what is wrong where."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError

Array = NDArray[np.float64]


class Entry:
    """One table of a body's file; what is asked for is taken out of it, and `done` complains of what is left."""

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, dict):
            raise CharacterError(f"{where} must be a table, not {data!r}.")
        self._data: dict[str, Any] = dict(data)
        self.where = where

    def copy(self) -> Entry:
        """The same table, to be read once more."""
        return Entry(self._data, self.where)

    def has(self, key: str) -> bool:
        """Whether a key is there and not yet taken."""
        return key in self._data

    def any(self, key: str) -> Any:
        """What a key holds, of whatever type; it must be there."""
        if key not in self._data:
            raise CharacterError(f"{self.where} lacks `{key}`.")
        return self._data.pop(key)

    def text(self, key: str, default: str | None = None) -> str:
        """A word."""
        return self._of(key, default, str, "a text")

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        return self._of(key, default, bool, "true or false")

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number."""
        return float(self.numbers(key, 0)) if default is None or self.has(key) else default

    def whole(self, key: str, default: int) -> int:
        """A whole number."""
        return self._of(key, default, int, "a whole number")

    def point(self, key: str) -> Array:
        """Three numbers, (3,)."""
        return self.numbers(key, 3)

    def numbers(self, key: str, count: int) -> Array:
        """So many finite numbers in a list, (count,), or with 0 a single one, ()."""
        value = self.any(key)
        parts = value if isinstance(value, list) else [value]
        usable = all(isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v) for v in parts)
        if not usable or isinstance(value, list) != (count > 0) or (count and len(parts) != count):
            raise CharacterError(f"`{key}` of {self.where} must be {f'a list of {count} numbers' if count else 'a number'}, not "
                                 f"{value!r}.")
        return np.asarray(value, float)

    def tables(self, key: str) -> list[Entry]:
        """A list of tables, which may be missing."""
        value = self._data.pop(key, [])
        if not isinstance(value, list):
            raise CharacterError(f"`{key}` of {self.where} must be a list of tables, not {value!r}.")
        return [Entry(v, f"{self.where}, {key} {k + 1}") for k, v in enumerate(value)]

    def done(self) -> None:
        """Complain of keys that mean nothing."""
        if self._data:
            raise CharacterError(f"{self.where} has {', '.join(f'`{key}`' for key in self._data)}, which means nothing there.")

    def _of(self, key: str, default: Any, kind: type, meaning: str) -> Any:
        value = self.any(key) if default is None or self.has(key) else default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise CharacterError(f"`{key}` of {self.where} must be {meaning}, not {value!r}.")
        return value
