"""What an armature's new action takes over from the one before: the animation of all that is not planned."""
from __future__ import annotations

from collections.abc import Set
from typing import Any

import bpy
import numpy as np

from .keys import NewAction, bone_of

# of a key, in an order in which none of them changes another that was set before
NUMBERS = {"co": 2, "handle_left": 2, "handle_right": 2, "back": 1, "amplitude": 1, "period": 1}
CHOICES = ("interpolation", "easing", "type", "handle_left_type", "handle_right_type")
OF_CURVE = ("extrapolation", "auto_smoothing", "mute", "lock", "hide", "color_mode", "color")
TRANSFORMS = ("location", "rotation", "scale", "delta_")      # how channels of the object begin, which is planned as it stands


def keep_others(new: NewAction, armature: bpy.types.Object, moving: Set[str], free: Set[str] = frozenset()) -> list[str]:
    """Copy the curves of fingers, faces, props and all else that does not move the body; returns the names of their bones.

    Args:
        moving: bones that the plan moves, or that would move what it does.
        free: those of them that may be turned all the same, such as hands.
    """
    kept: dict[str, None] = {}
    for curve in _playing(armature):
        bone = bone_of(curve.data_path)
        turns = curve.data_path.rpartition(".")[2].startswith("rotation_")
        if (bone in moving and not (turns and bone in free)) or (not bone and curve.data_path.startswith(TRANSFORMS)):
            continue
        if new.has(curve.data_path, curve.array_index):
            continue
        group = curve.group.name if curve.group else bone
        _copy(curve, new.empty(curve.data_path, curve.array_index, group))
        if bone:
            kept[bone] = None
    return list(kept)


def _playing(armature: bpy.types.Object) -> list[Any]:
    """The curves of the action that an armature has now."""
    data = armature.animation_data
    if data is None or data.action is None:
        return []
    if not hasattr(data, "action_slot"):                                   # up to 4.3
        return list(data.action.fcurves)
    if data.action_slot is None:
        return []
    bags = [strip.channelbag(data.action_slot) for layer in data.action.layers for strip in layer.strips]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def _copy(old: Any, new: Any) -> None:
    count = len(old.keyframe_points)
    new.keyframe_points.add(count)
    for name, size, kind in [*((name, 1, np.int32) for name in CHOICES), *((n, size, np.float32) for n, size in NUMBERS.items())]:
        values = np.empty(count * size, kind)
        old.keyframe_points.foreach_get(name, values)
        new.keyframe_points.foreach_set(name, values)
    for name in OF_CURVE:
        setattr(new, name, getattr(old, name))
    for modifier in old.modifiers:
        _copy_modifier(modifier, new.modifiers.new(modifier.type))
    new.update()


def _copy_modifier(old: Any, new: Any) -> None:
    for prop in old.bl_rna.properties:
        if not prop.is_readonly and prop.identifier != "active":
            setattr(new, prop.identifier, getattr(old, prop.identifier))
    for point in getattr(old, "control_points", ()):
        made = new.control_points.add(point.frame)
        made.min, made.max = point.min, point.max
