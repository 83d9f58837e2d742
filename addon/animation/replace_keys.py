"""Replacement of keys in the action that an armature plays, so that it stays the same action."""

from __future__ import annotations

import bpy
import numpy as np

from .channels import curves_of
from .keyframes import Keys, concatenate_keys, read_keys, select_keys, write_keys

KeysByChannel = dict[tuple[str, int], Keys]  # keys by data path and channel


def read_action_keys(armature: bpy.types.Object) -> KeysByChannel:
    """Return the keys of each curve of the action that an armature plays."""
    return {(c.data_path, c.array_index): read_keys(c) for c in curves_of(armature)}


def replace_keys(
    armature: bpy.types.Object, new_keys: KeysByChannel, frame_range: tuple[float, float] | None
) -> None:
    """Replace keys of the action that an armature plays, in its existing channels.

    Args:
        new_keys: keys over the whole motion.
        frame_range: first and last frame of the keys to replace, inclusive; None for all keys.
    """
    for curve in curves_of(armature):
        keys = new_keys.get((curve.data_path, curve.array_index))
        if keys is None:
            continue
        old_keys = read_keys(curve)
        merged = keys if frame_range is None else _merge_keys(old_keys, keys, frame_range)
        if not _are_equal(old_keys, merged):
            write_keys(curve, merged)


def _merge_keys(old: Keys, new: Keys, frame_range: tuple[float, float]) -> Keys:
    """Return old keys with those in a range of frames replaced by new ones.

    A curve of one key has its value everywhere.
    """
    if len(old["co"]) == 1 and len(new["co"]) == 1 and old["co"][0, 1] == new["co"][0, 1]:
        return old
    old, new = _expand_constant(old, new), _expand_constant(new, old)
    old_frames = old["co"][:, 0]
    new_frames = new["co"][:, 0]
    return concatenate_keys(
        [
            select_keys(old, old_frames < frame_range[0]),
            select_keys(new, (new_frames >= frame_range[0]) & (new_frames <= frame_range[1])),
            select_keys(old, old_frames > frame_range[1]),
        ]
    )


def _expand_constant(keys: Keys, others: Keys) -> Keys:
    """Return a single key repeated at the frames of others; several keys are returned unchanged."""
    if len(keys["co"]) != 1:
        return keys
    frames = others["co"][:, 0]
    return {
        **others,
        "co": np.column_stack([frames, np.full(len(frames), keys["co"][0, 1])]).astype(np.float32),
    }


def _are_equal(a: Keys, b: Keys) -> bool:
    return all(np.array_equal(a[name], b[name]) for name in a)
