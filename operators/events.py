"""Addition and removal of waits, pushes and jumps."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy

from ..addon.scene.active import find_active_settings, find_armature
from ..addon.scene.events import find_path_direction
from ..addon.units import read_unit_scale
from ..core.engine import ENGINES
from ..core.geometry.units import HUMAN_LEG_LENGTH
from .common import RemoveEntry

# Size of the first jump, relative to the leg length: a human hop on the spot and a bit ahead, which
# any body can do.
DEFAULT_HEIGHT_RATIO = 0.3
DEFAULT_DISTANCE_RATIO = 0.5

DEFAULT_WAIT_TIME = 2  # duration of the first wait [s], in which a body comes to rest and stands


class FOOTFALL_OT_add_jump(bpy.types.Operator):
    """Add a jump at the current frame"""

    bl_idname = "footfall.add_jump"
    bl_label = "Add Jump"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add a copy of the last jump, or a first one in proportion to the character."""
        jumps = find_active_settings(context).jumps
        armature = find_armature(context.object)
        jump = jumps.add()
        if len(jumps) > 1:
            last = jumps[-2]
            jump.height = last.height
            jump.distance = last.distance
            jump.turn = last.turn
            jump.flips = last.flips
        else:
            leg_length = (armature.footfall.leg_length if armature else 0.0) or HUMAN_LEG_LENGTH
            unit_scale = read_unit_scale(context.scene)
            jump.height = DEFAULT_HEIGHT_RATIO * leg_length / unit_scale
            jump.distance = DEFAULT_DISTANCE_RATIO * leg_length / unit_scale
        jump.frame = context.scene.frame_current
        return {"FINISHED"}


class FOOTFALL_OT_remove_jump(RemoveEntry, bpy.types.Operator):
    """Remove this jump"""

    bl_idname = "footfall.remove_jump"
    bl_label = "Remove Jump"
    list_property = "jumps"
    entry_label = "jump"


class FOOTFALL_OT_add_push(bpy.types.Operator):
    """Add a push at the current frame"""

    bl_idname = "footfall.add_push"
    bl_label = "Add Push"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add a copy of the last push, or one with default values.

        A body that moves in the plane of its path is pushed along it.
        """
        settings = find_active_settings(context)
        pushes = settings.pushes
        push = pushes.add()
        if len(pushes) > 1:
            last = pushes[-2]
            push.strength = last.strength
            push.direction = last.direction
            push.at = last.at
            push.seconds = last.seconds
            push.arrow = last.arrow
            push.moment = last.moment
        elif ENGINES[settings.engine].is_planar:
            direction = find_path_direction(settings, context.scene)
            if direction is not None:
                push.direction = direction
        push.frame = context.scene.frame_current
        return {"FINISHED"}


class FOOTFALL_OT_remove_push(RemoveEntry, bpy.types.Operator):
    """Remove this push"""

    bl_idname = "footfall.remove_push"
    bl_label = "Remove Push"
    list_property = "pushes"
    entry_label = "push"


class FOOTFALL_OT_add_wait(bpy.types.Operator):
    """Add a stop at the current frame, after which the character walks on"""

    bl_idname = "footfall.add_wait"
    bl_label = "Add Wait"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add a wait as long as the last one, or of the default duration."""
        waits = find_active_settings(context).waits
        render = context.scene.render
        frames = (
            waits[-1].frames
            if len(waits)
            else round(DEFAULT_WAIT_TIME * render.fps / render.fps_base)
        )
        wait = waits.add()
        wait.frame = context.scene.frame_current
        wait.frames = frames
        return {"FINISHED"}


class FOOTFALL_OT_remove_wait(RemoveEntry, bpy.types.Operator):
    """Remove this wait"""

    bl_idname = "footfall.remove_wait"
    bl_label = "Remove Wait"
    list_property = "waits"
    entry_label = "wait"
