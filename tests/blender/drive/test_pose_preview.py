"""Display of a drive on the rig: inverse kinematics of its limbs is off meanwhile."""

from __future__ import annotations

import bpy
from blender_scene import add_metarig
from footfall.addon.drive.pose_preview import PosePreview
from footfall.addon.rigs.armature import read_placement, read_skeleton
from footfall.addon.scene.rig import read_rig
from footfall.core.terrain import FlatGround


def test_inverse_kinematics_is_off_during_a_drive_only(scene: bpy.types.Scene) -> None:
    armature = add_metarig()
    kept, removed = (
        armature.pose.bones[name].constraints.new("IK") for name in ("shin.L", "shin.R")
    )
    for constraint, side in ((kept, "L"), (removed, "R")):
        constraint.target = armature
        constraint.subtarget = f"foot.{side}"
        constraint.influence = 0.8
    bpy.context.view_layer.update()
    binding = read_rig(armature, read_skeleton(armature, scene)).binding
    preview = PosePreview(armature, binding, read_placement(armature, scene), FlatGround())
    assert kept.influence == 0.0
    armature.pose.bones["shin.R"].constraints.remove(removed)
    preview.restore()
    assert abs(kept.influence - 0.8) < 1e-6
