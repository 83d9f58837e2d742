"""Keys that were baked anew taken over into the action that an armature plays, so that it stays the same action."""
from __future__ import annotations

import bpy
import numpy as np

from .channels import curves_of
from .keyframes import Keys, joined, read_keys, some_of, write_keys

Channels = dict[tuple[str, int], Keys]               # by path and index


def keys_of(armature: bpy.types.Object) -> Channels:
    """The keys of each curve of the action that an armature plays."""
    return {(c.data_path, c.array_index): read_keys(c) for c in curves_of(armature)}


def take_over(armature: bpy.types.Object, new: Channels, frames: tuple[float, float] | None) -> None:
    """Give the action that an armature plays new keys, in the channels that it has.

    Args:
        new: keys over the whole motion.
        frames: first and last between which keys are replaced, those at both included; None for all of each curve.
    """
    for curve in curves_of(armature):
        keys = new.get((curve.data_path, curve.array_index))
        if keys is None:
            continue
        old = read_keys(curve)
        after = keys if frames is None else _joined(old, keys, frames)
        if not _same(old, after):
            write_keys(curve, after)


def _joined(old: Keys, new: Keys, frames: tuple[float, float]) -> Keys:
    """Old keys with those between two frames replaced by new ones; a curve of one key has that value everywhere."""
    if len(old["co"]) == 1 and len(new["co"]) == 1 and old["co"][0, 1] == new["co"][0, 1]:
        return old
    old, new = _at_frames(old, new), _at_frames(new, old)
    at, now = old["co"][:, 0], new["co"][:, 0]
    return joined([some_of(old, at < frames[0]), some_of(new, (now >= frames[0]) & (now <= frames[1])),
                   some_of(old, at > frames[1])])


def _at_frames(keys: Keys, others: Keys) -> Keys:
    """Keys of a curve that has a single one, at the frames of others; those of any other curve as they are."""
    if len(keys["co"]) != 1:
        return keys
    frames = others["co"][:, 0]
    return {**others, "co": np.column_stack([frames, np.full(len(frames), keys["co"][0, 1])]).astype(np.float32)}


def _same(a: Keys, b: Keys) -> bool:
    return all(np.array_equal(a[name], b[name]) for name in a)
