"""Rigs that were broken on purpose: the report or the refusal of a bake names what is wrong."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from blender_scene import add_curve, load_rig, select
from footfall.addon.bake.character_report import read_report
from plain_person import add_walking_person
from rig_variations import find_body


@pytest.fixture
def person(scene: bpy.types.Scene) -> bpy.types.Object:
    """A person on a straight path, for a second."""
    return add_walking_person(scene, 25)


def _list_warnings(armature: bpy.types.Object) -> list[str]:
    """Bake, and return the warnings in the report."""
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    report = read_report(armature)
    assert report is not None
    return [line.text for line in report.lines if line.level == "WARNING"]


def _swap_rows(armature: bpy.types.Object, parts: tuple[str, ...]) -> None:
    """Swap left and right in the rows of some parts."""
    bpy.ops.footfall.detect_character()
    rows = armature.footfall.parts
    for part in parts:
        left, right = rows[f"{part}.L"], rows[f"{part}.R"]
        left.bone, right.bone = right.bone, left.bone


LEG_ROWS = ("thigh", "shin", "foot", "toe")
ARM_ROWS = ("upper_arm", "forearm", "hand")


def test_a_foot_that_a_constraint_turns_over(person: bpy.types.Object) -> None:
    limit = person.pose.bones["LeftFoot"].constraints.new("LIMIT_ROTATION")
    limit.owner_space = "LOCAL"
    limit.use_limit_x, limit.min_x, limit.max_x = True, 3.14, 3.14
    warnings = _list_warnings(person)
    assert any(text.startswith("'LeftFoot' is upside down") for text in warnings)


def test_an_arm_that_a_constraint_holds_in_the_world(person: bpy.types.Object) -> None:
    target = bpy.data.objects.new("Target", None)
    bpy.context.collection.objects.link(target)
    target.location = person.data.bones["LeftLowerArm"].head_local
    held = person.pose.bones["LeftLowerArm"].constraints.new("COPY_LOCATION")
    held.target = target
    warnings = _list_warnings(person)
    assert any(
        "'LeftLowerArm'" in text and "carry skin and are left behind" in text for text in warnings
    )


def test_vertices_without_weights_tear_the_skin(person: bpy.types.Object) -> None:
    body = find_body()
    loose = [vertex.index for vertex in body.data.vertices][::3]
    for group in body.vertex_groups:
        group.remove(loose)
    assert any("the skin is torn" in text for text in _list_warnings(person))


def test_sides_chosen_by_hand_turn_the_body_round(person: bpy.types.Object) -> None:
    _swap_rows(person, (*LEG_ROWS, *ARM_ROWS))
    warnings = _list_warnings(person)
    assert any("may walk backward" in text and "by hand" in text for text in warnings)


def test_legs_on_the_sides_of_the_other_arms_are_refused(person: bpy.types.Object) -> None:
    _swap_rows(person, LEG_ROWS)
    with pytest.raises(RuntimeError, match="left leg is on the side of the right arm"):
        bpy.ops.footfall.generate()


def test_one_stretched_edge_of_a_coarse_mesh_is_no_tear(
    scene: bpy.types.Scene, shared: Path
) -> None:
    armature = load_rig(shared / "data" / "rigs" / "castle_skinned_anim.blend")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -20, 0)])
    scene.frame_end = 25
    select(armature)
    assert _list_warnings(armature) == []
