"""Keys that were baked anew taken over into the action that an armature plays, so that it stays the same action."""
from __future__ import annotations

import hashlib
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .kept import curves_of
from .keys import LINEAR

Array = NDArray[np.float64]

KEYS = "footfall_keys"               # property of an action: what its keys were as Footfall left them


def note_keys(armature: bpy.types.Object) -> None:
    """Remember with the action that an armature plays how its keys are now."""
    armature.animation_data.action[KEYS] = _digest(armature)


def are_as_noted(armature: bpy.types.Object) -> bool:
    """Whether nobody has changed a key since."""
    return armature.animation_data.action.get(KEYS) == _digest(armature)


def _digest(armature: bpy.types.Object) -> str:
    told = hashlib.blake2b(digest_size=16)
    for path, index, curve in sorted(((c.data_path, c.array_index, c) for c in curves_of(armature)), key=lambda c: c[:2]):
        told.update(f"{path} {index}".encode())
        told.update(_keys(curve).astype(np.float32).tobytes())
    return told.hexdigest()


def _keys(curve: Any) -> Array:
    """Frames and values of a curve. (n, 2)."""
    flat = np.empty(2 * len(curve.keyframe_points), np.float32)
    curve.keyframe_points.foreach_get("co", flat)
    return flat.reshape(-1, 2).astype(float)


def keys_of(armature: bpy.types.Object) -> dict[tuple[str, int], Array]:
    """Frames and values (n, 2) of each curve of the action that an armature plays, by channel."""
    return {(c.data_path, c.array_index): _keys(c) for c in curves_of(armature)}


def take_over(armature: bpy.types.Object, new: dict[tuple[str, int], Array], frames: tuple[float, float] | None) -> int:
    """Give the action that an armature plays new keys; returns how many curves changed.

    Args:
        new: keys by channel, over the whole motion.
        frames: first and last between which keys are replaced, those at both included; None for all of each curve.
    """
    old = {(c.data_path, c.array_index): c for c in curves_of(armature)}
    changed = 0
    for channel, keys in new.items():
        if channel not in old:
            continue
        before = _keys(old[channel])
        after = keys if frames is None else _joined(before, keys, frames)
        if before.shape != after.shape or not np.array_equal(before, after):
            _write(old[channel], before, after)
            changed += 1
    return changed


def _joined(old: Array, new: Array, frames: tuple[float, float]) -> Array:
    """Old keys with those between two frames replaced by new ones; a curve of one key has that value everywhere."""
    if len(old) == 1 and len(new) == 1 and old[0, 1] == new[0, 1]:
        return old
    if len(old) == 1:
        old = np.column_stack([new[:, 0], np.full(len(new), old[0, 1])])
    if len(new) == 1:
        new = np.column_stack([old[:, 0], np.full(len(old), new[0, 1])])
    within = (new[:, 0] >= frames[0]) & (new[:, 0] <= frames[1])
    outside = (old[:, 0] < frames[0]) | (old[:, 0] > frames[1])
    both = np.concatenate([old[outside], new[within]])
    return both[np.argsort(both[:, 0], kind="stable")]


def _write(curve: Any, before: Array, after: Array) -> None:
    """Set a curve's keys. Keys that stay where they are keep their handles."""
    points = curve.keyframe_points
    if before.shape == after.shape and np.array_equal(before[:, 0], after[:, 0]):
        points.foreach_set("co", after.astype(np.float32).ravel())
    else:
        shapes = {float(p.co[0]): (p.interpolation, p.handle_left_type, p.handle_right_type) for p in points}
        points.clear()
        points.add(len(after))
        points.foreach_set("co", after.astype(np.float32).ravel())
        points.foreach_set("interpolation", np.full(len(after), LINEAR, np.int32))
        for point in points:
            if float(point.co[0]) in shapes:
                point.interpolation, point.handle_left_type, point.handle_right_type = shapes[float(point.co[0])]
    curve.update()
