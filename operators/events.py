"""Operators that add and remove waits, pushes and jumps."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy

from ..addon.scene.active import find_active_settings, find_armature
from ..addon.units import read_unit_scale
from .common import RemoveEntry

# leg lengths
DEFAULT_HEIGHT_RATIO = 0.3
DEFAULT_DISTANCE_RATIO = 0.5

DEFAULT_LEG_LENGTH = 0.9  # m, of a character that was not detected


class FOOTFALL_OT_add_jump(bpy.types.Operator):
    """Jump at the current frame"""

    bl_idname = "footfall.add_jump"
    bl_label = "Add Jump"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add one, like the last if there is one; the first is of a size
        that suits the character.
        """
        jumps = find_active_settings(context).jumps
        armature = find_armature(context.object)
        jump = jumps.add()
        if len(jumps) > 1:
            last = jumps[-2]
            jump.height, jump.distance, jump.turn, jump.flips = (
                last.height,
                last.distance,
                last.turn,
                last.flips,
            )
        else:
            leg_length = (armature.footfall.leg_length if armature else 0.0) or DEFAULT_LEG_LENGTH
            jump.height, jump.distance = (
                ratio * leg_length / read_unit_scale(context.scene)
                for ratio in (DEFAULT_HEIGHT_RATIO, DEFAULT_DISTANCE_RATIO)
            )
        jump.frame = context.scene.frame_current
        return {"FINISHED"}


class FOOTFALL_OT_remove_jump(RemoveEntry, bpy.types.Operator):
    """Take this jump away"""

    bl_idname = "footfall.remove_jump"
    bl_label = "Remove Jump"
    list_property = "jumps"
    entry_label = "jump"


class FOOTFALL_OT_add_push(bpy.types.Operator):
    """Push the character at the current frame"""

    bl_idname = "footfall.add_push"
    bl_label = "Add Push"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add one, like the last if there is one."""
        pushes = find_active_settings(context).pushes
        push = pushes.add()
        if len(pushes) > 1:
            last = pushes[-2]
            push.strength, push.direction, push.at, push.seconds = (
                last.strength,
                last.direction,
                last.at,
                last.seconds,
            )
            push.arrow, push.moment = last.arrow, last.moment
        push.frame = context.scene.frame_current
        return {"FINISHED"}


class FOOTFALL_OT_remove_push(RemoveEntry, bpy.types.Operator):
    """Take this push away"""

    bl_idname = "footfall.remove_push"
    bl_label = "Remove Push"
    list_property = "pushes"
    entry_label = "push"


class FOOTFALL_OT_add_wait(bpy.types.Operator):
    """Come to a halt at the current frame, and go on after a while"""

    bl_idname = "footfall.add_wait"
    bl_label = "Add Wait"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add one, as long as the last if there is one, or two seconds."""
        waits = find_active_settings(context).waits
        render = context.scene.render
        frames = waits[-1].frames if len(waits) else round(2 * render.fps / render.fps_base)
        wait = waits.add()
        wait.frame = context.scene.frame_current
        wait.frames = frames
        return {"FINISHED"}


class FOOTFALL_OT_remove_wait(RemoveEntry, bpy.types.Operator):
    """Take this wait away"""

    bl_idname = "footfall.remove_wait"
    bl_label = "Remove Wait"
    list_property = "waits"
    entry_label = "wait"
