"""Variations of a few rigs: legs and facing are right, or a message says what is wrong."""

from __future__ import annotations

import bpy
import pytest
import rig_variations as rv
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.scene.rig import read_rig
from rig_checks import check_recognition, check_walk, make_variation
from rig_variations import Variation

MIXAMO = {
    "Hips": "mixamorig:Hips",
    "Spine": "mixamorig:Spine",
    "Chest": "mixamorig:Spine1",
    "Neck": "mixamorig:Neck",
    "Head": "mixamorig:Head",
    "UpperLeg": "UpLeg",
    "LowerLeg": "Leg",
    "Foot": "Foot",
    "Toes": "ToeBase",
    "UpperArm": "Arm",
    "LowerArm": "ForeArm",
}
UNREAL = {
    "Hips": "pelvis",
    "Spine": "spine_01",
    "Chest": "spine_02",
    "Neck": "neck_01",
    "Head": "head",
    "UpperLeg": "thigh",
    "LowerLeg": "calf",
    "Foot": "foot",
    "Toes": "ball",
    "UpperArm": "upperarm",
    "LowerArm": "lowerarm",
    "Hand": "hand",
}
CHARACTER_CREATOR = {
    "Hips": "CC_Base_Hip",
    "Spine": "CC_Base_Waist",
    "Chest": "CC_Base_Spine02",
    "Neck": "CC_Base_NeckTwist01",
    "Head": "CC_Base_Head",
    "UpperLeg": "Thigh",
    "LowerLeg": "Calf",
    "Foot": "Foot",
    "Toes": "ToeBase",
    "UpperArm": "Upperarm",
    "LowerArm": "Forearm",
    "Hand": "Hand",
}
DAZ = {
    "Hips": "pelvis",
    "Spine": "abdomenLower",
    "Chest": "chestLower",
    "Neck": "neckLower",
    "Head": "head",
    "UpperLeg": "ThighBend",
    "LowerLeg": "Shin",
    "Foot": "Foot",
    "Toes": "Toe",
    "UpperArm": "ShldrBend",
    "LowerArm": "ForearmBend",
    "Hand": "Hand",
}
VRM = {
    "Hips": "J_Bip_C_Hips",
    "Spine": "J_Bip_C_Spine",
    "Chest": "J_Bip_C_Chest",
    "Neck": "J_Bip_C_Neck",
    "Head": "J_Bip_C_Head",
    "Toes": "ToeBase",
}
HAND_DOWN = (("LeftUpperArm", (0, 75, 0)), ("RightUpperArm", (0, -75, 0)))

