"""Common parts of operators: reasons why they are disabled, and reports of errors."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

from collections.abc import Callable
from functools import wraps
from typing import Any

import bpy

from ..addon.scene.active import find_active_settings
from ..addon.settings.motion import MotionSettings
from ..core.errors import FootfallError

# Modes in which Blender's undo includes keys; in other modes it covers only the edited data.
KEYING_MODES = ("OBJECT", "POSE")


def explain_blocking_mode(context: bpy.types.Context) -> str:
    """Return how to leave a mode in which keys cannot be undone; empty if the mode allows it."""
    return (
        ""
        if context.mode in KEYING_MODES
        else f"Leave {context.mode.partition('_')[0].title()} Mode first"
    )


class RemoveEntry:
    """Base of operators that remove an entry of a list.

    Attributes:
        list_property: name of the list in the settings.
        entry_label: name of an entry in messages.
        index: index of the entry.
    """

    bl_options = {"REGISTER", "UNDO"}
    list_property = ""
    entry_label = ""

    index: bpy.props.IntProperty(min=0, options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the entry."""
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
    """Base of operators that show in the tooltip why they are disabled."""

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Return what to do before the operator can run; empty if it can."""
        raise NotImplementedError

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the operator can run."""
        reason = cls.get_disabled_reason(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason


def get_busy_reason(context: bpy.types.Context) -> str:
    """Return how to stop the current planning; empty if there is none."""
    return (
        "A motion is being planned; press Esc to stop it first"
        if context.window_manager.footfall.working
        else ""
    )


def find_style_source(settings: MotionSettings, part: str) -> Any:
    """Return the properties that hold the source of a style.

    Args:
        settings: settings of a character.
        part: "STYLE", "MIXED" or "UPPER", as in `PART_ITEMS`.
    """
    return settings if part == "STYLE" else getattr(settings, f"{part.lower()}_other")


def reports_errors(execute: Execute) -> Execute:
    """Wrap the `execute` method of an operator so that a `FootfallError` is reported.

    The operator is then canceled.
    """

    @wraps(execute)
    def wrapper(self: Any, context: bpy.types.Context) -> set[str]:
        try:
            return execute(self, context)
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}

    return wrapper
