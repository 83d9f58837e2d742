"""The keys of one curve as arrays, to be read, joined and written at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Keys = dict[str, NDArray[Any]]  # by the key's property, a row a key

# of a key, in an order in which none of them changes another that was set before
NUMBER_FIELDS = {
    "co": 2,
    "handle_left": 2,
    "handle_right": 2,
    "back": 1,
    "amplitude": 1,
    "period": 1,
}
ENUM_FIELDS = ("interpolation", "easing", "type", "handle_left_type", "handle_right_type")

# interpolations
CONSTANT = 0
LINEAR = 1
BEZIER = 2


# types of handles
FREE = 0
AUTO = 1
ALIGNED = 3


# as Blender has them on a new key
DEFAULT_BACK = 1.70158
DEFAULT_PERIOD = 4.1


def read_keys(curve: Any) -> Keys:
    """All keys of a curve."""
    count = len(curve.keyframe_points)
    out = {}
    for name, size, kind in _list_key_fields():
        values = np.empty(count * size, kind)
        curve.keyframe_points.foreach_get(name, values)
        out[name] = values.reshape(count, size)
    return out


def write_keys(curve: Any, keys: Keys) -> None:
    """Give a curve these keys and no others."""
    if len(curve.keyframe_points):
        curve.keyframe_points.clear()
    curve.keyframe_points.add(len(keys["co"]))
    for name, _, kind in _list_key_fields():
        if name in keys:
            curve.keyframe_points.foreach_set(name, np.ascontiguousarray(keys[name], kind).ravel())
    curve.update()


def select_keys(keys: Keys, mask: NDArray[np.bool_]) -> Keys:
    """Those of some keys for which `mask` (n,) is true; they may be changed."""
    return {name: values[mask] for name, values in keys.items()}


def make_keys(frames: Array, values: Array, interpolation: int = LINEAR) -> Keys:
    """Keys of one interpolation, with nothing else told. (n,), (n,)."""
    return {
        "co": np.column_stack([frames, values]),
        "interpolation": np.full((len(frames), 1), interpolation),
    }


def concatenate_keys(parts: list[Keys]) -> Keys:
    """Keys of several parts, one after the other; what a part does not tell is as on a new key."""
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
