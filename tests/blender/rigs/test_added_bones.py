"""Bones that users and exporters add to a rig leave its limbs as they are, or are a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest
import rig_variations as rv
from blender_scene import add_metarig, load_rig, select
from footfall.addon.rigs.armature import read_skeleton
from footfall.core.character.recognition.anatomy import Anatomy
from footfall.core.character.recognition.parts import name_parts
from footfall.core.character.recognition.questions import find_questions
from footfall.core.character.recognition.recognize import recognize
from mathutils import Vector

PERSON_ARMS = {
    f"{part}.{side[0]}": f"{side}{bone}"
    for side in ("Left", "Right")
    for part, bone in (("upper_arm", "UpperArm"), ("forearm", "LowerArm"), ("hand", "Hand"))
}


def _recognize(armature: bpy.types.Object) -> Anatomy:
    bpy.context.view_layer.update()
    return recognize(read_skeleton(armature, bpy.context.scene))


def _name_parts(armature: bpy.types.Object) -> dict[str, str]:
    return name_parts(_recognize(armature), [bone.name for bone in armature.data.bones])


def _add_chain(armature: bpy.types.Object, parent: str, names: list[str], step: Vector) -> None:
    """Add bones one after the other, from the head of a bone on; each is a step long."""
    with rv.edit_bones(armature) as bones:
        last = bones[parent]
        head = last.head.copy()
        for name in names:
            bone = bones.new(name)
            bone.head, bone.tail = head, head + step
            bone.parent = last
            last, head = bone, bone.tail.copy()


def _add_ends(armature: bpy.types.Object) -> None:
    with rv.edit_bones(armature) as bones:
        for bone in [b for b in bones if not b.children]:
            end = bones.new(f"{bone.name}_end")
            end.head, end.tail = bone.tail, bone.tail + (bone.tail - bone.head)
            end.parent = bone


def _add_controls(armature: bpy.types.Object) -> None:
    """Add a control for each bone, at its place."""
    names = [bone.name for bone in armature.data.bones]
    with rv.edit_bones(armature) as bones:
        for name in names:
            control = bones.new(f"CTRL_{name}")
            control.head, control.tail = bones[name].head, bones[name].tail
            control.use_deform = False
        for name in names:
            if bones[name].parent:
                bones[f"CTRL_{name}"].parent = bones[f"CTRL_{bones[name].parent.name}"]


@pytest.mark.parametrize("is_named", [True, False])
def test_a_staff_in_one_hand_leaves_both_arms(scene: bpy.types.Scene, is_named: bool) -> None:
    armature = rv.add_base("person")
    expected = _name_parts(armature)
    height = armature.data.bones["LeftHand"].head_local.z
    _add_chain(armature, "LeftHand", ["Staff", "Tip"], Vector((0, 0, -0.5 * height)))
    if not is_named:
        names = {bone.name: f"Bone.{k:03d}" for k, bone in enumerate(armature.data.bones)}
        rv.rename(lambda name, _: names[name])(armature)
        expected = {part: names[bone] for part, bone in expected.items()}
    assert _name_parts(armature) == expected
    assert sum("arm." in part for part in expected) == 4


@pytest.mark.parametrize("word", ["Wing", "Hair"])
def test_chains_that_resemble_arms_leave_the_arms(scene: bpy.types.Scene, word: str) -> None:
    armature = rv.add_base("person")
    for side, sign in (("Left", 1), ("Right", -1)):
        names = [f"{side}{word}{k}" for k in range(4)]
        _add_chain(armature, "Chest", names, Vector((0.3 * sign, 0.1, 0.1)))
    parts = _name_parts(armature)
    assert {part: parts.get(part) for part in PERSON_ARMS} == PERSON_ARMS


def test_folded_arms_have_the_sides_of_their_shoulders(scene: bpy.types.Scene) -> None:
    armature = rv.add_base("person")
    rv.pose_rest(
        ("LeftUpperArm", (0, 90, 0)),
        ("RightUpperArm", (0, -90, 0)),
        ("LeftLowerArm", (0, 90, 0)),
        ("RightLowerArm", (0, -90, 0)),
    )(armature)
    heads = {s: armature.data.bones[f"{s}Hand"].head_local.x for s in ("Left", "Right")}
    assert heads["Left"] < heads["Right"]
    parts = _name_parts(armature)
    assert {part: parts.get(part) for part in PERSON_ARMS} == PERSON_ARMS


def test_a_piece_of_a_bone_is_no_segment(scene: bpy.types.Scene) -> None:
    armature = add_metarig("cat")
    expected = _name_parts(armature)
    for side in "LR":
        armature.data.bones[f"forearm.{side}"][rv.PART_KEY] = f"front_shin.{side}"
    rv.insert_twist("front_shin", "_tw", is_in_line=True)(armature)
    assert _name_parts(armature) == expected


def _check_parts_stay(file: Path, add: Callable[[bpy.types.Object], None]) -> None:
    """Check that the parts of a rig in a file stay as they are when bones are added."""
    bpy.ops.wm.read_homefile(use_empty=True)
    armature = load_rig(file)
    expected = _name_parts(armature)
    add(armature)
    assert _name_parts(armature) == expected, file.name


def test_ends_of_chains_are_no_segments(scene: bpy.types.Scene, shared: Path) -> None:
    for file in ("raylib_greenman.glb", "raylib_guy.blend", "quaternius_enemy_Rat.glb"):
        _check_parts_stay(shared / "data" / "rigs" / file, _add_ends)


def test_controls_leave_hips_and_feet_without_skin(scene: bpy.types.Scene, shared: Path) -> None:
    for file in ("raylib_greenman.glb", "raylib_guy.blend"):
        _check_parts_stay(shared / "data" / "rigs" / file, _add_controls)


def test_a_tilted_rat_below_two_roots_keeps_its_feet(scene: bpy.types.Scene, shared: Path) -> None:
    armature = load_rig(shared / "data" / "rigs" / "quaternius_enemy_Rat.glb")
    expected = _name_parts(armature)
    rv.add_root("Main", count=2)(armature)
    rv.hold((-21, -4, 0))(armature)
    assert len(_recognize(armature).legs) == 4
    assert _name_parts(armature) == expected


def test_feet_outside_the_body_are_a_question(scene: bpy.types.Scene, shared: Path) -> None:
    armature = load_rig(shared / "data" / "rigs" / "quaternius_dino_Velociraptor.glb")
    for mesh in [obj for obj in bpy.data.objects if obj.type == "MESH"]:
        bpy.data.objects.remove(mesh)  # without skin nothing shows which leg a foot belongs to
    select(armature)
    questions = find_questions(_recognize(armature).findings)
    assert [question.key for question in questions] == ["feet"]
    assert "'BackFoot" in questions[0].reason
