"""Control rigs: keys are on controls, deforming bones follow the plan, and the rig is unchanged."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from baked_bones import measure_bones
from blender_scene import add_curve, add_generated_rig, add_metarig, curves_of, generate_rig, select

LONG = pytest.mark.long
# Lengths of paths of rigs that are much smaller than humans [m]
SMALL = {"cat": 0.4, "bird": 0.1}


def _generated(scene: bpy.types.Scene, kind: str, knees_back: float = 0.0) -> bpy.types.Object:
    """Return a generated rig on a path, with knees moved back [m] relative to the metarig."""
    armature = _generate_bent(kind, knees_back) if knees_back else add_generated_rig(kind)
    size = SMALL.get(kind, 1.5) / 1.5
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3 * size, 0), (2 * size, -6 * size, 0)])
    scene.frame_end = 25
    select(armature)
    return armature


def _generate_bent(kind: str, knees_back: float) -> bpy.types.Object:
    """Return a generated rig with knees moved back [m] relative to the metarig."""
    metarig = add_metarig(kind)
    bpy.ops.object.mode_set(mode="EDIT")
    for side in "LR":
        metarig.data.edit_bones[f"shin.{side}"].head.y += knees_back
    bpy.ops.object.mode_set(mode="OBJECT")
    return generate_rig(metarig)


@pytest.fixture(params=["basic_human", pytest.param("human", marks=LONG)])
def rigify(request: pytest.FixtureRequest, scene: bpy.types.Scene) -> bpy.types.Object:
    """Return the generated rig of a human on a path."""
    return _generated(scene, request.param)


# Rigify distributes the twist along these bones between two joints; only their directions are
# planned.
SPREAD = {f"DEF-{limb}.{side}" for limb in ("thigh", "front_thigh", "upper_arm") for side in "LR"}


def test_deforming_bones_come_out_as_planned(rigify: bpy.types.Object, tmp_path: Path) -> None:
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    keyed = _keyed(rigify)
    assert {"torso", "thigh_fk.L", "foot_fk.R", "thigh_parent.L"} <= keyed
    assert not any(name.startswith(("DEF-", "ORG-", "MCH-")) for name in keyed)
    errors = measure_bones(rigify, tmp_path, spread=SPREAD)
    assert errors.distance < 0.001
    assert errors.angle < 0.5
    assert rigify.pose.bones["thigh_parent.L"]["IK_FK"] == 1.0
    assert rigify.pose.bones["upper_arm_parent.R"]["IK_Stretch"] == 0.0


@pytest.mark.parametrize(
    "kind",
    [
        "horse",
        pytest.param("cat", marks=LONG),
        pytest.param("bird", marks=LONG),
        pytest.param("wolf", marks=pytest.mark.exhaustive),
    ],
)
def test_animals_come_out_as_planned(scene: bpy.types.Scene, tmp_path: Path, kind: str) -> None:
    armature = _generated(scene, kind)
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    keyed = _keyed(armature)
    assert {"torso", "thigh_fk.L", "thigh_fk.R", "thigh_parent.L"} <= keyed
    assert not any(name.startswith(("DEF-", "ORG-", "MCH-")) or "_ik" in name for name in keyed)
    errors = measure_bones(armature, tmp_path, spread=SPREAD)
    assert errors.distance < 0.001
    assert errors.angle < 0.5
    assert armature.pose.bones["thigh_parent.L"]["IK_FK"] == 1.0
    assert armature.pose.bones["thigh_parent.R"]["IK_Stretch"] == 0.0


@pytest.mark.parametrize(
    ("kind", "feet"),
    [
        ("basic_human", ("foot_ik.L", "toe_ik.L")),
        pytest.param("human", ("foot_ik.L", "toe_ik.L"), marks=LONG),
        (
            "horse",
            (
                "hind_foot_ik.L",
                "r_toe_ik.L",
                "hind_foot_heel_ik.L",
                "forefoot_ik.R",
                "f_toe_ik.R",
                "forefoot_heel_ik.R",
            ),
        ),
        pytest.param(
            "wolf",
            ("foot_ik.L", "foot_heel_ik.L", "front_foot_ik.R", "front_foot_heel_ik.R"),
            marks=LONG,
        ),
        pytest.param(
            "cat",
            ("foot_ik.L", "foot_heel_ik.L", "hand_ik.R", "hand_heel_ik.R"),
            marks=pytest.mark.exhaustive,
        ),
        pytest.param("bird", ("foot_ik.L", "foot_heel_ik.L"), marks=LONG),
    ],
)
def test_legs_with_ik(
    scene: bpy.types.Scene, tmp_path: Path, kind: str, feet: tuple[str, ...]
) -> None:
    armature = _generated(scene, kind)
    scene.footfall.controls = "IK"
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    keyed = _keyed(armature)
    assert {*feet, "thigh_ik_target.L", "thigh_ik_target.R"} <= keyed
    assert not {"thigh_fk.L", "foot_fk.L", "shin_fk.R", "toe_fk.R"} & keyed
    errors = measure_bones(armature, tmp_path, spread=SPREAD)
    assert errors.distance < 0.001
    assert errors.angle < 0.5
    assert armature.pose.bones["thigh_parent.L"]["IK_FK"] == 0.0
    assert armature.pose.bones["thigh_parent.R"]["IK_Stretch"] == 0.0
    _poles_do_not_jump(armature)


def _poles_do_not_jump(armature: bpy.types.Object) -> None:
    size = max(armature.dimensions)
    for curve in curves_of(armature.animation_data.action):
        if "_ik_target" in curve.data_path:
            assert (
                np.abs(np.diff([key.co[1] for key in curve.keyframe_points])).max(initial=0)
                < 0.2 * size
            )


def test_knees_that_ik_bends_backward_are_refused_with_ik(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    """Human knees that rest slightly behind the line from hip to ankle still bend forward.

    The IK solver of the rig bends them backward.
    """
    armature = _generated(scene, "basic_human", knees_back=0.06)
    scene.footfall.controls = "IK"
    actions = set(bpy.data.actions.keys())
    with pytest.raises(
        RuntimeError, match=r"knee of 'DEF-thigh\.L' bends in the opposite direction .* Choose FK"
    ):
        bpy.ops.footfall.generate()
    assert set(bpy.data.actions.keys()) == actions
    assert armature.pose.bones["thigh_parent.L"]["IK_FK"] == 0.0
    scene.footfall.controls = "FK"  # what the message says helps
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    errors = measure_bones(armature, tmp_path, spread=SPREAD)
    assert errors.distance < 0.001
    assert errors.angle < 0.5


def test_locked_channels_stay_and_are_reported(rigify: bpy.types.Object) -> None:
    pose = rigify.pose.bones
    pose["shin_fk.L"].rotation_mode = "XYZ"
    pose["shin_fk.L"].lock_rotation = (True, False, False)
    pose["shin_fk.L"].rotation_euler = (0.3, 0.0, 0.0)
    pose["torso"].lock_location[2] = True
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    curves = {(c.data_path, c.array_index) for c in curves_of(rigify.animation_data.action)}
    assert ('pose.bones["shin_fk.L"].rotation_euler', 0) not in curves
    assert ('pose.bones["shin_fk.L"].rotation_euler', 1) in curves
    assert ('pose.bones["torso"].location', 2) not in curves
    assert ('pose.bones["torso"].location', 1) in curves
    bpy.context.scene.frame_set(13)
    assert pose["shin_fk.L"].rotation_euler[0] == pytest.approx(0.3)
    assert pose["torso"].location[2] == 0.0


def _keyed(armature: bpy.types.Object) -> set[str]:
    """Return bones whose channels or properties are keyed, except for those of constraints."""
    return {
        curve.data_path.split('"')[1]
        for curve in curves_of(armature.animation_data.action)
        if "constraints" not in curve.data_path
    }


def test_posed_controls_do_not_change_the_bake(rigify: bpy.types.Object, tmp_path: Path) -> None:
    rigify.location = (1, 2, 0)
    rigify.rotation_euler = (0, 0, 1.0)
    pose = rigify.pose.bones
    pose["chest"].rotation_quaternion = (0.95, 0.3, 0.1, 0.0)
    pose["thigh_ik.L"].location = (0.1, 0.2, 0.0)
    old = bpy.data.actions.new("Hand made")
    rigify.animation_data_create().action = old
    bpy.ops.footfall.generate(keep=str(tmp_path))
    errors = measure_bones(rigify, tmp_path, spread=SPREAD)
    assert errors.distance < 0.001
    assert errors.angle < 0.5
    assert rigify.animation_data.action != old
    assert old.use_fake_user


def test_rig_without_its_controls_is_unchanged(rigify: bpy.types.Object) -> None:
    rigify.data.bones["shin_fk.R"].name = "renamed"
    pose = rigify.pose.bones
    pose["chest"].location = (0.0, 0.1, 0.0)
    before = [(bone.name, bone.matrix_basis.copy()) for bone in pose]
    with pytest.raises(
        RuntimeError, match=r"no control that Footfall knows for the bone 'DEF-shin\.R'"
    ):
        bpy.ops.footfall.generate()
    assert [(bone.name, bone.matrix_basis) for bone in pose] == before
    assert pose["thigh_parent.L"]["IK_FK"] == 0.0
    assert not [action for action in bpy.data.actions if "natural" in action.name]
