"""The list of parts: filled, corrected, mirrored, reset, saved, loaded and validated."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest
from blender_scene import Snapshot, add_curve, add_generated_rig, add_metarig, select
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.rigs.part_list import list_group_entries
from footfall.addon.scene.rig import read_rig
from footfall.addon.user_files import part_presets


@pytest.fixture
def rig(scene: bpy.types.Scene) -> bpy.types.Object:
    """A detected metarig."""
    armature = add_metarig()
    select(armature)
    bpy.ops.footfall.detect_character()
    return armature


@pytest.fixture(autouse=True)
def no_presets(scene: bpy.types.Scene) -> None:
    """Every test begins without presets."""
    for path in part_presets.list_presets():
        path.unlink()


def _list_parts(armature: bpy.types.Object) -> dict[str, str]:
    return {entry.name: entry.bone for entry in armature.footfall.parts}


def _correct(armature: bpy.types.Object) -> None:
    """Move the begin of the neck to the next bone."""
    armature.footfall.parts["neck.1"].bone = ""
    armature.footfall.parts["neck"].bone = "spine.005"


def _add_bone(
    armature: bpy.types.Object, name: str, like: str, parent: str, shift: tuple[float, float, float]
) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    new = bones.new(name)
    for end in ("head", "tail"):
        setattr(new, end, [a + b for a, b in zip(getattr(bones[like], end), shift, strict=True)])
    new.parent = bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")


def test_detect_fills_the_list(rig: bpy.types.Object) -> None:
    parts = _list_parts(rig)
    assert parts["thigh.L"] == "thigh.L"
    assert parts["toe.R"] == "toe.R"
    assert parts["pelvis"] == "spine"
    assert parts["hand.R"] == "hand.R"
    assert [f.name for f in rig.footfall.findings] == [
        "leg.L",
        "leg.R",
        "trunk",
        "head",
        "arm.L",
        "arm.R",
    ]
    # The metarig's neck and head are named as spine, but are the top of an upright body.
    assert [f.name for f in rig.footfall.findings if not f.sure] == []
    assert rig.footfall.told == "a body on two legs (Rigify metarig)"
    assert rig.footfall.problem == ""


def test_correction_is_used_by_the_plan(rig: bpy.types.Object, scene: bpy.types.Scene) -> None:
    _correct(rig)
    assert rig.footfall.problem == ""
    result = read_rig(rig, read_skeleton(rig, scene))
    assert "spine.005" in result.binding.bones
    assert "spine.004" not in result.binding.bones


@pytest.mark.parametrize(
    ("part", "bone", "says"),
    [
        (
            "shin.L",
            "shin.R",
            "'shin.R' is chosen as left shin and as right shin: both sides have the same bone",
        ),
        ("shin.L", "forearm.L", "'forearm.L' is chosen as left shin and as left forearm: one bone"),
        (
            "shin.L",
            "breast.L",
            "'breast.L' cannot be the left shin: it does not hang below the left thigh 'thigh.L'",
        ),
        ("thigh.R", "face", "not among the bones"),
        ("thigh.L", "", "no bone for the left thigh"),
        ("foot.L", "", "left toe is chosen but not the left foot"),
        ("pelvis", "heel.02.L", "does not hang below the pelvis 'heel.02.L'"),
    ],
)
def test_invalid_corrections_are_refused(
    rig: bpy.types.Object, scene: bpy.types.Scene, part: str, bone: str, says: str
) -> None:
    scene.footfall.path = add_curve([(0, 0, 0), (0, -9, 0)])
    select(rig)
    before = _list_parts(rig)
    rig.footfall.parts[part].bone = bone
    assert says in rig.footfall.problem
    assert {**before, part: bone} == _list_parts(rig)  # nothing else is changed
    left = Snapshot.from_armature(rig)
    with pytest.raises(RuntimeError, match=says[-20:]):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(rig) == left
    rig.footfall.parts[part].bone = before[part]
    assert rig.footfall.problem == ""


def test_mirror_by_name(rig: bpy.types.Object) -> None:
    _correct(rig)
    for part in ("thigh.R", "shin.R", "foot.R", "toe.R"):
        rig.footfall.parts[part].bone = ""
    assert "no bone for the right thigh" in rig.footfall.problem
    assert bpy.ops.footfall.mirror_part(part="leg.L") == {"FINISHED"}
    assert [e.bone for e in list_group_entries(rig, "leg.R")] == [
        "thigh.R",
        "shin.R",
        "foot.R",
        "toe.R",
    ]
    assert rig.footfall.problem == ""


def test_mirror_by_place_where_names_say_nothing(scene: bpy.types.Scene) -> None:
    armature = add_metarig()
    armature.rotation_euler = (0, 0, 0.7)
    for k, bone in enumerate(armature.data.bones):
        bone.name = f"b{k}"
    select(armature)
    bpy.context.view_layer.update()
    bpy.ops.footfall.detect_character()
    right = [e.bone for e in list_group_entries(armature, "leg.R")]
    assert all(right)
    for entry in list_group_entries(armature, "leg.R"):
        entry.bone = ""
    bpy.ops.footfall.mirror_part(part="leg.L")
    assert [e.bone for e in list_group_entries(armature, "leg.R")] == right


def test_bone_without_a_mirrored_one_is_reported(rig: bpy.types.Object) -> None:
    _add_bone(rig, "stump", "forearm.L", "upper_arm.L", (0.1, 0.5, 0.6))
    before = _list_parts(rig) | {"forearm.L": "stump"}
    rig.footfall.parts["forearm.L"].bone = "stump"
    with pytest.raises(RuntimeError, match="'stump'"):
        bpy.ops.footfall.mirror_part(part="arm.L")
    assert _list_parts(rig) == before


def test_reset_removes_corrections(rig: bpy.types.Object) -> None:
    before = _list_parts(rig)
    _correct(rig)
    rig.footfall.parts["shin.L"].bone = "shin.R"
    assert bpy.ops.footfall.reset_parts() == {"FINISHED"}
    assert _list_parts(rig) == before
    assert rig.footfall.problem == ""


def test_presets_go_to_another_rig_of_the_same_names(rig: bpy.types.Object) -> None:
    _correct(rig)
    assert bpy.ops.footfall.save_preset(name="Mine: 1") == {"FINISHED"}
    assert [path.name for path in part_presets.list_presets()] == ["Mine_ 1.json"]
    other = add_metarig()
    select(other)
    assert bpy.ops.footfall.load_preset(name="Mine_ 1") == {"FINISHED"}
    assert _list_parts(other)["neck"] == "spine.005"
    assert _list_parts(other)["thigh.L"] == "thigh.L"
    assert other.footfall.problem == ""


def test_a_preset_of_another_rig_is_refused(rig: bpy.types.Object) -> None:
    bpy.ops.footfall.save_preset(name="metarig")
    armature = add_metarig()
    armature.data.bones["shin.L"].name = "calf.L"
    select(armature)
    with pytest.raises(RuntimeError, match=r"no bone 'shin\.L' for the left shin"):
        bpy.ops.footfall.load_preset(name="metarig")
    assert len(armature.footfall.parts) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not a JSON file"),
        ("[]", "not a rig preset"),
        ('{"footfall_rig": 2, "parts": {}}', "version 1"),
        ('{"footfall_rig": 1, "parts": {}}', "must contain under"),
        ('{"footfall_rig": 1, "parts": {"thigh.L": 3}}', "must contain under"),
        ('{"footfall_rig": 1, "parts": {"wheel": "thigh.L"}}', "unknown part 'wheel'"),
    ],
)
def test_broken_presets_are_refused(rig: bpy.types.Object, text: str, says: str) -> None:
    (part_presets.presets_folder() / "broken.json").write_text(text, encoding="utf-8")
    before = _list_parts(rig)
    with pytest.raises(RuntimeError, match=says):
        bpy.ops.footfall.load_preset(name="broken")
    assert _list_parts(rig) == before


def test_a_preset_needs_a_name(rig: bpy.types.Object) -> None:
    with pytest.raises(RuntimeError, match="needs a name"):
        bpy.ops.footfall.save_preset(name=" ")
    assert part_presets.list_presets() == []


def test_parts_are_set_by_hand_where_none_is_recognized(scene: bpy.types.Scene) -> None:
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    with pytest.raises(RuntimeError, match="no legs"):
        bpy.ops.footfall.detect_character()
    assert len(armature.footfall.parts) == 0
    bpy.ops.footfall.parts_by_hand()
    assert {"pelvis", "thigh.L", "toe.R", "hand.L", "head"} <= set(_list_parts(armature))
    armature.footfall.parts["pelvis"].bone = "Bone"
    assert "No legs are chosen" in armature.footfall.problem


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("basic_quadruped", "four legs of three segments"),
        ("horse", "four legs of three segments"),
        ("cat", "four legs, three segments in the hind ones and two in the front ones"),
    ],
)
def test_quadrupeds_are_recognized_and_described(
    scene: bpy.types.Scene, kind: str, says: str
) -> None:
    armature = add_metarig(kind)
    select(armature)
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    parts = json.loads(armature.footfall.anatomy)
    assert {"hind_thigh.L", "hind_hock.R", "front_foot.L", "pelvis", "neck"} <= set(parts)
    assert says in armature.footfall.told
    assert not armature.footfall.problem
    assert armature.footfall.leg_length > 0


@pytest.mark.parametrize("kind", ["basic_human", "horse"])
def test_generated_rigs_are_recognized_by_deforming_bones(
    scene: bpy.types.Scene, kind: str
) -> None:
    armature = add_generated_rig(kind)
    select(armature)
    bpy.ops.footfall.detect_character()
    parts = json.loads(armature.footfall.anatomy)
    assert all(bone.startswith("DEF-") for bone in parts.values())
    assert armature.footfall.told.endswith("(Rigify, generated)")
    assert parts["thigh.L" if kind == "basic_human" else "hind_thigh.L"] == "DEF-thigh.L"


def test_undo_removes_a_correction(rig: bpy.types.Object) -> None:
    name = rig.name
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.footfall.save_preset(name="kept")
    _correct(rig)
    bpy.ops.ed.undo_push(message="corrected")
    bpy.ops.footfall.reset_parts()
    bpy.ops.ed.undo_push(message="reset")
    assert bpy.data.objects[name].footfall.parts["neck"].bone == "spine.004"
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].footfall.parts["neck"].bone == "spine.005"
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].footfall.parts["neck"].bone == "spine.004"
    assert [Path(path).stem for path in part_presets.list_presets()] == ["kept"]
