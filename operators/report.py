"""Reports on characters in the panel *Motion*: visit of a frame, choice of a character, removal."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import IntProperty, StringProperty

from ..addon.bake.character_report import read_report, store_report
from ..addon.scene.active import find_armature


class FOOTFALL_OT_go_to_frame(bpy.types.Operator):
    """Go to the frame of this line"""

    bl_idname = "footfall.go_to_frame"
    bl_label = "Go to Frame"
    bl_options = {"INTERNAL"}

    frame: IntProperty(name="Frame", options={"SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set the current frame."""
        context.scene.frame_set(self.frame)
        return {"FINISHED"}


class FOOTFALL_OT_select_character(bpy.types.Operator):
    """Select this character to see its report and its settings"""

    bl_idname = "footfall.select_character"
    bl_label = "Select Character"
    bl_options = {"INTERNAL", "UNDO"}

    name: StringProperty(name="Armature", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Require object mode, in which another object can become the active one."""
        return context.mode == "OBJECT"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make the armature the active and only selected object."""
        armature = context.view_layer.objects.get(self.name)
        if armature is None:
            self.report({"WARNING"}, f"{self.name!r} is not in this view layer")
            return {"CANCELLED"}
        for obj in context.selected_objects:
            obj.select_set(False)
        context.view_layer.objects.active = armature
        armature.select_set(True)
        return {"FINISHED"}


class FOOTFALL_OT_clear_report(bpy.types.Operator):
    """Remove the report on this character"""

    bl_idname = "footfall.clear_report"
    bl_label = "Remove Report"
    bl_options = {"INTERNAL", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Require a report."""
        armature = find_armature(context.object)
        return armature is not None and read_report(armature) is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the report."""
        store_report(find_armature(context.object), None)
        return {"FINISHED"}


CLASSES = (FOOTFALL_OT_go_to_frame, FOOTFALL_OT_select_character, FOOTFALL_OT_clear_report)
