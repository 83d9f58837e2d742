"""What operators have in common: reasons for being disabled, errors reported."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

from collections.abc import Callable
from functools import wraps
from typing import Any

import bpy

from ..addon.scene.active import find_active_settings
from ..core.errors import FootfallError

# in the others Blender's undo knows only of what is edited there, and of no keys
KEYING_MODES = ("OBJECT", "POSE")


def explain_blocking_mode(context: bpy.types.Context) -> str:
    """What to do before keys can be made and undone; empty where nothing is."""
    return (
        ""
        if context.mode in KEYING_MODES
        else f"Leave {context.mode.partition('_')[0].title()} Mode first"
    )


class RemoveEntry:
    """Removes the entry `index` of the list of that name; `entry_label` is what people call one."""

    bl_options = {"REGISTER", "UNDO"}
    list_property = entry_label = ""

    index: bpy.props.IntProperty(min=0, options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        entries = getattr(find_active_settings(context), self.list_property)
        if self.index >= len(entries):
            self.report(
                {"ERROR"},
                (
                    f"There is no {self.entry_label} number {self.index + 1}; there are "
                    f"{len(entries)}."
                ),
            )
            return {"CANCELLED"}
        entries.remove(self.index)
        return {"FINISHED"}


Execute = Callable[[Any, bpy.types.Context], set[str]]


class PollWithReason:
    """Operators that are grey for a reason, which Blender shows with the tooltip."""

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Why it cannot be done now and what to do first; empty where it can."""
        raise NotImplementedError

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether it can be done."""
        reason = cls.get_disabled_reason(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason


def get_busy_reason(context: bpy.types.Context) -> str:
    """What to do first while a motion is planned; empty where none is."""
    return (
        "Footfall is still at work; press Esc to stop it first"
        if context.window_manager.footfall.working
        else ""
    )


def reports_errors(execute: Execute) -> Execute:
    """The `execute` of an operator that tells of a `FootfallError` at the foot of the window, and
    then counts as cancelled.
    """

    @wraps(execute)
    def wrapper(self: Any, context: bpy.types.Context) -> set[str]:
        try:
            return execute(self, context)
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}

    return wrapper
