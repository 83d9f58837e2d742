"""Drive the active character with keys and mouse in the 3D view."""

from __future__ import annotations

import bpy

from ..addon.drive.modal import DriveMode, is_driving
from ..addon.scene.active import find_active_settings, find_armature
from ..addon.scene.path import has_path
from ..core.errors import FootfallError
from .common import PollWithReason, explain_blocking_mode, get_busy_reason


class FOOTFALL_OT_drive(PollWithReason, bpy.types.Operator):
    """Steer the character live with arrow keys, W A S D or a circle, push it by dragging it; Enter
    keeps what was driven as a new action, Esc leaves all as it was"""

    bl_idname = "footfall.drive"
    bl_label = "Drive"
    bl_options = {"REGISTER", "UNDO"}

    _mode: DriveMode | None = None

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """There must be a character, and nothing else at work."""
        armature = find_armature(context.object)
        if is_driving():
            return "A character is being driven already; Enter keeps it, Esc leaves it"
        if armature is None:
            return "Select an armature"
        if explain_blocking_mode(context):
            return explain_blocking_mode(context)
        if armature.footfall.gait_speed > 0:
            return "Only characters that walk on two legs like people can be driven"
        if context.scene.footfall_live.start == "PATH" and not has_path(
            find_active_settings(context), context.scene
        ):
            return "Pick a curve under Path, or start here"
        return get_busy_reason(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Only hands can drive."""
        self.report({"ERROR"}, "A drive needs hands: start it from the button in a 3D view.")
        return {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin."""
        if context.area is None or context.area.type != "VIEW_3D":
            self.report({"ERROR"}, "A drive is shown in a 3D view; start it from there.")
            return {"CANCELLED"}
        try:
            self._mode = DriveMode(context, self.report)
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Take an event."""
        assert self._mode is not None
        return self._mode.handle(context, event)

    def cancel(self, context: bpy.types.Context) -> None:
        """What Blender calls when a file is opened or a window closed meanwhile."""
        if self._mode is not None:
            self._mode.end(context)
