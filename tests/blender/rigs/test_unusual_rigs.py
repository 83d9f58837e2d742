"""Rigs that are unlike others: legs and facing are right, or a message says what is in doubt."""

from __future__ import annotations

import bpy
import pytest
import rig_variations as rv
import unusual_rigs as ur
from mathutils import Vector
from rig_checks import check_recognition, check_walk, make_variation, read_without_question
from rig_variations import Variation

GERMAN = {
    "Hips": "Becken",
    "Spine": "Wirbelsäule",
    "Chest": "Brust",
    "Neck": "Hals",
    "Head": "Kopf",
    "UpperLeg": "Oberschenkel",
    "LowerLeg": "Unterschenkel",
    "Foot": "Fuß",
    "Toes": "Zehen",
    "UpperArm": "Oberarm",
    "LowerArm": "Unterarm",
}
FRENCH = {
    "Hips": "Bassin",
    "Spine": "Colonne",
    "Neck": "Cou",
    "Head": "Tete",
    "UpperLeg": "Cuisse",
    "LowerLeg": "Mollet",
    "Foot": "Pied",
    "Toes": "Orteils",
    "UpperArm": "Bras",
    "LowerArm": "AvantBras",
    "Hand": "Main",
}
JAPANESE = {
    "Hips": "センター",
    "Spine": "上半身",
    "Chest": "上半身2",
    "Neck": "首",
    "Head": "頭",
    "UpperLeg": "足",
    "LowerLeg": "ひざ",
    "Foot": "足首",
    "Toes": "つま先",
    "UpperArm": "腕",
    "LowerArm": "ひじ",
    "Hand": "手首",
}
VALVE = {"Hips": "ValveBiped.Bip01_Pelvis", "UpperLeg": "Thigh", "LowerLeg": "Calf", "Toes": "Toe0"}
MAX = {"Hips": "Bip001 Pelvis", "UpperLeg": "Thigh", "LowerLeg": "Calf", "Toes": "Toe0"}
JOINTS = {
    "Hips": "Root_M",
    "UpperLeg": "Hip",
    "LowerLeg": "Knee",
    "Foot": "Ankle",
    "UpperArm": "Shoulder",
    "LowerArm": "Elbow",
    "Hand": "Wrist",
}
NUMBERS = rv.rename(lambda _, k: f"Bone.{k:03d}")
PLAITS = ur.add_chain("Hair", "Head", Vector((0.1, 0.15, 1.6)), Vector((0, 0, -0.3)), 6)
WINGS = ur.add_chain("Wing", "Chest", Vector((0.05, 0.1, 1.4)), Vector((0.5, 0, 0.1)), 4)
CROUCH = ur.pose_both(("UpperLeg", (-60, 0, 0)), ("LowerLeg", (110, 0, 0)), ("Foot", (-50, 0, 0)))

