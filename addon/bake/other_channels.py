"""Animation of the previous action that a bake keeps: everything that the plan does not move."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import bpy

from ...core.character.from_rig.binding import Binding
from ..animation.action_builder import ActionBuilder, bone_of
from ..animation.channels import curves_of
from ..animation.keyframes import read_keys, write_keys
from ..text import enumerate_names
from .stored_plan import has_plan

CURVE_PROPERTIES = (
    "extrapolation",
    "auto_smoothing",
    "mute",
    "lock",
    "hide",
    "color_mode",
    "color",
)
# Prefixes of the channels of the object's transform, which the plan assumes to be constant
OBJECT_TRANSFORM_PREFIXES = ("location", "rotation", "scale", "delta_")


def copy_unplanned_channels(
    builder: ActionBuilder,
    armature: bpy.types.Object,
    moved_bones: Set[str],
    free_bones: Set[str] = frozenset(),
) -> list[str]:
    """Copy the curves of fingers, faces, props and everything else that does not move the body.

    Returns the names of their bones.

    Args:
        moved_bones: bones that the plan moves, or that would move them; "" stands for the object.
        free_bones: bones among them that may keep their rotation, such as hands.
    """
    copied_bones: dict[str, None] = {}
    for curve in curves_of(armature):
        bone = bone_of(curve.data_path)
        if has_plan_conflict(curve, moved_bones, free_bones) or builder.has_curve(
            curve.data_path, curve.array_index
        ):
            continue
        group = curve.group.name if curve.group else bone
        _copy_curve(curve, builder.add_empty_curve(curve.data_path, curve.array_index, group))
        if bone:
            copied_bones[bone] = None
    return list(copied_bones)


def describe_replaced_tails(
    armature: bpy.types.Object, binding: Binding, keyed_bones: Set[str]
) -> list[str]:
    """Return a remark on dragged tails with keys that no bake made, which the new keys replace."""
    if has_plan(armature):
        return []
    tail_bones = {name for tail in binding.dragged_tails for name in tail.bones} & keyed_bones
    animated_bones = {bone_of(curve.data_path) for curve in curves_of(armature)}
    replaced = sorted(tail_bones & animated_bones)
    if not replaced:
        return []
    return [
        f"keys of {enumerate_names(replaced)} are replaced, because the tail is dragged over the "
        "ground; the action before still has them"
    ]


def has_plan_conflict(
    curve: Any, moved_bones: Set[str], free_bones: Set[str] = frozenset()
) -> bool:
    """Return whether a curve would change the planned motion.

    Args:
        moved_bones: as in `copy_unplanned_channels`.
        free_bones: as in `copy_unplanned_channels`.
    """
    bone = bone_of(curve.data_path)
    if not bone:
        return "" in moved_bones and curve.data_path.startswith(OBJECT_TRANSFORM_PREFIXES)
    return bone in moved_bones and not (
        bone in free_bones and curve.data_path.rpartition(".")[2].startswith("rotation_")
    )


def _copy_curve(old: Any, new: Any) -> None:
    write_keys(new, read_keys(old))
    for name in CURVE_PROPERTIES:
        setattr(new, name, getattr(old, name))
    for modifier in old.modifiers:
        _copy_modifier(modifier, new.modifiers.new(modifier.type))
    new.update()


def _copy_modifier(old: Any, new: Any) -> None:
    for prop in old.bl_rna.properties:
        if not prop.is_readonly and prop.identifier != "active":
            setattr(new, prop.identifier, getattr(old, prop.identifier))
    for point in getattr(old, "control_points", ()):
        new_point = new.control_points.add(point.frame)
        new_point.min = point.min
        new_point.max = point.max
