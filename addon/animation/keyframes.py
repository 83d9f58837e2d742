"""The keys of one curve as arrays, to be read, joined and written at once."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Keys = dict[str, NDArray[Any]]        # by the key's property, a row a key

# of a key, in an order in which none of them changes another that was set before
NUMBERS = {"co": 2, "handle_left": 2, "handle_right": 2, "back": 1, "amplitude": 1, "period": 1}
CHOICES = ("interpolation", "easing", "type", "handle_left_type", "handle_right_type")
CONSTANT, LINEAR, BEZIER = 0, 1, 2    # interpolations
FREE, AUTO, ALIGNED = 0, 1, 3         # types of handles
BACK, PERIOD = 1.70158, 4.1           # as Blender has them on a new key


def read_keys(curve: Any) -> Keys:
    """All keys of a curve."""
    count, out = len(curve.keyframe_points), {}
    for name, size, kind in _fields():
        values = np.empty(count * size, kind)
        curve.keyframe_points.foreach_get(name, values)
        out[name] = values.reshape(count, size)
    return out


def write_keys(curve: Any, keys: Keys) -> None:
    """Give a curve these keys and no others."""
    if len(curve.keyframe_points):
        curve.keyframe_points.clear()
    curve.keyframe_points.add(len(keys["co"]))
    for name, _, kind in _fields():
        if name in keys:
            curve.keyframe_points.foreach_set(name, np.ascontiguousarray(keys[name], kind).ravel())
    curve.update()


def some_of(keys: Keys, which: NDArray[np.bool_]) -> Keys:
    """Those of some keys for which `which` (n,) is true; they may be changed."""
    return {name: values[which] for name, values in keys.items()}


def straight(frames: Array, values: Array, interpolation: int = LINEAR) -> Keys:
    """Keys of one interpolation, with nothing else told. (n,), (n,)."""
    return {"co": np.column_stack([frames, values]), "interpolation": np.full((len(frames), 1), interpolation)}


def joined(parts: list[Keys]) -> Keys:
    """Keys of several parts, one after the other; what a part does not tell is as on a new key."""
    full = [_full(part) for part in parts if len(part["co"])]
    return {name: np.concatenate([part[name] for part in full]) for name, _, _ in _fields()}


def _full(keys: Keys) -> Keys:
    count = len(keys["co"])
    usual: Keys = {"handle_left": keys["co"], "handle_right": keys["co"], "back": np.full((count, 1), BACK),
                   "amplitude": np.zeros((count, 1)), "period": np.full((count, 1), PERIOD)}
    usual |= {name: np.zeros((count, 1), int) for name in CHOICES}
    return usual | keys


def _fields() -> list[tuple[str, int, Any]]:
    return [*((name, 1, np.int32) for name in CHOICES), *((name, size, np.float32) for name, size in NUMBERS.items())]
