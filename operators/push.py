"""Add and remove pushes."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy

from ..addon.asking import wish_of
from .removing import Removing


class FOOTFALL_OT_add_push(bpy.types.Operator):
    """Push the character at the current frame"""

    bl_idname = "footfall.add_push"
    bl_label = "Add Push"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add one, like the last if there is one."""
        pushes = wish_of(context).pushes
        push = pushes.add()
        if len(pushes) > 1:
            last = pushes[-2]
            push.strength, push.direction, push.at, push.seconds = last.strength, last.direction, last.at, last.seconds
            push.arrow, push.moment = last.arrow, last.moment
        push.frame = context.scene.frame_current
        return {"FINISHED"}


class FOOTFALL_OT_remove_push(Removing, bpy.types.Operator):
    """Take this push away"""

    bl_idname = "footfall.remove_push"
    bl_label = "Remove Push"
    entries, entry = "pushes", "push"
