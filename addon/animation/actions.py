"""Actions: which bones they move, in which slot and frames, and which armature they fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ...core.errors import ClipError
from .action_builder import bone_of

# Least share of the bones of an action that the armature it belongs to has: most of them, since
# rigs of one author share some names
MIN_BONE_SHARE = 0.5


@dataclass(frozen=True)
class ActionPart:
    """The part of an action for one object: all of it up to Blender 4.3, a slot of it from 4.4 on.

    Args:
        slot: index of the slot; -1 without slots.
        bones: names of the bones that it moves.
        begin: first frame.
        end: last frame.
    """

    slot: int
    bones: frozenset[str]
    begin: float
    end: float

    def compute_bone_share(self, armature: bpy.types.Object) -> float:
        """Return the share of its bones that an armature has."""
        return sum(name in armature.data.bones for name in self.bones) / max(len(self.bones), 1)


def list_action_parts(action: bpy.types.Action) -> tuple[ActionPart, ...]:
    """Return the parts of an action that move bones."""
    parts = []
    for slot, curves in _group_curves_by_slot(action):
        bones = frozenset(name for curve in curves if (name := bone_of(curve.data_path)))
        ranges = [curve.range() for curve in curves if len(curve.keyframe_points)]
        if bones and ranges:
            begin = min(frame_range[0] for frame_range in ranges)
            end = max(frame_range[1] for frame_range in ranges)
            if action.use_frame_range:
                begin = action.frame_start
                end = action.frame_end
            parts.append(ActionPart(slot, bones, float(begin), float(end)))
    return tuple(parts)


def has_bone_curves(action: bpy.types.Action) -> bool:
    """Return whether an action moves any bone; fast, because lists call it for every action."""
    return any(
        bone_of(curve.data_path) for _, curves in _group_curves_by_slot(action) for curve in curves
    )


def _group_curves_by_slot(action: bpy.types.Action) -> list[tuple[int, list[Any]]]:
    """Return the curves of each slot by its index; -1 without slots."""
    if not hasattr(action, "slots"):  # up to 4.3
        return [(-1, list(action.fcurves))]
    bags = [
        bag
        for layer in action.layers
        for strip in layer.strips
        for bag in getattr(strip, "channelbags", ())
    ]
    handles = [slot.handle for slot in action.slots]
    return [
        (k, [curve for bag in bags if bag.slot_handle == handle for curve in bag.fcurves])
        for k, handle in enumerate(handles)
    ]


def find_best_part(action: bpy.types.Action, armature: bpy.types.Object) -> ActionPart:
    """Return the part of an action that fits an armature best: the one that it plays, or that moves
    most of its bones.

    Raises:
        ClipError: the action moves no bones, or none of the armature's.
    """
    parts = list_action_parts(action)
    if not parts:
        raise ClipError(
            f"The action {action.name!r} moves no bones. Pick one of an armature that walks or "
            "runs."
        )
    data = armature.animation_data
    played_slot = -1
    if (
        data is not None
        and data.action == action
        and getattr(data, "action_slot", None) is not None
    ):
        played_slot = next(
            k for k, slot in enumerate(action.slots) if slot.handle == data.action_slot.handle
        )
    best_part = max(
        parts,
        key=lambda part: (
            part.slot == played_slot and part.compute_bone_share(armature) > 0,
            part.compute_bone_share(armature),
            len(part.bones),
        ),
    )
    if best_part.compute_bone_share(armature) <= 0:
        moved_names = ", ".join(repr(name) for name in sorted(best_part.bones)[:3])
        raise ClipError(
            f"The action {action.name!r} moves no bone of the armature {armature.name!r}; it "
            f"moves {moved_names}{' and others' if len(best_part.bones) > 3 else ''}. Pick the "
            "armature that it belongs to."
        )
    return best_part


def find_playing_armature(
    action: bpy.types.Action, active: bpy.types.Object | None
) -> bpy.types.Object:
    """Return the armature that an action belongs to: the one with most of its bones.

    Among equals, one that plays the action comes first, then the active one.

    Raises:
        ClipError: the action moves no bones, or no armature of the file has them.
    """
    parts = list_action_parts(action)
    if not parts:
        raise ClipError(
            f"The action {action.name!r} moves no bones. Pick one of an armature that walks or "
            "runs."
        )
    armatures = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    playing = [
        obj for obj in armatures if obj.animation_data and obj.animation_data.action == action
    ]
    best = max(
        armatures,
        default=None,
        key=lambda obj: (
            round(max(part.compute_bone_share(obj) for part in parts), 2),
            obj in playing,
            obj == active,
            bool(obj.users_scene),
        ),
    )
    if best is None or max(part.compute_bone_share(best) for part in parts) < MIN_BONE_SHARE:
        bones = sorted(max(parts, key=lambda part: len(part.bones)).bones)
        raise ClipError(
            f"No armature of this file has the bones of the action {action.name!r}, such as "
            f"{bones[0]!r}. Pick the armature that it belongs to, or add it to the file."
        )
    return best
