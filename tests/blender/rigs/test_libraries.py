"""Rigs from other files: linked rigs are refused; library overrides keep their results."""

from __future__ import annotations

from pathlib import Path

import bpy
import footfall
import numpy as np
import pytest
from blender_scene import (
    Snapshot,
    add_collection,
    add_curve,
    add_generated_rig,
    add_metarig,
    curves_of,
    select,
)


def _library(file: Path, generated: bool, detected: bool = False) -> None:
    """Save a file with the collection Cast, with the armature Hero and an action of it."""
    rig = add_generated_rig() if generated else add_metarig()
    rig.name = "Hero"
    rig.animation_data_create().action = bpy.data.actions.new("Idle")
    for collection in rig.users_collection:
        collection.objects.unlink(rig)
    add_collection("Cast").objects.link(rig)
    if detected:
        select(rig)
        bpy.ops.footfall.detect_character()
    bpy.ops.wm.save_as_mainfile(filepath=str(file))


def _shot(file: Path) -> bpy.types.Collection:
    """A new scene with a path, and the library's collection linked."""
    footfall.unregister()
    bpy.ops.wm.read_homefile(use_empty=True)
    footfall.register()
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_start = 1
    scene.frame_end = 25
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    with bpy.data.libraries.load(str(file), link=True) as (_, into):
        into.collections = ["Cast"]
    return bpy.data.collections["Cast"]


def _overridden(cast: bpy.types.Collection, editable: bool = True) -> bpy.types.Object:
    override = cast.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=editable
    )
    hero = next(thing for thing in override.all_objects if thing.type == "ARMATURE")
    select(hero)
    return hero


def _reload(file: Path) -> bpy.types.Object:
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.open_mainfile(filepath=str(file))
    hero = next(
        thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing.library is None
    )
    select(hero)
    return hero


def _foot(hero: bpy.types.Object, bone: str, frame: int = 13) -> np.ndarray:
    bpy.context.scene.frame_set(frame)
    return np.array(hero.matrix_world @ hero.pose.bones[bone].head)


@pytest.mark.parametrize(("generated", "foot"), [(False, "foot.L"), (True, "DEF-foot.L")])
def test_override_is_supported_and_keeps_its_results(
    scene: bpy.types.Scene, tmp_path: Path, generated: bool, foot: str
) -> None:
    _library(tmp_path / "cast.blend", generated)
    hero = _overridden(_shot(tmp_path / "cast.blend"))
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="detected")
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="generated")
    assert hero.library is None
    assert hero.animation_data.action.name != "Idle"
    expected = _foot(hero, foot)
    parts = {entry.name: entry.bone for entry in hero.footfall.parts}
    assert abs(expected[1]) > 0.3
    bpy.ops.ed.undo()
    hero = bpy.context.view_layer.objects.active
    assert hero.animation_data.action.name == "Idle"
    assert {entry.name: entry.bone for entry in hero.footfall.parts} == parts
    bpy.ops.ed.redo()
    hero = bpy.context.view_layer.objects.active
    hero.footfall.parts["head"].bone = hero.footfall.parts["neck"].bone
    parts["head"] = parts["neck"]
    for _ in range(2):
        hero = _reload(tmp_path / "shot.blend")
        assert {entry.name: entry.bone for entry in hero.footfall.parts} == parts
        assert hero.footfall.told
        np.testing.assert_allclose(_foot(hero, foot), expected, atol=1e-5)
    hero.footfall.parts["head"].bone = hero.footfall.parts["head"].found
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    np.testing.assert_allclose(_foot(hero, foot), expected, atol=1e-3)


def test_a_character_that_was_detected_in_its_library_is_not_listed_twice(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    _library(tmp_path / "cast.blend", generated=False, detected=True)
    hero = _overridden(_shot(tmp_path / "cast.blend"), editable=False)
    listed = [entry.name for entry in hero.footfall.parts]
    groups = [entry.name for entry in hero.footfall.findings]
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    assert [entry.name for entry in hero.footfall.parts] == listed
    assert [entry.name for entry in hero.footfall.findings] == groups
    hero.footfall.parts["head"].bone = "spine.005"
    assert bpy.ops.footfall.detect_character() == {"FINISHED"}
    assert hero.footfall.parts["head"].bone == "spine.006"
    hero.footfall.parts["head"].bone = "spine.005"
    assert _reload(tmp_path / "shot.blend").footfall.parts["head"].bone == "spine.005"


def test_a_linked_rig_is_refused_and_stays(scene: bpy.types.Scene, tmp_path: Path) -> None:
    _library(tmp_path / "cast.blend", generated=False)
    cast = _shot(tmp_path / "cast.blend")
    bpy.context.scene.collection.children.link(cast)
    hero = cast.objects["Hero"]
    bpy.context.view_layer.objects.active = hero
    before = Snapshot.from_armature(hero)
    for work in (
        bpy.ops.footfall.detect_character,
        bpy.ops.footfall.generate,
        bpy.ops.footfall.parts_by_hand,
    ):
        with pytest.raises(
            RuntimeError,
            match=r"'Hero' is linked from 'cast\.blend' .* Make a library override of it first",
        ):
            work()
    assert Snapshot.from_armature(hero) == before
    assert hero.animation_data.action.name == "Idle"
    assert not curves_of(hero.animation_data.action)


@pytest.mark.parametrize(
    ("linked", "says"),
    [
        (True, "from 'cast.blend'; make a library override"),
        (False, "make its instances real first"),
    ],
)
def test_instance_of_a_collection_has_a_helpful_message(
    scene: bpy.types.Scene, tmp_path: Path, linked: bool, says: str
) -> None:
    _library(tmp_path / "cast.blend", generated=False)
    shown = _shot(tmp_path / "cast.blend") if linked else bpy.data.collections["Cast"]
    instance = bpy.data.objects.new("Actor", None)
    instance.instance_type = "COLLECTION"
    instance.instance_collection = shown
    bpy.context.scene.collection.objects.link(instance)
    select(instance)
    with pytest.raises(
        RuntimeError, match=f"'Actor' is an empty that shows the collection 'Cast'.*{says}"
    ):
        bpy.ops.footfall.generate()
