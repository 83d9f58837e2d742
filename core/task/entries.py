"""Reading the entries of a task file: numbers, text and tables, each checked with a message that
names the entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import TaskError
from ..files.values import MAX_INTEGER, show_value

Quaternion = tuple[float, float, float, float]

# Largest magnitude of a number: its product with units is finite
MAX_NUMBER = 1e300


def read_number(value: object, key: str, kind: type) -> float | int | bool:
    """Return a number of a type.

    Args:
        key: of the entry, for messages.
        kind: float, int (0 or more) or bool.

    Raises:
        TaskError: it is no such number.
    """
    if kind is bool:
        if isinstance(value, bool):
            return value
        raise TaskError(f"The entry {key!r} must be true or false; it is {show_value(value)}.")
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or (kind is int and not isinstance(value, int))
    ):
        raise TaskError(
            f"The entry {key!r} must be a {'whole ' if kind is int else ''}number; it is "
            f"{show_value(value)}."
        )
    if abs(value) > (MAX_INTEGER if kind is int else MAX_NUMBER):
        raise TaskError(f"The entry {key!r} is {show_value(value)}, which is too large.")
    if kind is int and value < 0:
        raise TaskError(f"The entry {key!r} must not be negative; it is {show_value(value)}.")
    return kind(value)


def read_float(table: dict[str, Any], key: str, default: float) -> float:
    """Return a number of a table, or a default if it is left out.

    Raises:
        TaskError: it is no number.
    """
    return float(read_number(table.get(key, default), key, float))


def read_text(value: object, key: str) -> str:
    """Return a text.

    Raises:
        TaskError: it is none.
    """
    if not isinstance(value, str):
        raise TaskError(f"The entry {key!r} must be text; it is {show_value(value)}.")
    return value


def read_table(value: object, key: str) -> dict[str, Any]:
    """Return a table; a missing one (None) is empty.

    Raises:
        TaskError: it is no table.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise TaskError(f"The entry {key!r} must be a table, written as [{key}].")
    return value


def read_tables(value: object, key: str) -> list[dict[str, Any]]:
    """Return the tables of a list.

    Raises:
        TaskError: it is no list of tables.
    """
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise TaskError(f"The entry {key!r} must be a list of tables, each written as [[{key}]].")
    return value


def read_numbers(value: object, label: str, example: Sequence[float]) -> list[float]:
    """Return numbers, as many as an example has.

    Args:
        label: of the entry, for messages.

    Raises:
        TaskError: they are fewer or more, or no numbers.
    """
    if not isinstance(value, list) or len(value) != len(example):
        raise TaskError(
            f"The {label} must be {len(example)} numbers, such as {list(example)}; it is "
            f"{show_value(value)}."
        )
    return [float(read_number(v, label, float)) for v in value]


def read_orientations(table: dict[str, Any], owner: str) -> dict[str, Quaternion]:
    """Return quaternions (w, x, y, z) by link.

    Args:
        owner: the part that they belong to, for messages.

    Raises:
        TaskError: one of them is not four numbers.
    """
    orientations = {}
    for name, quaternion in table.items():
        w, x, y, z = read_numbers(quaternion, f"{owner}'s turn of {name}", (1.0, 0.0, 0.0, 0.0))
        orientations[name] = (w, x, y, z)
    return orientations


def check_orientations(orientations: Mapping[str, Quaternion], owner: str) -> None:
    """Check quaternions (w, x, y, z) by link.

    Args:
        owner: the part that they belong to, for messages.

    Raises:
        TaskError: one of them is not four finite numbers, or has no direction.
    """
    for name, quaternion in orientations.items():
        if (
            np.shape(quaternion) != (4,)
            or not np.isfinite(quaternion).all()
            or np.linalg.norm(quaternion) < 1e-6
        ):
            raise TaskError(
                f"In {owner} the link {show_value(name)} is turned by {show_value(quaternion)}; "
                "give a "
                "quaternion, w x y z."
            )


def check_keys(table: dict[str, Any], owner: str, allowed: Sequence[str]) -> None:
    """Check that a table has no unknown entry.

    Args:
        owner: the part that it describes, for messages.

    Raises:
        TaskError: it has one.
    """
    unknown = [key for key in table if key not in allowed]
    if unknown:
        raise TaskError(
            f"{owner} has the unknown entry {show_value(unknown[0])}; the entries are: "
            f"{', '.join(allowed)}."
        )
