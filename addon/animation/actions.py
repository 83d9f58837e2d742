"""Actions: which bones they move, in which slot and over which frames, and whose armature they fit."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ...core.errors import ClipError
from .action_builder import bone_of

FITS = 0.5                # share of an action's bones that an armature must have to be taken for its own


@dataclass(frozen=True)
class Part:
    """What an action holds for one object: all of it up to Blender 4.3, a slot of it from 4.4 on.

    Args:
        slot: its place among the action's slots; -1 where there are none.
        bones: that it moves.
        begin, end: first and last frame.
    """

    slot: int
    bones: frozenset[str]
    begin: float
    end: float

    def share(self, armature: bpy.types.Object) -> float:
        """Share of its bones that an armature has."""
        return sum(name in armature.data.bones for name in self.bones) / max(len(self.bones), 1)


def parts_of(action: bpy.types.Action) -> tuple[Part, ...]:
    """The parts of an action that move bones."""
    found = []
    for slot, curves in _curves_by_slot(action):
        bones = frozenset(name for curve in curves if (name := bone_of(curve.data_path)))
        ranges = [curve.range() for curve in curves if len(curve.keyframe_points)]
        if bones and ranges:
            begin, end = min(r[0] for r in ranges), max(r[1] for r in ranges)
            if action.use_frame_range:
                begin, end = action.frame_start, action.frame_end
            found.append(Part(slot, bones, float(begin), float(end)))
    return tuple(found)


def moves_bones(action: bpy.types.Action) -> bool:
    """Whether an action moves any bone; quick, as lists ask it of every action."""
    return any(bone_of(curve.data_path) for _, curves in _curves_by_slot(action) for curve in curves)


def _curves_by_slot(action: bpy.types.Action) -> list[tuple[int, list[Any]]]:
    if not hasattr(action, "slots"):                                       # up to 4.3
        return [(-1, list(action.fcurves))]
    bags = [bag for layer in action.layers for strip in layer.strips for bag in getattr(strip, "channelbags", ())]
    handles = [slot.handle for slot in action.slots]
    return [(k, [curve for bag in bags if bag.slot_handle == handle for curve in bag.fcurves])
            for k, handle in enumerate(handles)]


def part_for(action: bpy.types.Action, armature: bpy.types.Object) -> Part:
    """The part of an action that fits an armature best: the one that it plays, or that moves the most of its bones.

    Raises:
        ClipError: the action moves no bones, or none of the armature's.
    """
    parts = parts_of(action)
    if not parts:
        raise ClipError(f"The action {action.name!r} moves no bones. Pick one of an armature that walks or runs.")
    data = armature.animation_data
    played = -1
    if data is not None and data.action == action and getattr(data, "action_slot", None) is not None:
        played = next(k for k, slot in enumerate(action.slots) if slot.handle == data.action_slot.handle)
    best = max(parts, key=lambda part: (part.slot == played and part.share(armature) > 0, part.share(armature), len(part.bones)))
    if best.share(armature) <= 0:
        moved = ", ".join(repr(name) for name in sorted(best.bones)[:3])
        raise ClipError(f"The action {action.name!r} moves no bone of the armature {armature.name!r}; it moves {moved}"
                        f"{' and others' if len(best.bones) > 3 else ''}. Pick the armature that it belongs to.")
    return best


def armature_playing(action: bpy.types.Action, active: bpy.types.Object | None) -> bpy.types.Object:
    """The armature that an action belongs to, where the user named none: one that plays it or has its bones, the active one first.

    Raises:
        ClipError: the action moves no bones, or no armature of the file has them.
    """
    parts = parts_of(action)
    if not parts:
        raise ClipError(f"The action {action.name!r} moves no bones. Pick one of an armature that walks or runs.")
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    plays = [thing for thing in armatures if thing.animation_data and thing.animation_data.action == action]
    best = max(armatures, default=None, key=lambda thing: (
        round(max(part.share(thing) for part in parts), 2), thing in plays, thing == active, bool(thing.users_scene)))
    if best is None or max(part.share(best) for part in parts) < FITS:
        bones = sorted(max(parts, key=lambda part: len(part.bones)).bones)
        raise ClipError(f"No armature of this file has the bones of the action {action.name!r}, such as {bones[0]!r}. Pick the "
                        "armature that it belongs to, or add it to the file.")
    return best
