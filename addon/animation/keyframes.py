"""Keys of one curve as arrays, to read, join and write them at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Keys = dict[str, NDArray[Any]]  # values by field, with a row for each key

# Fields of a key and their sizes, in an order in which setting one changes no earlier one
NUMBER_FIELDS = {
    "co": 2,
    "handle_left": 2,
    "handle_right": 2,
    "back": 1,
    "amplitude": 1,
    "period": 1,
}
ENUM_FIELDS = ("interpolation", "easing", "type", "handle_left_type", "handle_right_type")

# Interpolations, as Blender numbers them
CONSTANT = 0
LINEAR = 1
BEZIER = 2

# Types of handles, as Blender numbers them
FREE = 0
AUTO = 1
ALIGNED = 3

# Values of a new key in Blender's source
DEFAULT_BACK = 1.70158
DEFAULT_PERIOD = 4.1


def read_keys(curve: Any) -> Keys:
    """Return all keys of a curve."""
    count = len(curve.keyframe_points)
    out = {}
    for name, size, kind in _list_key_fields():
        values = np.empty(count * size, kind)
        curve.keyframe_points.foreach_get(name, values)
        out[name] = values.reshape(count, size)
    return out


def write_keys(curve: Any, keys: Keys) -> None:
    """Replace all keys of a curve."""
    if len(curve.keyframe_points):
        curve.keyframe_points.clear()
    curve.keyframe_points.add(len(keys["co"]))
    for name, _, kind in _list_key_fields():
        if name in keys:
            curve.keyframe_points.foreach_set(name, np.ascontiguousarray(keys[name], kind).ravel())
    curve.update()


def select_keys(keys: Keys, mask: NDArray[np.bool_]) -> Keys:
    """Return copies of the keys for which a mask (n,) is true."""
    return {name: values[mask] for name, values in keys.items()}


def make_keys(frames: Array, values: Array, interpolation: int = LINEAR) -> Keys:
    """Return keys at frames (n,) with values (n,) and one interpolation; other fields are unset."""
    return {
        "co": np.column_stack([frames, values]),
        "interpolation": np.full((len(frames), 1), interpolation),
    }


def concatenate_keys(parts: list[Keys]) -> Keys:
    """Return the keys of several parts in order; fields that a part does not set have their
    defaults.
    """
    complete = [_fill_defaults(part) for part in parts if len(part["co"])]
    return {
        name: np.concatenate([part[name] for part in complete]) for name, _, _ in _list_key_fields()
    }


def _fill_defaults(keys: Keys) -> Keys:
    count = len(keys["co"])
    defaults: Keys = {
        "handle_left": keys["co"],
        "handle_right": keys["co"],
        "back": np.full((count, 1), DEFAULT_BACK),
        "amplitude": np.zeros((count, 1)),
        "period": np.full((count, 1), DEFAULT_PERIOD),
    }
    defaults |= {name: np.zeros((count, 1), int) for name in ENUM_FIELDS}
    return defaults | keys


def _list_key_fields() -> list[tuple[str, int, Any]]:
    return [
        *((name, 1, np.int32) for name in ENUM_FIELDS),
        *((name, size, np.float32) for name, size in NUMBER_FIELDS.items()),
    ]
