"""What operators have in common: reasons for being disabled, errors reported."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
from collections.abc import Callable
from functools import wraps
from typing import Any

# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
import bpy

from ..addon.scene.active import wish_of
from ..core.errors import FootfallError

FIT = ("OBJECT", "POSE")             # in the others Blender's undo knows only of what is edited there, and of no keys


def hindering(context: bpy.types.Context) -> str:
    """What to do before keys can be made and undone; empty where nothing is."""
    return "" if context.mode in FIT else f"Leave {context.mode.partition('_')[0].title()} Mode first"


class Removing:
    """Removes the entry `index` of the list of that name; `entry` is what people call one."""

    bl_options = {"REGISTER", "UNDO"}
    entries = entry = ""

    index: bpy.props.IntProperty(min=0, options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        listed = getattr(wish_of(context), self.entries)
        if self.index >= len(listed):
            self.report({"ERROR"}, f"There is no {self.entry} number {self.index + 1}; there are {len(listed)}.")
            return {"CANCELLED"}
        listed.remove(self.index)
        return {"FINISHED"}

Execute = Callable[[Any, bpy.types.Context], set[str]]


class Greyed:
    """Operators that are grey for a reason, which Blender shows with the tooltip."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be done now and what to do first; empty where it can."""
        raise NotImplementedError

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether it can be done."""
        reason = cls.why_not(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason


def at_work(context: bpy.types.Context) -> str:
    """What to do first while a motion is planned; empty where none is."""
    return "Footfall is still at work; press Esc to stop it first" if context.window_manager.footfall.working else ""


def tells_errors(execute: Execute) -> Execute:
    """The `execute` of an operator that tells of a `FootfallError` at the foot of the window, and then counts as cancelled."""
    @wraps(execute)
    def told(self: Any, context: bpy.types.Context) -> set[str]:
        try:
            return execute(self, context)
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
    return told
