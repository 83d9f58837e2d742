"""Constraints and drivers of keyed bones: warnings name those that keep the body from its plan."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_generated_rig, add_metarig, curves_of, select
from footfall.addon.bake.bake import BakeResult, bake_motion
from footfall.addon.bake.motion_placement import MotionPlacement
from footfall.addon.rigs.options import RigOptions
from footfall.addon.scene.task import read_task
from footfall.core.engine import generate
from footfall.core.motion import Motion


@pytest.fixture
def armature(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a human armature of plain bones with a root bone and a foot control, on a path."""
    rig = add_metarig()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    top = bones.new("root")
    foot = bones.new("ctrl.L")
    top.head = (0, 0, 0)
    top.tail = (0, 0.5, 0)
    bones["spine"].parent = top
    foot.head, foot.tail = bones["foot.L"].head, bones["foot.L"].head + bones["foot.L"].vector
    bpy.ops.object.mode_set(mode="OBJECT")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    scene.frame_end = 25
    select(rig)
    return rig


_motions: dict[str, Motion] = {}


def _bake(armature: bpy.types.Object, root: str = "BODY", by_feet: bool = False) -> BakeResult:
    """Bake a motion that does not depend on constraints."""
    request = read_task(bpy.context)
    if armature.name not in _motions:
        _motions[armature.name] = generate(request.task)
    return bake_motion(
        armature,
        _motions[armature.name],
        request.rig.binding,
        MotionPlacement(request.placement, request.first_frame, RigOptions(by_feet, root)),
    )


def _limit(bone: bpy.types.PoseBone) -> bpy.types.Constraint:
    held = bone.constraints.new("LIMIT_ROTATION")
    held.use_limit_x = True
    held.owner_space = "LOCAL"
    return held


def _copy(bone: bpy.types.PoseBone) -> bpy.types.Constraint:
    held = bone.constraints.new("COPY_ROTATION")
    held.target = bone.id_data
    held.subtarget = "ctrl.L"
    return held


def _track(bone: bpy.types.PoseBone) -> bpy.types.Constraint:
    held = bone.constraints.new("DAMPED_TRACK")
    held.target = bpy.context.scene.footfall.path
    return held


def _reach(bone: bpy.types.PoseBone) -> bpy.types.Constraint:
    held = bone.constraints.new("IK")
    held.target = bone.id_data
    held.subtarget = "ctrl.L"
    held.chain_count = 2
    return held


HINDERING: list[tuple[str, Callable[[bpy.types.PoseBone], bpy.types.Constraint], str]] = [
    ("thigh.L", _limit, "Limit Rotation"),
    ("foot.L", _copy, "Copy Rotation"),
    ("spine.003", _track, "Damped Track"),
]


@pytest.mark.parametrize(("bone", "add", "name"), HINDERING)
def test_constraint_that_changes_the_planned_pose_is_a_warning(
    armature: bpy.types.Object, bone: str, add: Callable[..., bpy.types.Constraint], name: str
) -> None:
    held = add(armature.pose.bones[bone])
    bystander = armature.pose.bones["forearm.R"].constraints.new("LIMIT_ROTATION")
    bystander.name = "Bystander"
    frame = bpy.context.scene.frame_current
    (warning,) = _bake(armature).warnings
    assert f"the constraint {name!r} of {bone!r} acts on top of the keys" in warning
    assert "Mute it" in warning
    assert "Bystander" not in warning
    assert bpy.context.scene.frame_current == frame
    for quiet in ("mute", "influence"):
        held.mute, held.influence = quiet == "mute", 0.0 if quiet == "influence" else 1.0
        baked = _bake(armature)
        assert not baked.warnings
        assert not any(name in text for text in baked.remarks)


@pytest.mark.parametrize("root", ["BODY", "ROOT", "OBJECT", "PLACE"])
def test_constraint_that_keeps_the_planned_pose_is_no_warning(
    armature: bpy.types.Object, root: str
) -> None:
    for bone in ("thigh.L", "spine", "root"):
        wide = _limit(armature.pose.bones[bone])
        wide.min_x = -np.pi
        wide.max_x = np.pi
    loose = armature.pose.bones["foot.R"].constraints.new("COPY_ROTATION")  # follows nothing
    assert loose.name == "Copy Rotation"
    bpy.context.view_layer.update()
    baked = _bake(armature, root)
    assert not baked.warnings
    (warning,) = baked.remarks
    assert "'Limit Rotation' of 'thigh.L'" in warning
    assert "leave this motion as planned" in warning
    assert "foot.R" not in warning


