"""What operators have in common: they say why they are grey, and tell what was wrong."""
# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
from collections.abc import Callable
from functools import wraps
from typing import Any

import bpy

from ..core.errors import FootfallError

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
