"""Add and remove waits."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy

from ..addon.asking import wish_of


class FOOTFALL_OT_add_wait(bpy.types.Operator):
    """Come to a halt at the current frame, and go on after a while"""

    bl_idname = "footfall.add_wait"
    bl_label = "Add Wait"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add one, as long as the last if there is one, or two seconds."""
        waits, render = wish_of(context).waits, context.scene.render
        frames = waits[-1].frames if len(waits) else round(2 * render.fps / render.fps_base)
        wait = waits.add()
        wait.frame, wait.frames = context.scene.frame_current, frames
        return {"FINISHED"}


class FOOTFALL_OT_remove_wait(bpy.types.Operator):
    """Take this wait away"""

    bl_idname = "footfall.remove_wait"
    bl_label = "Remove Wait"
    bl_options = {"REGISTER", "UNDO"}

    index: bpy.props.IntProperty(min=0, options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        waits = wish_of(context).waits
        if self.index >= len(waits):
            self.report({"ERROR"}, f"There is no wait number {self.index + 1}; there are {len(waits)}.")
            return {"CANCELLED"}
        waits.remove(self.index)
        return {"FINISHED"}