def test_ik_from_a_child_bone_and_a_driver_are_warnings(armature: bpy.types.Object) -> None:
    hand = armature.pose.bones["hand.L"].constraints.new("IK")
    hand.target = bpy.context.scene.footfall.path
    hand.name = "Holds the path"
    driver = armature.pose.bones["shin.R"].driver_add("rotation_quaternion", 1).driver
    driver.expression = "0.4"
    (warning,) = _bake(armature).warnings
    assert "the constraint 'Holds the path' of 'hand.L'" in warning
    assert "the driver of 'shin.R' (rotation X)" in warning


def test_ik_by_a_bone_of_the_rig_is_off_in_the_action_and_on_after_revert(
    armature: bpy.types.Object,
) -> None:
    ik = _reach(armature.pose.bones["shin.L"])
    bpy.ops.footfall.detect_character()
    assert "'IK'" not in armature.footfall.notes
    scene = bpy.context.scene
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    (curve,) = [
        curve
        for curve in curves_of(armature.animation_data.action)
        if curve.data_path == 'pose.bones["shin.L"].constraints["IK"].influence'
    ]
    assert [tuple(point.co) for point in curve.keyframe_points] == [(scene.frame_start, 0.0)]
    plan = armature.footfall_baked.report
    assert "'IK' of 'shin.L' is off in this action" in plan
    assert "off the plan" not in plan
    scene.frame_set(scene.frame_start + 20)
    with_ik = np.array(armature.pose.bones["foot.L"].matrix)
    ik.mute = True
    scene.frame_set(scene.frame_start + 20)
    np.testing.assert_allclose(np.array(armature.pose.bones["foot.L"].matrix), with_ik, atol=1e-5)
    ik.mute = False
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert ik.influence == 1.0


def test_detect_lists_active_constraints(armature: bpy.types.Object) -> None:
    _limit(armature.pose.bones["thigh.L"])
    _limit(armature.pose.bones["ctrl.L"])
    _limit(armature.pose.bones["thigh.R"]).mute = True
    bpy.ops.footfall.detect_character()
    (warning,) = [line for line in armature.footfall.notes.splitlines() if "constraint" in line]
    assert "'Limit Rotation' of 'thigh.L'" in warning
    assert "thigh.R" not in warning
    assert "ctrl.L" not in warning


@pytest.mark.parametrize("legs", ["FK", "IK"])
def test_only_disturbing_constraints_of_control_rigs_are_warnings(
    scene: bpy.types.Scene, legs: str
) -> None:
    rig = add_generated_rig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    scene.frame_end = 25
    select(rig)
    control = rig.pose.bones["foot_ik.L" if legs == "IK" else "thigh_fk.L"]
    held = control.constraints.new("LIMIT_LOCATION" if legs == "IK" else "LIMIT_ROTATION")
    held.owner_space = "LOCAL"
    for limit in ("use_min_x", "use_max_x", "use_max_z", "use_limit_x"):
        if hasattr(held, limit):
            setattr(held, limit, True)
    held.min_x = -3.1
    held.max_x = 3.1
    held.max_z = 3.1
    baked = _bake(rig, by_feet=legs == "IK")
    assert not baked.warnings
    assert baked.remarks == (
        f"the constraint {held.name!r} of {control.name!r} leaves this motion as planned",
    )
    held.min_x = held.max_x = held.max_z = 0.0
    warning = _bake(rig, by_feet=legs == "IK").warnings[-1]
    assert (
        f"the constraint {held.name!r} of {control.name!r} acts on top of the keys: 'DEF-"
        in warning
    )
    assert "and generate again" in warning


def test_hidden_rig_has_the_same_warnings(armature: bpy.types.Object) -> None:
    _limit(armature.pose.bones["thigh.L"])
    bpy.context.view_layer.update()
    request = read_task(bpy.context)
    motion = generate(request.task)
    armature.hide_set(True)
    (warning,) = bake_motion(
        armature,
        motion,
        request.rig.binding,
        MotionPlacement(request.placement, request.first_frame),
    ).warnings
    assert "'Limit Rotation' of 'thigh.L' acts on top of the keys" in warning
