"""A bake that tears the skin, leaves a bone behind or turns a foot over says so."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from footfall.addon.animation.action_builder import PendingKeys
from footfall.addon.bake.character_report import read_report
from footfall.addon.bake.skin_check import check_skin
from plain_person import add_plain_person, add_walking_person
from rig_variations import find_body

FRAMES = np.arange(1.0, 25.0)


@pytest.fixture
def person(scene: bpy.types.Scene) -> bpy.types.Object:
    """A person on a straight path, for two seconds."""
    return add_walking_person(scene, 49)


def _walk(armature: bpy.types.Object) -> PendingKeys:
    """Keys that carry the hips three meters ahead."""
    keys = PendingKeys()
    location = np.outer(np.linspace(0, 3, len(FRAMES)), [1.0, 0.0, 0.0])
    keys.add('pose.bones["Hips"].location', "Hips", FRAMES, location, skip=())
    return keys


def test_a_sound_bake_has_no_warning(scene: bpy.types.Scene, person: bpy.types.Object) -> None:
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    report = read_report(person)
    assert report is not None
    assert not any("skin" in line.text or "upside" in line.text for line in report.lines)


def test_torn_skin_and_bones_left_behind_are_in_the_report(
    scene: bpy.types.Scene, person: bpy.types.Object
) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    base = person.data.edit_bones.new("Base")
    base.head, base.tail = (0, 0, 0), (0, 0, 0.2)
    person.data.edit_bones["Hips"].parent = base
    bpy.ops.object.mode_set(mode="OBJECT")
    body = find_body()
    corner = [v.index for v in body.data.vertices][:1]  # of the box of the hips
    for group in body.vertex_groups:
        group.remove(corner)
    body.vertex_groups.new(name="Base").add(corner, 1.0, "REPLACE")
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    report = read_report(person)
    assert report is not None
    texts = [line.text for line in report.lines if line.level == "WARNING"]
    assert any("the skin is torn" in text and "'Base'" in text for text in texts)
    assert any("'Base' carries skin and is left behind" in text for text in texts)


def test_an_overturned_foot_is_named(scene: bpy.types.Scene, person: bpy.types.Object) -> None:
    keys = _walk(person)
    assert check_skin(person, ["LeftFoot", "RightFoot"], FRAMES, keys) == []
    person.pose.bones["LeftFoot"].rotation_mode = "XYZ"
    turned = np.tile([np.pi, 0.0, 0.0], (len(FRAMES), 1))
    keys.add('pose.bones["LeftFoot"].rotation_euler', "LeftFoot", FRAMES, turned, skip=())
    warnings = check_skin(person, ["LeftFoot", "RightFoot"], FRAMES, keys)
    assert any(text.startswith("'LeftFoot' is upside down") for text in warnings)


def test_a_rig_without_skin_is_not_checked(scene: bpy.types.Scene) -> None:
    armature = add_plain_person()
    bpy.data.objects.remove(find_body())
    assert check_skin(armature, ["LeftFoot"], FRAMES, _walk(armature)) == []


def test_limbs_without_a_parent_walk_as_with_one(
    scene: bpy.types.Scene, person: bpy.types.Object
) -> None:
    scene.frame_end = 25
    feet = []
    for is_detached in (False, True):
        if is_detached:
            bpy.ops.object.mode_set(mode="EDIT")
            for side in ("Left", "Right"):
                person.data.edit_bones[f"{side}UpperLeg"].parent = None
            bpy.ops.object.mode_set(mode="OBJECT")
        assert bpy.ops.footfall.generate() == {"FINISHED"}
        positions = []
        for frame in (1, 9, 17, 25):
            scene.frame_set(frame)
            bones = person.pose.bones
            positions.append([list(bones[f"{side}Foot"].head) for side in ("Left", "Right")])
        feet.append(np.array(positions))
    assert np.abs(feet[0] - feet[1]).max() < 1e-3
