"""What an armature's new action takes over from the one before: the animation of all that is not planned."""
from __future__ import annotations

from collections.abc import Set
from typing import Any

import bpy

from ..animation.action_builder import NewAction, bone_of
from ..animation.channels import curves_of
from ..animation.keyframes import read_keys, write_keys

OF_CURVE = ("extrapolation", "auto_smoothing", "mute", "lock", "hide", "color_mode", "color")
TRANSFORMS = ("location", "rotation", "scale", "delta_")      # how channels of the object begin, which is planned as it stands


def keep_others(new: NewAction, armature: bpy.types.Object, moving: Set[str], free: Set[str] = frozenset()) -> list[str]:
    """Copy the curves of fingers, faces, props and all else that does not move the body; returns the names of their bones.

    Args:
        moving: bones that the plan moves, or that would move what it does; "" stands for the object.
        free: those of them that may be turned all the same, such as hands.
    """
    kept: dict[str, None] = {}
    for curve in curves_of(armature):
        bone = bone_of(curve.data_path)
        if in_the_way(curve, moving, free) or new.has(curve.data_path, curve.array_index):
            continue
        group = curve.group.name if curve.group else bone
        _copy(curve, new.empty(curve.data_path, curve.array_index, group))
        if bone:
            kept[bone] = None
    return list(kept)


def in_the_way(curve: Any, moving: Set[str], free: Set[str] = frozenset()) -> bool:
    """Whether a curve would move the body along with the plan; arguments as of `keep_others`."""
    bone = bone_of(curve.data_path)
    if not bone:
        return "" in moving and curve.data_path.startswith(TRANSFORMS)
    return bone in moving and not (bone in free and curve.data_path.rpartition(".")[2].startswith("rotation_"))


def _copy(old: Any, new: Any) -> None:
    write_keys(new, read_keys(old))
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
