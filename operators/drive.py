"""Drive the active character with keys and mouse in the 3D view."""
from __future__ import annotations

import bpy

from ..addon.asking import armature_of
from ..addon.drive_mode import DriveMode, driving_now
from ..addon.modes import hindering
from ..core.errors import FootfallError


class FOOTFALL_OT_drive(bpy.types.Operator):
    """Steer the character live with arrow keys, W A S D or a circle, push it by dragging it; Enter keeps what was driven as a
    new action, Esc leaves all as it was"""

    bl_idname = "footfall.drive"
    bl_label = "Drive"
    bl_options = {"REGISTER", "UNDO"}

    _mode: DriveMode | None = None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a character, and nothing else at work."""
        armature = armature_of(context.object)
        if driving_now():
            cls.poll_message_set("A character is being driven already; Enter keeps it, Esc leaves it")
        elif context.window_manager.footfall.working:
            cls.poll_message_set("Footfall is still at work; press Esc to stop it first")
        elif armature is None:
            cls.poll_message_set("Select an armature")
        elif hindering(context):
            cls.poll_message_set(hindering(context))
        elif armature.footfall.gait_speed > 0:
            cls.poll_message_set("Only characters that walk on two legs like people can be driven")
        elif context.scene.footfall_live.start == "PATH" and context.scene.footfall.path is None:
            cls.poll_message_set("Pick a curve under Path, or start here")
        else:
            return True
        return False

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
