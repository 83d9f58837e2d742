"""Add and remove key poses."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import json

import bpy

from ..addon.asking import active_armature, armature_of, goes_by_gait, read_rig, wish_of
from ..addon.reading import read_skeleton
from ..addon.struck import posed_links
from ..core.errors import FootfallError


class FOOTFALL_OT_add_struck(bpy.types.Operator):
    """Keep the pose that the character is in now: it strikes it at the current frame, while its legs go on"""

    bl_idname = "footfall.add_struck"
    bl_label = "Add Key Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only for people."""
        if armature_of(context.object) is None:
            cls.poll_message_set("Select the character, and pose it")
            return False
        if goes_by_gait(context):
            cls.poll_message_set("Only bodies built like people's strike poses as yet")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Take it from the rig."""
        try:
            armature = active_armature(context)
            rig = read_rig(armature, read_skeleton(armature, context.scene, with_skin=False))
            turns = posed_links(armature, rig, context.scene)
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        poses = wish_of(context).struck
        pose = poses.add()
        if len(poses) > 1:
            last = poses[-2]
            pose.hold, pose.blend, pose.part = last.hold, last.blend, last.part
        pose.frame, pose.turns = context.scene.frame_current, json.dumps(turns)
        return {"FINISHED"}


class FOOTFALL_OT_remove_struck(bpy.types.Operator):
    """Take this key pose away"""

    bl_idname = "footfall.remove_struck"
    bl_label = "Remove Key Pose"
    bl_options = {"REGISTER", "UNDO"}

    index: bpy.props.IntProperty(min=0, options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        poses = wish_of(context).struck
        if self.index >= len(poses):
            self.report({"ERROR"}, f"There is no key pose number {self.index + 1}; there are {len(poses)}.")
            return {"CANCELLED"}
        poses.remove(self.index)
        return {"FINISHED"}
