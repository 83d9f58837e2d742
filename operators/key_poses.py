"""Addition and removal of key poses."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import json

import bpy

from ..addon.rigs.armature import read_skeleton
from ..addon.scene.active import active_armature, find_active_settings, find_armature, has_gaits
from ..addon.scene.key_poses import read_link_orientations
from ..addon.scene.rig import read_rig
from .common import PollWithReason, RemoveEntry, reports_errors


class FOOTFALL_OT_add_key_pose(PollWithReason, bpy.types.Operator):
    """Store the current pose as a key pose of chest, arms and head at the current frame"""

    bl_idname = "footfall.add_struck"
    bl_label = "Add Key Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a humanoid character."""
        if find_armature(context.object) is None:
            return "Select the character and pose it"
        if has_gaits(context):
            return "Only humanoid characters can have key poses"
        return ""

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read the pose from the rig."""
        armature = active_armature(context)
        rig = read_rig(armature, read_skeleton(armature, context.scene, with_skin=False))
        orientations = read_link_orientations(armature, rig, context.scene)
        poses = find_active_settings(context).struck
        pose = poses.add()
        if len(poses) > 1:
            last = poses[-2]
            pose.hold = last.hold
            pose.blend = last.blend
            pose.part = last.part
        pose.frame = context.scene.frame_current
        pose.turns = json.dumps(orientations)
        return {"FINISHED"}


class FOOTFALL_OT_remove_key_pose(RemoveEntry, bpy.types.Operator):
    """Remove this key pose"""

    bl_idname = "footfall.remove_struck"
    bl_label = "Remove Key Pose"
    list_property = "struck"
    entry_label = "key pose"