VARIATIONS: dict[str, Variation] = {
    # names
    "German": Variation("person", rv.translate_names(GERMAN, "{name}.{letter}")),
    "German without skin": Variation(
        "person", rv.in_sequence(rv.translate_names(GERMAN, "{name}.{letter}"), ur.remove_skin)
    ),
    "French": Variation("person", ur.translate_with_sides(FRENCH, "{}.G", "{}.D")),
    "Japanese": Variation("person", ur.translate_with_sides(JAPANESE, "左{}", "右{}")),
    "Valve": Variation("person", rv.translate_names(VALVE, "ValveBiped.Bip01_{letter}_{name}")),
    "3ds Max": Variation("person", rv.translate_names(MAX, "Bip001 {letter} {name}")),
    "names of joints": Variation("person", rv.translate_names(JOINTS, "{name}_{letter}")),
    "numbers behind names": Variation("person", rv.rename(lambda name, k: f"{name}_0{k}")),
    "a short suffix of twists": Variation(
        "person", rv.insert_twist("foot", "_tw", is_in_line=True)
    ),
    "helpers in line": Variation("person", rv.insert_twist("shin", "_helper", is_in_line=True)),
    # builds
    "a large head on short legs": Variation("person", ur.change_proportions(legs=0.35, head=3.0)),
    "a large head on short legs, numbered": Variation(
        "person", rv.in_sequence(ur.change_proportions(legs=0.35, head=3.0), NUMBERS)
    ),
    "long legs": Variation("person", ur.change_proportions(legs=1.7, head=1.0)),
    "twists and targets": Variation("person", ur.add_twists_and_targets),
    "five toes": Variation("person", ur.fan_toes),
    "bones of the hips": Variation("person", ur.insert_hip_bones),
    "wings": Variation("person", WINGS),
    "numbered wings": Variation("person", rv.in_sequence(WINGS, NUMBERS)),
    "plaits below the feet": Variation("person", PLAITS),
    "short bent legs without skin": Variation(
        "person", ur.shorten_shins, message="named as a foot"
    ),
    "feet without a parent and skin": Variation(
        "person",
        rv.in_sequence(rv.detach("foot"), rv.add_root("root", 2), ur.remove_skin),
        message="part of no leg",
    ),
    "front legs without a parent": Variation(
        "animal", rv.in_sequence(rv.add_root("root", 3), rv.detach("front_thigh"))
    ),
    # sides that differ
    "a long arm": Variation("person", ur.scale_right_arm(1.3)),
    "a short arm": Variation("person", ur.scale_right_arm(0.65)),
    "a peg leg": Variation("person", ur.add_peg_leg, message="Its legs differ"),
    "one foot": Variation("person", rv.remove_parts("RightFoot", "RightToes"), message="differ"),
    "one leg": Variation("person", rv.remove_parts("RightUpper", "RightLower"), message="no legs"),
    "three legs of an animal": Variation(
        "animal",
        rv.remove_parts("front_thigh.R", "front_shin.R", "front_foot.R", "front_toe.R"),
        message="no counterpart",
    ),
    # rest poses
    "a crouch": Variation("person", CROUCH),
    "a stride": Variation(
        "person", rv.pose_rest(("LeftUpperLeg", (-25, 0, 0)), ("RightUpperLeg", (25, 0, 0)))
    ),
    "a kick": Variation(
        "person", rv.pose_rest(("LeftUpperLeg", (-70, 0, 0))), message="in the air"
    ),
    "a raised knee": Variation(
        "person",
        rv.pose_rest(
            ("LeftUpperLeg", (-40, 0, 0)), ("LeftLowerLeg", (80, 0, 0)), ("LeftFoot", (-40, 0, 0))
        ),
        message="one leg is higher",
    ),
    "crossed arms": Variation(
        "person", ur.pose_both(("UpperArm", (0, 60, 0)), ("LowerArm", (0, 0, -110)))
    ),
    "splits": Variation("person", ur.pose_both(("UpperLeg", (0, -45, 0)))),
    "an animal with legs apart": Variation(
        "animal",
        rv.pose_rest(*((f"thigh.{s}", (0, 14 * sign, 0)) for s, sign in (("L", -1), ("R", 1)))),
    ),
    "an animal that the object tilts": Variation("animal", rv.hold((-18, 4, 0))),
}
# Variations of which a short motion is baked
BAKED = ("Japanese", "a large head on short legs", "wings", "a short arm", "splits")


@pytest.mark.parametrize("name", VARIATIONS)
def test_legs_and_facing_are_right_or_a_message_names_the_doubt(
    scene: bpy.types.Scene, name: str
) -> None:
    check_recognition(make_variation(VARIATIONS[name]), VARIATIONS[name].message)


@pytest.mark.parametrize("name", BAKED)
def test_an_unusual_rig_walks(scene: bpy.types.Scene, name: str) -> None:
    check_walk(make_variation(VARIATIONS[name]), scene)


@pytest.mark.parametrize("name", ["a long arm", "a short arm", "wings", "plaits below the feet"])
def test_both_arms_are_arms(scene: bpy.types.Scene, name: str) -> None:
    armature = make_variation(VARIATIONS[name])
    anatomy = read_without_question(armature)
    shoulders = [armature.data.bones[arm.shoulder].name for arm in anatomy.arms]
    assert shoulders == ["LeftUpperArm", "RightUpperArm"]


def test_a_single_arm_swings(scene: bpy.types.Scene) -> None:
    armature = rv.add_base("person")
    rv.remove_parts("RightUpperArm", "RightLowerArm", "RightHand")(armature)
    anatomy = read_without_question(armature)
    (arm,) = anatomy.arms
    assert [armature.data.bones[k].name for k in arm.bones] == [
        "LeftUpperArm",
        "LeftLowerArm",
        "LeftHand",
    ]
    assert arm.side == 1
    check_walk(armature, scene)
    hand = armature.pose.bones["LeftHand"].head
    assert hand.z < 1.1  # at rest the arm is level at 1.42 m
