"""Strips of the NLA that show a baked action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from ..animation.channels import find_slot


def list_strips(
    armature: bpy.types.Object, action: bpy.types.Action, slot: str = ""
) -> list[bpy.types.NlaStrip]:
    """Return the strips of an armature that show a slot of an action, from the lowest track up.

    Args:
        slot: handle of the slot; "" for any.
    """
    return [
        strip
        for strip in _iter_strips(armature)
        if strip.action == action and (not slot or _get_slot_handle(strip) == slot)
    ]


def mute_strips(strips: Iterable[bpy.types.NlaStrip]) -> dict[str, bool]:
    """Mute strips, and return whether each was muted before, by its name."""
    was_muted = {}
    for strip in strips:
        was_muted[strip.name] = strip.mute
        strip.mute = True
    return was_muted


def restore_muting(armature: bpy.types.Object, was_muted: dict[str, bool]) -> None:
    """Mute and unmute the strips of an armature as they were before `mute_strips`."""
    for strip in _iter_strips(armature):  # names are unique on an armature
        if strip.name in was_muted:
            strip.mute = was_muted[strip.name]


def exchange_action(strip: bpy.types.NlaStrip, action: bpy.types.Action, slot: str) -> None:
    """Show another action in a strip, which keeps its place on the timeline and its settings.

    A strip that showed its whole action shows the whole new one, frame by frame where the old one
    was; one that the user trimmed keeps its frames.
    """
    old_range = _read_range(strip)
    is_whole = old_range == tuple(strip.action.frame_range)
    strip.action = action
    if slot:
        strip.action_slot = find_slot(action, slot)
    if not is_whole:
        return
    begin = float(action.frame_range[0])
    end = float(action.frame_range[1])
    strip_begin = strip.frame_start + (begin - old_range[0]) * strip.scale
    strip.action_frame_end = max(end, old_range[1])  # Blender keeps the start below the end
    strip.action_frame_start = begin
    strip.action_frame_end = end
    strip.frame_start_ui = strip_begin  # moves both ends


def _read_range(strip: bpy.types.NlaStrip) -> tuple[float, float]:
    return float(strip.action_frame_start), float(strip.action_frame_end)


def _get_slot_handle(strip: Any) -> str:
    return str(strip.action_slot_handle) if hasattr(strip, "action_slot_handle") else ""


def _iter_strips(armature: bpy.types.Object) -> Iterator[bpy.types.NlaStrip]:
    """Yield all strips of an armature, and those within meta strips."""
    data = armature.animation_data
    pending = [] if data is None else [s for track in data.nla_tracks for s in track.strips]
    while pending:
        strip = pending.pop(0)
        yield strip
        pending[:0] = strip.strips
