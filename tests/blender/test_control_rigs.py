"""Control rigs: keys go on controls, deforming bones come out as planned, and the rig is left as it was."""
from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from footfall.addon.asking import read_rig
from footfall.addon.reading import read_skeleton
from footfall.core import so3
from footfall.core.character.binding import pose_bones
from footfall.core.motion import load_motion

from .conftest import add_curve, add_metarig, curves_of, select


@pytest.fixture(params=["basic_human", pytest.param("human", marks=pytest.mark.long)])
def rigify(request: pytest.FixtureRequest, scene: bpy.types.Scene) -> bpy.types.Object:
    """A generated rig on a path."""
    metarig = add_metarig(request.param)
    bpy.ops.pose.rigify_generate()
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing != metarig)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    scene.frame_end = 25
    select(armature)
    return armature


# Rigify itself spreads the twist along these between a joint and the next, as their skin needs it; where they point is planned
SPREAD = ("DEF-thigh.L", "DEF-thigh.R", "DEF-upper_arm.L", "DEF-upper_arm.R", "DEF-spine.001")


def _off_plan(armature: bpy.types.Object, folder: Path) -> tuple[float, float]:
    """How far bones' heads are from the planned joints and their axes from the planned ones, m and degrees.

    Of bones along which the rig spreads a twist the axis along the bone is compared.
    """
    scene = bpy.context.scene
    motion = load_motion(folder / "motion.npz")
    rig = read_rig(armature, read_skeleton(armature, scene))
    poses = pose_bones(rig.binding, motion.link_origin, motion.link_orientation, motion.toe_orientation)
    away, turned = 0.0, 0.0
    for k in range(0, motion.frames, 5):
        scene.frame_set(scene.frame_start + k)
        for b, name in enumerate(poses.names):
            matrix = np.array(armature.matrix_world @ armature.pose.bones[name].matrix)
            axes = matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)
            wished = so3.quat_to_matrix(poses.orientation[k, b])
            along = float(np.arccos(np.clip(axes[:, 1] @ wished[:, 1], -1, 1)))
            turned = max(turned, along if name in SPREAD else float(np.linalg.norm(so3.log(axes @ wished.T))))
            at = poses.root_position[k] if b == 0 else motion.link_origin[k, rig.binding.link[b]]
            if rig.binding.toe_of[b] < 0:
                away = max(away, float(np.linalg.norm(matrix[:3, 3] - at)))
    return away, float(np.degrees(turned))


def test_deforming_bones_come_out_as_planned(rigify: bpy.types.Object, tmp_path: Path) -> None:
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    keyed = {curve.data_path.split('"')[1] for curve in curves_of(rigify.animation_data.action)}
    assert {"torso", "thigh_fk.L", "foot_fk.R", "thigh_parent.L"} <= keyed
    assert not any(name.startswith(("DEF-", "ORG-", "MCH-")) for name in keyed)
    away, turned = _off_plan(rigify, tmp_path)
    assert away < 0.001
    assert turned < 0.5
    assert rigify.pose.bones["thigh_parent.L"]["IK_FK"] == 1.0
    assert rigify.pose.bones["upper_arm_parent.R"]["IK_Stretch"] == 0.0


def test_posed_controls_do_not_turn_it_away(rigify: bpy.types.Object, tmp_path: Path) -> None:
    rigify.location, rigify.rotation_euler = (1, 2, 0), (0, 0, 1.0)
    pose = rigify.pose.bones
    pose["chest"].rotation_quaternion = (0.95, 0.3, 0.1, 0.0)
    pose["thigh_ik.L"].location = (0.1, 0.2, 0.0)
    old = bpy.data.actions.new("Hand made")
    rigify.animation_data_create().action = old
    bpy.ops.footfall.generate(keep=str(tmp_path))
    away, turned = _off_plan(rigify, tmp_path)
    assert away < 0.001
    assert turned < 0.5
    assert rigify.animation_data.action != old
    assert old.use_fake_user


def test_a_rig_without_its_controls_stays_as_it_was(rigify: bpy.types.Object) -> None:
    rigify.data.bones["shin_fk.R"].name = "gone"
    pose = rigify.pose.bones
    pose["chest"].location = (0.0, 0.1, 0.0)
    before = [(bone.name, bone.matrix_basis.copy()) for bone in pose]
    with pytest.raises(RuntimeError, match=r"no control that Footfall knows for the bone 'DEF-shin\.R'"):
        bpy.ops.footfall.generate()
    assert [(bone.name, bone.matrix_basis) for bone in pose] == before
    assert pose["thigh_parent.L"]["IK_FK"] == 0.0
    assert not [action for action in bpy.data.actions if "natural" in action.name]
