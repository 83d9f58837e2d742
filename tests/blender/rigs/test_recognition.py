"""Real rigs: each is recognized without help, and without names where its shape is clear."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import bpy
import pytest
from blender_scene import add_generated_rig, add_metarig, load_rig, select
from footfall.addon.rigs.armature import read_skeleton
from footfall.core.character.recognition.parts import name_parts
from footfall.core.character.recognition.recognize import recognize
from footfall.core.character.recognition.skeleton import Skeleton
from footfall.core.errors import CharacterError

Legs = dict[str, tuple[str, ...]]

# by rig: the left legs' bones from hip to toe by row, the pelvis, the head, a bone of the tail
RIGS: dict[str, tuple[Legs, str, str, str]] = {
    "epic_ThirdPersonRun.fbx": (
        {"leg": ("thigh_l", "calf_l", "foot_l", "ball_l")},
        "pelvis",
        "head",
        "",
    ),
    "gdquest_mannequiny.glb": (
        {"leg": ("thigh.l", "calf.l", "foot.l", "ball.l")},
        "pelvis",
        "head",
        "",
    ),
    "khronos_CesiumMan.glb": (
        {"leg": ("leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_L_5")},
        "Skeleton_torso_joint_1",
        "Skeleton_neck_joint_2",
        "",
    ),
    "khronos_Fox.glb": (
        {
            "hind": ("b_LeftLeg01_015", "b_LeftLeg02_016", "b_LeftFoot01_017", "b_LeftFoot02_018"),
            "front": ("b_LeftUpperArm_09", "b_LeftForeArm_010", "b_LeftHand_011"),
        },
        "b_Hip_01",
        "b_Head_05",
        "b_Tail01_012",
    ),
    "quaternius_Character_HumanoidRig.glb": (
        {"leg": ("UpperLeg.L", "LowerLeg.L", "Foot.L")},
        "Root",
        "Head",
        "",
    ),
    "quaternius_animals_Horse.glb": (
        {
            "hind": ("BackLeg.L", "BackUpperLeg.L", "BackLowerLeg.L", "IKBackLeg.L", "FFB.L"),
            "front": ("FrontUpperLeg.L", "FrontLowerLeg.L", "IKFrontLeg.L", "FF.L"),
        },
        "Back",
        "Head",
        "Tail1",
    ),
    "quaternius_dino_Velociraptor.glb": (
        {"leg": ("BackUpLeg.L", "BackLowLeg.L", "BackFoot.L")},
        "Body",
        "Head",
        "Tail1",
    ),
    "quaternius_men_Casual.glb": (
        {"leg": ("UpperLeg.L", "LowerLeg.L", "Foot.L")},
        "Hips",
        "Head",
        "",
    ),
    "quaternius_women_Worker.glb": (
        {"leg": ("UpperLeg.L", "LowerLeg.L", "Foot.L")},
        "Root",
        "Head",
        "",
    ),
    "quaternius_enemy_Rat.glb": (
        {
            "hind": ("BackUpLeg.L", "BackLowLeg.L", "BackFoot.L"),
            "front": ("FrontUpLeg.L", "FrontLowLeg.L", "FrontFoot.L"),
        },
        "Body",
        "Head",
        "Tail1",
    ),
    "kaykit_Knight.glb": (
        {"leg": ("upperleg.l", "lowerleg.l", "foot.l", "toes.l")},
        "hips",
        "head",
        "",
    ),
    # its names have the sides as seen from the front
    "godot_platformer_player.glb": (
        {"leg": ("r-thigh", "r-leg", "r-foot")},
        "hip",
        "headtracker",
        "",
    ),
    "castle_skinned_anim.blend": (
        {"leg": ("Bone.004_L.001", "Bone.004_L.002", "Bone.004_L.003")},
        "Bone",
        "Bone.002",
        "",
    ),
    "raylib_guy.blend": ({"leg": ("leg_L", "leg_L.001")}, "root", "head", ""),
    "raylib_greenman.glb": ({"leg": ("leg_L",)}, "root", "body_up", ""),
    "vrm_addon_basic_armature.blend": (
        {"leg": ("upper_leg.L", "lower_leg.L", "foot.L", "toes.L")},
        "hips",
        "head",
        "",
    ),
    "vrm_cryptovoxels.vrm": (
        {"leg": ("Left leg", "Left knee", "Left ankle", "Left toe")},
        "Hips",
        "Head",
        "",
    ),
    "mpfb/rig.default.json": (
        {"leg": ("upperleg01.L", "lowerleg01.L", "foot.L", "toe2-1.L")},
        "root",
        "head",
        "",
    ),
    "mpfb/rig.game_engine.json": (
        {"leg": ("thigh_l", "calf_l", "foot_l", "ball_l")},
        "pelvis",
        "head",
        "",
    ),
    "mpfb/rig.mixamo.json": (
        {"leg": tuple(f"mixamorig:Left{b}" for b in ("UpLeg", "Leg", "Foot", "ToeBase"))},
        "mixamorig:Hips",
        "mixamorig:Head",
        "",
    ),
}

METARIGS: dict[str, tuple[Legs, str, str, str]] = {
    "basic_human": ({"leg": ("thigh.L", "shin.L", "foot.L", "toe.L")}, "spine", "spine.006", ""),
    "human": ({"leg": ("thigh.L", "shin.L", "foot.L", "toe.L")}, "spine", "spine.006", ""),
    "bird": ({"leg": ("thigh.L", "shin.L", "foot.L", "toe.L")}, "spine.003", "head", "spine.001"),
    "basic_quadruped": (
        {
            "hind": ("thigh.L", "shin.L", "foot.L", "toe.L"),
            "front": ("front_thigh.L", "front_shin.L", "front_foot.L", "front_toe.L"),
        },
        "spine.004",
        "spine.011",
        "spine.001",
    ),
    "wolf": (
        {
            "hind": ("thigh.L", "shin.L", "foot.L", "toe.L"),
            "front": ("front_thigh.L", "front_shin.L", "front_foot.L", "front_toe.L"),
        },
        "spine.004",
        "spine.011",
        "spine.001",
    ),
    "cat": (
        {
            "hind": ("thigh.L", "shin.L", "foot.L", "r_toe.L"),
            "front": ("upper_arm.L", "forearm.L", "hand.L", "f_toe.L"),
        },
        "spine",
        "spine.006",
        "tail.002",
    ),
    "horse": (
        {
            "hind": ("thigh.L", "lower_leg.L", "hind_foot.L", "r_toe.L", "r_hoof.L"),
            "front": ("upper_arm.L", "forearm.L", "forefoot.L", "f_toe.L", "f_hoof.L"),
        },
        "spine.001",
        "head",
        "tail.001",
    ),
}

# Rigs that are recognized by shape alone; in others a head, a tail or an arm needs its name.
CLEAR = (
    "epic_ThirdPersonRun.fbx",
    "gdquest_mannequiny.glb",
    "khronos_CesiumMan.glb",
    "khronos_Fox.glb",
    "quaternius_Character_HumanoidRig.glb",
    "quaternius_animals_Horse.glb",
    "vrm_addon_basic_armature.blend",
    "mpfb/rig.default.json",
    "mpfb/rig.game_engine.json",
    "mpfb/rig.mixamo.json",
)


def _json_rig(file: Path) -> bpy.types.Object:
    """A MakeHuman rig."""
    data = json.loads(file.read_text(encoding="utf-8"))
    data = data.get("bones", data)
    armature = bpy.data.objects.new("MakeHuman", bpy.data.armatures.new("MakeHuman"))
    bpy.context.collection.objects.link(armature)
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for name, entry in data.items():
        bone = bones.new(name)
        bone.head, bone.tail = entry["head"]["default_position"], entry["tail"]["default_position"]
    for name, entry in data.items():
        bones[name].parent = bones[entry["parent"]] if entry["parent"] else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _blend_rig(file: Path) -> bpy.types.Object:
    """The armature in a .blend file."""
    with bpy.data.libraries.load(str(file)) as (there, wanted):
        wanted.objects = there.objects
    for thing in wanted.objects:
        bpy.context.collection.objects.link(thing)
    return next(thing for thing in wanted.objects if thing.type == "ARMATURE")


def _load(file: Path) -> bpy.types.Object:
    return (
        _json_rig(file)
        if file.suffix == ".json"
        else _blend_rig(file)
        if file.suffix == ".blend"
        else load_rig(file)
    )


def _skeleton(armature: bpy.types.Object) -> Skeleton:
    bpy.context.view_layer.update()
    return read_skeleton(armature, bpy.context.scene)


def _check(skeleton: Skeleton, expected: tuple[Legs, str, str, str], prefix: str = "") -> None:
    legs, pelvis, head, tail = expected
    anatomy = recognize(skeleton)
    names = skeleton.names
    parts = name_parts(anatomy, names)
    rows = ["leg"] if len(legs) == 1 else ["hind", "front"]
    assert len(anatomy.legs) == 2 * len(legs)
    for row, key in enumerate(rows):
        left, right = (
            next(leg for leg in anatomy.legs if (leg.row, leg.side) == (row, side))
            for side in (1, -1)
        )
        assert [names[k] for k in left.bones][: len(legs[key])] == [
            prefix + bone for bone in legs[key]
        ]
        assert len(right.bones) == len(left.bones)
        assert not {*right.bones} & {*left.bones}
    assert parts["pelvis"] == prefix + pelvis
    assert parts.get("head", parts.get("neck")) == prefix + head
    assert (not tail and not anatomy.tails) or any(
        prefix + tail in [names[k] for k in chain] for chain in anatomy.tails
    )
    assert all(0 < f.confidence <= 1 and (f.is_certain or f.reason) for f in anatomy.findings)


@pytest.mark.parametrize("name", RIGS)
def test_rigs_as_users_have_them(scene: bpy.types.Scene, shared: Path, name: str) -> None:
    _check(_skeleton(_load(shared / "data" / "rigs" / name)), RIGS[name])


def test_a_spider_has_eight_legs(scene: bpy.types.Scene, shared: Path) -> None:
    skeleton = _skeleton(_load(shared / "data" / "rigs" / "quaternius_enemy_Spider.glb"))
    legs = recognize(skeleton).legs
    assert len(legs) == 8
    assert [skeleton.names[leg.ankle] for leg in legs if leg.side > 0] == [
        f"{row}Foot.L" for row in ("Back", "MidBack", "MidFront", "Front")
    ]


@pytest.mark.parametrize("name", METARIGS)
def test_metarigs(scene: bpy.types.Scene, name: str) -> None:
    skeleton = _skeleton(add_metarig(name))
    _check(skeleton, METARIGS[name])
    assert recognize(skeleton).naming_convention == "Rigify metarig"


@pytest.mark.parametrize("name", ["human", "basic_human"])
def test_nothing_is_uncertain_on_the_metarigs_of_people(scene: bpy.types.Scene, name: str) -> None:
    findings = recognize(_skeleton(add_metarig(name))).findings
    assert [f.reason for f in findings if not f.is_certain] == []


@pytest.mark.parametrize(
    "name",
    [
        "human",
        "horse",
        "bird",
        "basic_quadruped",
        pytest.param("wolf", marks=pytest.mark.exhaustive),
        pytest.param("cat", marks=pytest.mark.long),
    ],
)
def test_generated_rigs(scene: bpy.types.Scene, name: str) -> None:
    armature = add_generated_rig(name)
    skeleton = _skeleton(armature)
    legs, pelvis, head, tail = METARIGS[name]
    if name == "bird":  # generated in two halves, each a bone
        legs = {"leg": legs["leg"][:3]}
    _check(skeleton, (legs, pelvis, head, tail), "DEF-")
    assert recognize(skeleton).naming_convention == "Rigify, generated"


def test_a_shark_has_no_legs(scene: bpy.types.Scene) -> None:
    with pytest.raises(CharacterError, match="no legs"):
        recognize(_skeleton(add_metarig("shark")))


@pytest.mark.parametrize("name", CLEAR)
def test_names_may_say_nothing(scene: bpy.types.Scene, shared: Path, name: str) -> None:
    skeleton = _skeleton(_load(shared / "data" / "rigs" / name))
    index = {bone: f"b{k}" for k, bone in enumerate(skeleton.names)}
    bare = replace(
        skeleton,
        names=tuple(index.values()),
        skin={index[b]: p for b, p in skeleton.skin.items()},
        deform_bones=frozenset(index[b] for b in skeleton.deform_bones),
    )
    anatomy = recognize(bare)
    expected = recognize(skeleton)
    for what in ("root", "trunk", "neck", "head", "legs", "arms", "tails"):
        assert getattr(anatomy, what) == getattr(expected, what), what
