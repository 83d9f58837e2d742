"""Add and remove waits."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy

from ..addon.asking import wish_of
from .removing import Removing


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


class FOOTFALL_OT_remove_wait(Removing, bpy.types.Operator):
    """Take this wait away"""

    bl_idname = "footfall.remove_wait"
    bl_label = "Remove Wait"
    entries, entry = "waits", "wait"