VARIATIONS: dict[str, Variation] = {
    # scale
    "centimeters in the object": Variation("person", rv.scale_object(0.01)),
    "a hundredfold object": Variation("person", rv.scale_object(100.0)),
    "as large as a house": Variation("person", rv.scale_body(6.0)),
    "as small as a mouse": Variation("animal", rv.scale_body(0.08)),
    # axes
    "any roll": Variation("person", rv.roll_bones),
    "bones that all point up": Variation("person", rv.point_bones((0, 0, 1))),
    "bones that all point aside": Variation("metarig", rv.point_bones((1, 0, 0))),
    "faces +y": Variation("person", rv.turn_object((0, 0, 180))),
    "faces +x": Variation("animal", rv.turn_object((0, 0, 90))),
    "y up in the object": Variation("person", rv.turn_object((90, 0, 0), keeps_world=True)),
    "an animal with y up in the object": Variation(
        "animal", rv.turn_object((90, 0, 30), keeps_world=True)
    ),
    # names
    "numbers": Variation("person", rv.rename(lambda _, k: f"Bone.{k:03d}")),
    "numbers of a human without skin": Variation("metarig", rv.rename(lambda _, k: f"{k}")),
    "numbers of an animal": Variation("animal", rv.rename(lambda _, k: f"joint{k}")),
    "capitals": Variation("metarig", rv.rename(lambda name, _: name.upper())),
    "a prefix": Variation("animal", rv.rename(lambda name, _: f"Rig|Wolf:{name}")),
    "Mixamo": Variation("person", rv.translate_names(MIXAMO, "mixamorig:{side}{name}")),
    "Unreal": Variation("person", rv.translate_names(UNREAL, "{name}_{small}")),
    "Character Creator": Variation(
        "person", rv.translate_names(CHARACTER_CREATOR, "CC_Base_{letter}_{name}")
    ),
    "Daz": Variation("person", rv.translate_names(DAZ, "{small}{name}")),
    "VRM": Variation("person", rv.translate_names(VRM, "J_Bip_{letter}_{name}")),
    "sides as seen from the front": Variation(
        "person",
        rv.rename(
            lambda name, _: name.replace("Left", "#").replace("Right", "Left").replace("#", "Right")
        ),
    ),
    # twists
    "twists beside the shins": Variation(
        "person", rv.insert_twist("thigh", "_twist", is_in_line=False)
    ),
    "twists in line": Variation("person", rv.insert_twist("thigh", "_twist", is_in_line=True)),
    "twists in both segments": Variation(
        "person",
        rv.in_sequence(
            rv.insert_twist("thigh", "_twist_01", is_in_line=True),
            rv.insert_twist("shin", "_twist_01", is_in_line=True),
        ),
    ),
    "twists of the feet in line": Variation(
        "person", rv.insert_twist("foot", "_twist", is_in_line=True)
    ),
    "metatarsals before the toes": Variation("person", rv.insert_metatarsals),
    "legs that others double": Variation("person", rv.double_legs),
    # helpers
    "ends, targets, hair and a sword": Variation("person", rv.add_helpers),
    "helpers of a human without skin": Variation("metarig", rv.add_helpers),
    # roots
    "a root": Variation("person", rv.add_root("root")),
    "three roots in line": Variation("animal", rv.add_root("Armature", 3)),
    "legs without a parent": Variation("person", rv.detach("thigh")),
    "feet without a parent": Variation("person", rv.detach("foot")),
    "an animal with hind legs without a parent": Variation("animal", rv.detach("hind_thigh")),
    # poses
    "hanging arms": Variation("person", rv.pose_rest(*HAND_DOWN)),
    "bent knees": Variation(
        "person",
        rv.pose_rest(
            *(
                (f"{side}{name}", (angle, 0, 0))
                for side in ("Left", "Right")
                for name, angle in (("UpperLeg", -25), ("LowerLeg", 50), ("Foot", -25))
            )
        ),
    ),
    "feet turned out": Variation(
        "person", rv.pose_rest(("LeftUpperLeg", (0, 0, 30)), ("RightUpperLeg", (0, 0, -30)))
    ),
    "wide legs": Variation(
        "person", rv.pose_rest(("LeftUpperLeg", (0, -15, 0)), ("RightUpperLeg", (0, 15, 0)))
    ),
    "on its head": Variation("person", rv.turn_object((180, 0, 0)), message="legs|stand"),
    "on its back": Variation("person", rv.turn_object((-90, 0, 0)), message="stand|direction"),
    # parts that are missing
    "no toes": Variation("person", rv.remove_parts("Toes")),
    "no arms": Variation("person", rv.remove_parts("Arm", "Hand")),
    "no neck and no head": Variation("person", rv.remove_parts("Neck", "Head")),
    # locks, holders, mirrored skin
    "locks and rotation modes": Variation("person", rv.lock_bones),
    "a large holder": Variation("person", rv.hold((0, 0, 40), 100.0)),
    "a tilted holder": Variation("person", rv.hold((25, 0, 0))),
    "a holder tilted to a side": Variation("metarig", rv.hold((10, -25, 40))),
    "a tilted holder of an animal": Variation("animal", rv.hold((25, 10, 0))),
    "an object that sets a leaning body upright": Variation(
        "person", rv.turn_object((30, 0, 0), keeps_world=True)
    ),
    "a body that leans in a level object": Variation(
        "person",
        rv.in_sequence(rv.turn_object((-25, 0, 0), keeps_world=True), rv.turn_object((0, 0, 0))),
        message="stand",
    ),
    "half a skin": Variation("person", rv.mirror_skin),
}
# Variations of which a short motion is baked
BAKED = (
    "any roll",
    "sides as seen from the front",
    "twists in both segments",
    "feet without a parent",
    "bent knees",
    "locks and rotation modes",
    "a large holder",
    "a tilted holder",
)


@pytest.mark.parametrize("name", VARIATIONS)
def test_legs_and_facing_are_right_or_there_is_a_message(scene: bpy.types.Scene, name: str) -> None:
    check_recognition(make_variation(VARIATIONS[name]), VARIATIONS[name].message)


@pytest.mark.parametrize("name", BAKED)
def test_a_variation_walks(scene: bpy.types.Scene, name: str) -> None:
    check_walk(make_variation(VARIATIONS[name]), scene)


@pytest.mark.parametrize("with_skin", [True, False])
def test_arms_without_hands_are_arms(scene: bpy.types.Scene, with_skin: bool) -> None:
    armature = rv.add_base("person")
    rv.remove_parts("Hand")(armature)
    if not with_skin:
        bpy.data.objects.remove(rv.find_body())
    bpy.context.view_layer.update()
    rig = read_rig(armature, read_skeleton(armature, scene))
    assert [arm.bones for arm in rig.anatomy.arms] == [
        tuple(armature.data.bones.find(f"{side}{bone}") for bone in ("UpperArm", "LowerArm"))
        for side in ("Left", "Right")
    ]
    assert {"LeftUpperArm", "RightLowerArm"} <= set(rig.binding.bones)
    assert [finding.part for finding in rig.anatomy.uncertain_findings] == []
    hand = rig.character.arms[0].hand
    assert hand is not None
    assert 0.15 < -hand.grip[2] < 0.35
    bpy.ops.footfall.detect_character()
    assert [armature.footfall.parts[f"{k}.L"].bone for k in ("forearm", "hand")] == [
        "LeftLowerArm",
        "",
    ]
    armature.footfall.parts["forearm.L"].bone = "LeftLowerArm"
    assert armature.footfall.problem == ""
