"""Operators that add and remove waits, pushes and jumps."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy

from ..addon.scene.active import armature_of, wish_of
from ..addon.units import unit_scale
from .common import Removing

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
