"""A doubt that may turn a body round or tear it stops *Generate* with a question."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_metarig, select
from footfall.addon.overlay.question_view import (
    build_bone_marks,
    build_sole_marks,
    has_marks,
    locate_facing_arrow,
)
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.rigs.questions import check_answers, list_open_questions
from footfall.addon.scene.rig import read_rig
from footfall.core.character.recognition.questions import find_answered_parts
from footfall.core.character.recognition.reading_parts import read_anatomy
from footfall.core.errors import OpenQuestionError
from plain_person import add_plain_person
from rig_variations import find_body, turn_object


@pytest.fixture
def person(scene: bpy.types.Scene) -> bpy.types.Object:
    """A person without skin whose names of left and right contradict its toes, on a path."""
    armature = add_plain_person()
    bpy.data.objects.remove(find_body())
    for bone in armature.data.bones:
        bone.name = bone.name.replace("Left", "L#").replace("Right", "R#")
    for bone in armature.data.bones:
        bone.name = bone.name.replace("L#", "Right").replace("R#", "Left")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -6, 0)])
    scene.frame_end = 25
    select(armature)
    return armature


def _read_forward(armature: bpy.types.Object) -> np.ndarray:
    scene = bpy.context.scene
    return np.array(read_rig(armature, read_skeleton(armature, scene)).anatomy.forward)


def _list_keys(armature: bpy.types.Object) -> list[str]:
    return [question.key for question in list_open_questions(armature)]


def test_even_odds_stop_generate_until_the_question_is_answered(person: bpy.types.Object) -> None:
    bpy.ops.footfall.detect_character()
    assert _list_keys(person) == ["facing"]
    before = Snapshot.from_armature(person)
    with pytest.raises(RuntimeError, match="In which direction does it face") as caught:
        bpy.ops.footfall.generate()
    assert "*Along the Arrow* or *The Opposite* in the panel Character" in str(caught.value)
    assert Snapshot.from_armature(person) == before
    bpy.ops.footfall.answer(question="facing", choice="TURN")
    assert _list_keys(person) == []
    assert _read_forward(person) == pytest.approx([0, -1, 0], abs=1e-6)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    bpy.context.scene.frame_set(25)
    hips = person.pose.bones["Hips"]
    assert hips.head.y < -0.4
    assert (hips.matrix.to_3x3() @ hips.bone.matrix_local.to_3x3().inverted())[1][1] > 0.9


def test_an_answer_is_kept_until_detect(person: bpy.types.Object) -> None:
    forward = _read_forward(person)
    bpy.ops.footfall.answer(question="facing", choice="ALONG")  # fills the list first
    assert _list_keys(person) == []
    assert _read_forward(person) == pytest.approx(forward)
    rig = read_rig(person, read_skeleton(person, bpy.context.scene))
    check_answers(person.name, rig.anatomy, is_interactive=True)
    bpy.ops.footfall.detect_character()
    assert _list_keys(person) == ["facing"]


@pytest.mark.parametrize(
    ("key", "choice", "says"),
    [
        ("facing", "LEFT", "'LEFT' is no answer to 'In which direction does it face"),
        ("feet", "KEEP", "'feet' is not open"),
    ],
)
def test_an_impossible_answer_is_refused(
    person: bpy.types.Object, key: str, choice: str, says: str
) -> None:
    bpy.ops.footfall.detect_character()
    with pytest.raises(RuntimeError, match=says):
        bpy.ops.footfall.answer(question=key, choice=choice)
    assert _list_keys(person) == ["facing"]
    assert person.footfall.answers == ""


def test_marks_show_each_side_and_the_facing(person: bpy.types.Object) -> None:
    assert not has_marks(person)
    bpy.ops.footfall.detect_character()
    assert has_marks(person)
    person.rotation_euler[2] = np.pi / 2
    bpy.context.view_layer.update()
    arrow = locate_facing_arrow(person)
    assert arrow is not None
    turned = np.array(person.matrix_world.to_3x3()) @ _read_forward_at_rest(person)
    assert arrow.vector / np.linalg.norm(arrow.vector) == pytest.approx(turned, abs=1e-6)
    bones = build_bone_marks(person)
    assert len(bones) == 2 * sum(bool(entry.bone) for entry in person.footfall.parts)
    colors = {tuple(np.round(color, 2)) for color in bones.colors}
    assert len(colors) >= 4  # left, right, trunk, head
    soles = build_sole_marks(person)
    assert len(soles) == 2 * 2 * 3
    assert np.ptp(soles.points[:, 2]) < 1e-6


def _read_forward_at_rest(armature: bpy.types.Object) -> np.ndarray:
    thighs = [armature.data.bones[armature.footfall.parts[f"thigh.{s}"].bone] for s in "LR"]
    lateral = np.array(thighs[0].head_local - thighs[1].head_local)
    return np.cross(lateral / np.linalg.norm(lateral), [0.0, 0.0, 1.0])


@pytest.mark.parametrize(("choice", "has_toe"), [("LEFT", True), ("RIGHT", False)])
def test_both_legs_follow_the_one_that_is_right(
    scene: bpy.types.Scene, choice: str, has_toe: bool
) -> None:
    armature = add_plain_person()
    bpy.context.view_layer.update()
    skeleton = read_skeleton(armature, scene)
    anatomy = read_anatomy(skeleton)
    left, right = anatomy.legs
    unlike = replace(anatomy, legs=(left, replace(right, toe=None)))
    parts = find_answered_parts(skeleton, unlike, choice)
    assert [parts.get(f"toe.{side}") for side in "LR"] == (
        ["LeftToes", "RightToes"] if has_toe else [None, None]
    )
    assert [parts[f"shin.{side}"] for side in "LR"] == ["LeftLowerLeg", "RightLowerLeg"]
    assert parts["hand.R"] == "RightHand"


def test_a_turned_animal_has_its_front_legs_behind(scene: bpy.types.Scene) -> None:
    skeleton = read_skeleton(add_metarig("basic_quadruped"), scene)
    anatomy = read_anatomy(skeleton)
    parts = find_answered_parts(skeleton, anatomy, "TURN")
    assert parts["hind_thigh.L"] == "front_thigh.R"
    assert parts["front_thigh.R"] == "thigh.L"
    turned = read_anatomy(replace(skeleton, parts=parts))
    assert turned.forward == pytest.approx(-np.array(anatomy.forward))


@pytest.mark.parametrize(("degrees", "is_interactive"), [(25, True), (180, False)])
def test_a_body_that_does_not_stand_is_a_question(
    scene: bpy.types.Scene, degrees: float, is_interactive: bool
) -> None:
    armature = add_plain_person()
    turn_object((degrees, 0, 0), keeps_world=True)(armature)
    turn_object((0, 0, 0))(armature)
    rig = read_rig(armature, read_skeleton(armature, scene))
    with pytest.raises(
        OpenQuestionError, match=r"Does it stand in its rest pose.*pose it upright and apply"
    ):
        check_answers(armature.name, rig.anatomy, is_interactive)
