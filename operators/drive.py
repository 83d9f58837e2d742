"""Drive the active character with keys and mouse in the 3D view."""

from __future__ import annotations

import bpy

from ..addon.drive.modal import DriveMode, is_driving
from ..addon.scene.active import find_active_settings, find_armature
from ..addon.scene.path import has_path
from ..core.engine import ENGINES
from ..core.errors import FootfallError
from .common import PollWithReason, explain_blocking_mode, get_busy_reason


class FOOTFALL_OT_drive(PollWithReason, bpy.types.Operator):
    """Steer the character live with arrow keys, W A S D or the on-screen stick, and push it by
    dragging. Enter bakes the drive into a new action, Esc discards it"""

    bl_idname = "footfall.drive"
    bl_label = "Drive"
    bl_options = {"REGISTER", "UNDO"}

    _mode: DriveMode | None = None

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a character on two legs and a place to start."""
        armature = find_armature(context.object)
        if is_driving():
            return (
                "A character is already being driven; press Enter to keep the drive or Esc to "
                "discard it"
            )
        if armature is None:
            return "Select an armature"
        if explain_blocking_mode(context):
            return explain_blocking_mode(context)
        if armature.footfall.gait_speed > 0:
            return "Only characters that walk on two legs like humans can be driven"
        problem = ENGINES[find_active_settings(context).engine].find_drive_problem()
        if problem:
            return problem
        if context.scene.footfall_live.start == "PATH" and not has_path(
            find_active_settings(context), context.scene
        ):
            return "Pick a curve under Path & Terrain, or set Start to Here"
        return get_busy_reason(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Report that a drive needs a 3D view; scripts cannot steer."""
        self.report({"ERROR"}, "A drive needs user input; start it with the button in a 3D view.")
        return {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start the drive."""
        if context.area is None or context.area.type != "VIEW_3D":
            self.report({"ERROR"}, "A drive needs a 3D view; start it from there.")
            return {"CANCELLED"}
        try:
            self._mode = DriveMode(context, self.report)
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Process an event."""
        assert self._mode is not None
        return self._mode.handle(context, event)

    def cancel(self, context: bpy.types.Context) -> None:
        """End the drive; called by Blender when a file is opened or a window is closed."""
        if self._mode is not None:
            self._mode.end(context)
