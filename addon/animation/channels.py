"""Curves of actions by slot."""

from __future__ import annotations

from typing import Any

import bpy


def curves_of(owner: bpy.types.ID) -> list[Any]:
    """Return the curves of the current action of a data-block."""
    data = owner.animation_data
    if data is None or data.action is None:
        return []
    if not hasattr(data, "action_slot"):  # up to 4.3
        return list(data.action.fcurves)
    return (
        []
        if data.action_slot is None
        else curves_of_slot(data.action, str(data.action_slot.handle))
    )


def curves_of_slot(action: Any, slot_handle: str) -> list[Any]:
    """Return the curves of a slot of an action, by its handle as text; all curves up to Blender
    4.3.
    """
    if not hasattr(action, "slots"):
        return list(action.fcurves)
    action_slot = find_slot(action, slot_handle)
    bags = (
        []
        if action_slot is None
        else [strip.channelbag(action_slot) for layer in action.layers for strip in layer.strips]
    )
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def find_slot(action: Any, slot_handle: str) -> Any:
    """Return the slot of an action by its handle as text, which survives a rename; None without
    one.
    """
    return next(
        (
            candidate
            for candidate in getattr(action, "slots", ())
            if str(candidate.handle) == slot_handle
        ),
        None,
    )
