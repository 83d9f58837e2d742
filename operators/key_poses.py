"""Add and remove key poses."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import json

import bpy

from ..addon.rigs.armature import read_skeleton
from ..addon.scene.active import active_armature, armature_of, goes_by_gait, wish_of
from ..addon.scene.key_poses import posed_links
from ..addon.scene.rig import read_rig
from .common import Greyed, Removing, tells_errors


class FOOTFALL_OT_add_struck(Greyed, bpy.types.Operator):
    """Keep the pose that the character is in now: it strikes it at the current frame, while its legs go on"""

    bl_idname = "footfall.add_struck"
    bl_label = "Add Key Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only for people."""
        if armature_of(context.object) is None:
            return "Select the character, and pose it"
        if goes_by_gait(context):
            return "Only bodies built like people's strike poses as yet"
        return ""

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Take it from the rig."""
        armature = active_armature(context)
        rig = read_rig(armature, read_skeleton(armature, context.scene, with_skin=False))
        turns = posed_links(armature, rig, context.scene)
        poses = wish_of(context).struck
        pose = poses.add()
        if len(poses) > 1:
            last = poses[-2]
            pose.hold, pose.blend, pose.part = last.hold, last.blend, last.part
        pose.frame, pose.turns = context.scene.frame_current, json.dumps(turns)
        return {"FINISHED"}


class FOOTFALL_OT_remove_struck(Removing, bpy.types.Operator):
    """Take this key pose away"""

    bl_idname = "footfall.remove_struck"
    bl_label = "Remove Key Pose"
    entries, entry = "struck", "key pose"
