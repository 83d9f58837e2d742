"""Add and remove jumps."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy

from ..addon.asking import armature_of, wish_of
from ..addon.reading import unit_scale
from .removing import Removing

HEIGHT, DISTANCE = 0.3, 0.5      # leg lengths
LEG = 0.9                        # m, of a character that was not detected


class FOOTFALL_OT_add_jump(bpy.types.Operator):
    """Jump at the current frame"""

    bl_idname = "footfall.add_jump"
    bl_label = "Add Jump"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add one, like the last if there is one; the first is of a size that suits the character."""
        jumps, armature = wish_of(context).jumps, armature_of(context.object)
        jump = jumps.add()
        if len(jumps) > 1:
            last = jumps[-2]
            jump.height, jump.distance, jump.turn, jump.flips = last.height, last.distance, last.turn, last.flips
        else:
            leg = (armature.footfall.leg_length if armature else 0.0) or LEG
            jump.height, jump.distance = (share * leg / unit_scale(context.scene) for share in (HEIGHT, DISTANCE))
        jump.frame = context.scene.frame_current
        return {"FINISHED"}


class FOOTFALL_OT_remove_jump(Removing, bpy.types.Operator):
    """Take this jump away"""

    bl_idname = "footfall.remove_jump"
    bl_label = "Remove Jump"
    entries, entry = "jumps", "jump"
