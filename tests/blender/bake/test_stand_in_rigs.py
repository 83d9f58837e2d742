"""Stand-ins for Auto-Rig Pro and BlenRig, with their controls, constraints and switches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import bpy
import numpy as np
import pytest
from baked_bones import measure_bones
from blender_scene import add_curve, curves_of, select
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.scene.rig import read_rig

# role: place of head and tail of the left side, the role that it hangs on
BODY = {
    "pelvis": ((0, 0, 0.95), (0, 0, 1.1), ""),
    "spine": ((0, 0, 1.1), (0, 0.01, 1.27), "pelvis"),
    "chest": ((0, 0.01, 1.27), (0, 0, 1.45), "spine"),
    "neck": ((0, 0, 1.45), (0, 0, 1.55), "chest"),
    "head": ((0, 0, 1.55), (0, 0, 1.75), "neck"),
    "thigh": ((0.1, 0, 0.92), (0.1, -0.02, 0.5), "pelvis"),
    "shin": ((0.1, -0.02, 0.5), (0.1, 0.02, 0.09), "thigh"),
    "foot": ((0.1, 0.02, 0.09), (0.1, -0.1, 0.02), "shin"),
    "toe": ((0.1, -0.1, 0.02), (0.1, -0.17, 0.02), "foot"),
    "arm": ((0.18, 0, 1.4), (0.45, 0.01, 1.4), "chest"),
    "forearm": ((0.45, 0.01, 1.4), (0.7, 0, 1.4), "arm"),
    "hand": ((0.7, 0, 1.4), (0.78, 0, 1.4), "forearm"),
}
SIDED = ("thigh", "shin", "foot", "toe", "arm", "forearm", "hand")


@dataclass(frozen=True)
class Names:
    """A rig's names: deforming bone and control by role, `{s}` for the side;
    what carries all; leg switches by bone.
    """

    deform: dict[str, str]
    control: dict[str, str]
    sides: tuple[str, str]
    root: str
    torso: str
    switch: tuple[str, str]
    feet: dict[str, str]


ARP = Names(
    {
        "pelvis": "root.x",
        "spine": "spine_01.x",
        "chest": "spine_02.x",
        "neck": "neck.x",
        "head": "head.x",
        "thigh": "thigh_stretch.{s}",
        "shin": "leg_stretch.{s}",
        "foot": "foot.{s}",
        "toe": "toes_01.{s}",
        "arm": "arm_stretch.{s}",
        "forearm": "forearm_stretch.{s}",
        "hand": "hand.{s}",
    },
    {
        "pelvis": "c_root.x",
        "spine": "c_spine_01.x",
        "chest": "c_spine_02.x",
        "neck": "c_neck.x",
        "head": "c_head.x",
        "thigh": "c_thigh_fk.{s}",
        "shin": "c_leg_fk.{s}",
        "foot": "c_foot_fk.{s}",
        "toe": "c_toes_fk.{s}",
        "arm": "c_arm_fk.{s}",
        "forearm": "c_forearm_fk.{s}",
        "hand": "c_hand_fk.{s}",
    },
    ("l", "r"),
    "c_traj",
    "c_root_master.x",
    ("c_foot_ik.{s}", "ik_fk_switch"),
    {"foot": "c_foot_ik.{s}", "toe": "c_toes_ik.{s}", "pole": "c_leg_pole.{s}"},
)
BLENRIG = Names(
    {
        "pelvis": "pelvis_def",
        "spine": "spine_1_def",
        "chest": "spine_2_def",
        "neck": "neck_1_def",
        "head": "head_def",
        **{
            role: f"{name}_def_{{s}}"
            for role, name in zip(
                SIDED, ("thigh", "shin", "foot", "foot_toe_1", *SIDED[4:]), strict=True
            )
        },
    },
    {
        "pelvis": "pelvis_ctrl",
        "spine": "spine_1_fk",
        "chest": "spine_2_fk",
        "neck": "neck_1_fk",
        "head": "head_fk",
        **{
            role: f"{name}_fk_{{s}}"
            for role, name in zip(
                SIDED, ("thigh", "shin", "foot", "foot_toe_1", *SIDED[4:]), strict=True
            )
        },
    },
    ("L", "R"),
    "master",
    "master_torso",
    ("properties_leg_{s}", "ik_leg_{s}"),
    {"foot": "foot_ik_ctrl_{s}", "toe": "toe_ik_{s}", "pole": "knee_pole_{s}"},
)


def _places(role: str, side: int) -> list[np.ndarray]:
    return [np.array(place) * [side, 1, 1] for place in BODY[role][:2]]


def _roles(names: Names) -> Iterator[tuple[str, str, int]]:
    """Every role with its side as it is written, and as a factor."""
    for role in BODY:
        for letter, factor in zip(names.sides if role in SIDED else ("",), (1, -1), strict=False):
            yield role, letter, factor


# Roll of the hinges of a scattered rig against the body's, as of legs that are turned out [rad]
HINGE_ROLL = np.radians(12.0)


def _find_deform_parent(names: Names, role: str, letter: str, is_scattered: bool) -> str:
    """Return the bone that a deforming bone hangs on.

    In the real Auto-Rig Pro it is a control or, for the second bone of a limb, the root: only
    constraints hold the limb together.
    """
    up = BODY[role][2]
    if not is_scattered:
        return names.deform[up].format(s=letter) if up else names.root
    if role in ("shin", "forearm"):
        return names.root
    return names.control[up or role].format(s=letter)


def _lock_hinges(armature: bpy.types.Object, names: Names) -> None:
    """Leave knees and elbows of controls one axis, which is not exactly that of the body."""
    bpy.ops.object.mode_set(mode="EDIT")
    lateral = (np.cos(HINGE_ROLL), np.sin(HINGE_ROLL), 0.0)
    for role in ("thigh", "shin"):
        for letter in names.sides:
            armature.data.edit_bones[names.control[role].format(s=letter)].align_roll(lateral)
    bpy.ops.object.mode_set(mode="POSE")
    for letter in names.sides:
        knee = armature.pose.bones[names.control["shin"].format(s=letter)]
        knee.rotation_mode = "XYZ"
        knee.lock_rotation = (True, True, False)
    bpy.ops.object.mode_set(mode="OBJECT")


def _add_feet(names: Names, add: Callable[..., None]) -> None:
    """Add the controls of feet and knees, and the bones with switches."""
    for letter, side in zip(names.sides, (1, -1), strict=True):
        add(names.feet["foot"].format(s=letter), _places("foot", side), names.root)
        add(
            names.feet["toe"].format(s=letter),
            _places("toe", side),
            names.feet["foot"].format(s=letter),
        )
        knee = _places("shin", side)[0]
        add(
            names.feet["pole"].format(s=letter),
            [knee - [0, 0.5, 0], knee - [0, 0.6, 0]],
            names.root,
        )
        if names.switch[0] != names.feet["foot"]:
            add(
                names.switch[0].format(s=letter),
                [np.array([side, 1, 0]), np.array([side, 1.1, 0])],
                names.root,
            )


def _build(names: Names, is_scattered: bool = False) -> bpy.types.Object:
    """A rig whose deforming bones copy solved legs, or controls where the switch says so."""
    armature = bpy.data.objects.new("stand-in", bpy.data.armatures.new("stand-in"))
    bpy.context.collection.objects.link(armature)
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones

    def add(name: str, ends: list[np.ndarray], parent: str, deform: bool = False) -> None:
        bone = bones.new(name)
        bone.head, bone.tail, bone.parent, bone.use_deform = (
            *(list(e) for e in ends),
            bones.get(parent),
            deform,
        )

    add(names.root, [np.zeros(3), np.array([0, 0.5, 0])], "")
    add(names.torso, [np.array([0, 0, 0.95]), np.array([0, 0.3, 0.95])], names.root)
    for role, letter, side in _roles(names):
        ends = _places(role, side)
        up = BODY[role][2]
        add(
            names.control[role].format(s=letter),
            ends,
            names.control[up].format(s=letter) if up else names.torso,
        )
        add(
            names.deform[role].format(s=letter),
            ends,
            _find_deform_parent(names, role, letter, is_scattered),
            deform=True,
        )
        if role in ("thigh", "shin"):
            add(
                f"MCH_{role}_{letter}",
                ends,
                f"MCH_thigh_{letter}" if role == "shin" else names.control["pelvis"],
            )
    _add_feet(names, add)
    bpy.ops.object.mode_set(mode="OBJECT")
    _constrain(armature, names)
    return armature


def _constrain(armature: bpy.types.Object, names: Names) -> None:
    pose = armature.pose.bones
    for letter in names.sides:
        holder, key = (text.format(s=letter) for text in names.switch)
        pose[holder][key] = 0.0
        ik = pose[f"MCH_shin_{letter}"].constraints.new("IK")
        ik.target = ik.pole_target = armature
        ik.subtarget, ik.pole_subtarget = (
            names.feet["foot"].format(s=letter),
            names.feet["pole"].format(s=letter),
        )
        ik.chain_count, ik.use_stretch, ik.pole_angle = 2, False, -np.pi / 2
    for role, letter, _ in _roles(names):
        bone = pose[names.deform[role].format(s=letter)]
        solved = (
            f"MCH_{role}_{letter}"
            if role in ("thigh", "shin")
            else names.feet.get(role, "").format(s=letter)
        )
        if solved:
            _copy(bone, armature, solved)
        copied = _copy(bone, armature, names.control[role].format(s=letter))
        if solved:
            driver = copied.driver_add("influence").driver
            driver.type = "SUM"
            variable = driver.variables.new()
            variable.targets[0].id = armature
            holder, key = (text.format(s=letter) for text in names.switch)
            variable.targets[0].data_path = f'pose.bones["{holder}"]["{key}"]'


def _copy(bone: bpy.types.PoseBone, armature: bpy.types.Object, name: str) -> bpy.types.Constraint:
    constraint = bone.constraints.new("COPY_TRANSFORMS")
    constraint.target = armature
    constraint.subtarget = name
    return constraint


@pytest.mark.parametrize(
    ("names", "legs", "needed"),
    [
        (ARP, "FK", {"c_root_master.x", "c_thigh_fk.l", "c_foot_fk.r"}),
        (ARP, "IK", {"c_root_master.x", "c_foot_ik.l", "c_toes_ik.r", "c_leg_pole.l"}),
        (BLENRIG, "FK", {"master_torso", "thigh_fk_L", "foot_fk_R"}),
    ],
    ids=["Auto-Rig Pro FK", "Auto-Rig Pro IK", "BlenRig FK"],
)
def test_deforming_bones_come_out_as_planned(
    scene: bpy.types.Scene, tmp_path, names: Names, legs: str, needed: set[str]
) -> None:
    armature = _build(names)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    scene.frame_end = 25
    scene.footfall.controls = legs
    select(armature)
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    keyed = {curve.data_path.split('"')[1] for curve in curves_of(armature.animation_data.action)}
    assert needed <= keyed
    deforming = {b.name for b in armature.data.bones if b.use_deform}
    assert not deforming & keyed
    errors = measure_bones(armature, tmp_path)
    assert errors.distance < 0.001
    assert errors.angle < 0.5
    holder, key = (text.format(s=names.sides[0]) for text in names.switch)
    assert armature.pose.bones[holder][key] == (0.0 if legs == "IK" else 1.0)


def test_limbs_that_constraints_hold_together_follow_knees_with_one_axis(
    scene: bpy.types.Scene, tmp_path
) -> None:
    armature = _build(ARP, is_scattered=True)
    _lock_hinges(armature, ARP)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    scene.frame_end = 25
    select(armature)
    bpy.context.view_layer.update()
    rig = read_rig(armature, read_skeleton(armature, scene))
    assert len(rig.anatomy.arms) == 2
    assert {"leg_stretch.l", "foot.l", "toes_01.r"} <= set(rig.binding.bones)
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    rolled = {f"{name}_stretch.{side}" for name in ("thigh", "leg") for side in ARP.sides}
    errors = measure_bones(armature, tmp_path, spread=rolled)
    assert errors.distance < 0.001
    assert errors.angle < 0.5
