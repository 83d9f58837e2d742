"""Presets of settings: built-in ones, those of the user, and files from other users."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest
from blender_scene import add_detected_metarig, select
from footfall.addon.scene.active import find_character_settings
from footfall.addon.scene.task import read_task
from footfall.addon.settings import presets
from footfall.addon.settings.style import NO_STYLE
from footfall.addon.user_files import styles
from footfall.core.errors import TaskError


def _values(owner: bpy.types.PropertyGroup, kind: str) -> dict[str, object]:
    return {
        name: getattr(setting.group, setting.identifier)
        for name, setting in presets._map_settings(owner, kind).items()
    }


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "given.json"
    path.write_text(text)
    return path


def _made(tmp_path: Path, kind: str, **values: object) -> Path:
    return _file(tmp_path, json.dumps({presets.FORMAT_KEY: 1, "kind": kind, "values": values}))


@pytest.fixture
def mine() -> None:
    for kind in presets.SETTINGS_BY_KIND:
        for path in presets.user_preset_folder(kind).glob("*"):
            path.unlink()


def test_built_in_presets_can_be_used_and_are_described(scene: bpy.types.Scene) -> None:
    add_detected_metarig(scene)
    owners = {"motion": scene.footfall, "bake": scene.footfall_bake}
    shipped = [
        path
        for kind in presets.SETTINGS_BY_KIND
        for path in (presets.BUILTIN_FOLDER / kind).glob("*")
    ]
    assert len(shipped) > 8
    for path in shipped:
        settings = presets.load_preset(path)
        assert settings.kind == path.parent.name
        assert bpy.ops.footfall.use_settings(filepath=str(path)) == {"FINISHED"}
        now = _values(owners[settings.kind], settings.kind)
        assert {name: now[name] for name in settings.values} == pytest.approx(settings.values)
        assert (
            presets.collect_settings(owners[settings.kind], settings.kind).values.keys()
            <= settings.values.keys()
        )
        assert read_task(bpy.context).task.path.length > 0
    bpy.ops.footfall.use_settings(filepath=str(presets.BUILTIN_FOLDER / "bake" / "On_Twos.json"))
    bake = scene.footfall_bake
    assert (bake.spacing, bake.step, bake.held, bake.into) == ("STEPS", 2, True, "ACTION")


@pytest.mark.usefixtures("mine")
def test_saved_preset_restores_all_settings_of_any_character(scene: bpy.types.Scene) -> None:
    armature = add_detected_metarig(scene)
    settings = scene.footfall
    settings.style = "old"
    settings.mixed_style = "proud"
    settings.mixed_share = 0.45
    settings.upper_style = "march"
    settings.speed = 0.9
    settings.stride = 1.2
    settings.knobs.lean = 0.1
    settings.knobs.bounce = 1.4
    settings.seed = 7
    settings.natural_stride = False
    before = _values(settings, "motion")
    assert bpy.ops.footfall.keep_settings(kind="motion", name="My Walk!") == {"FINISHED"}
    path = presets.user_preset_folder("motion") / "My_Walk.json"
    assert set(json.loads(path.read_text())["values"]) == {
        "style",
        "mixed_style",
        "mixed_share",
        "upper_style",
        "natural_speed",
        "speed",
        "natural_stride",
        "stride",
        "knobs.lean",
        "knobs.bounce",
    }
    bpy.ops.footfall.own_settings()
    character_settings = find_character_settings(scene, armature)
    assert character_settings is not None
    bpy.ops.footfall.use_settings(filepath=str(presets.BUILTIN_FOLDER / "motion" / "Bouncy.json"))
    assert (
        character_settings.style,
        character_settings.mixed_style,
        character_settings.natural_speed,
        character_settings.natural_stride,
    ) == (
        "walk",
        NO_STYLE,
        True,
        True,
    )
    assert character_settings.knobs.lean == 0
    assert character_settings.seed == 7, "no setting of a preset"
    assert character_settings.path == settings.path
    assert settings.style == "old", "another character's"
    assert bpy.ops.footfall.use_settings(filepath=str(path)) == {"FINISHED"}
    assert _values(character_settings, "motion") == before
    scene.footfall_bake.spacing = "FEW"
    scene.footfall_bake.feet = 0.004
    baked = _values(scene.footfall_bake, "bake")
    bpy.ops.footfall.keep_settings(kind="bake", name="Few")
    bpy.ops.footfall.use_settings(
        filepath=str(presets.BUILTIN_FOLDER / "bake" / "Every_Frame.json")
    )
    assert scene.footfall_bake.spacing == "EVERY"
    bpy.ops.footfall.use_settings(filepath=str(presets.user_preset_folder("bake") / "Few.json"))
    assert _values(scene.footfall_bake, "bake") == baked


@pytest.mark.usefixtures("mine")
def test_no_preset_is_overwritten_and_only_user_presets_are_removed(scene: bpy.types.Scene) -> None:
    bpy.ops.footfall.keep_settings(kind="motion", name="One")
    with pytest.raises(RuntimeError, match="preset 'One' already"):
        bpy.ops.footfall.keep_settings(kind="motion", name="One")
    with pytest.raises(RuntimeError, match="'Jog' is part of Footfall"):
        bpy.ops.footfall.keep_settings(kind="motion", name="Jog")
    with pytest.raises(RuntimeError, match="needs a name"):
        bpy.ops.footfall.keep_settings(kind="motion", name="  ")
    assert [path.name for path in presets.find_preset_folders("motion")[-1].glob("*")] == [
        "One.json"
    ]
    assert bpy.ops.footfall.keep_settings(kind="motion", name="One", remove_name=True) == {
        "FINISHED"
    }
    for name, message in (
        ("One", "There is no preset 'One'"),
        ("Jog", "is part of Footfall and cannot be removed"),
    ):
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.footfall.keep_settings(kind="motion", name=name, remove_name=True)
    assert (presets.BUILTIN_FOLDER / "motion" / "Jog.json").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import os; os.remove('all')", "is not a JSON file"),
        ("[1, 2]", "not a preset of settings"),
        ('{"kind": "motion"}', "not a preset"),
        ('{"footfall_settings": 2, "kind": "motion", "values": {}}', "reads up to 1"),
        ('{"footfall_settings": 1, "kind": "all", "values": {}}', "motion or bake"),
        ('{"footfall_settings": 1, "kind": "bake", "values": {"step": [2]}}', "numbers, strings"),
    ],
)
def test_files_that_are_no_presets_are_refused(
    scene: bpy.types.Scene, tmp_path: Path, text: str, message: str
) -> None:
    before = _values(scene.footfall, "motion")
    with pytest.raises(TaskError, match=message):
        presets.load_preset(_file(tmp_path, text))
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.footfall.use_settings(filepath=str(tmp_path / "given.json"))
    assert _values(scene.footfall, "motion") == before


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        ("bl_rna", "x", "unknown setting 'bl_rna'"),
        ("path", "Cube", "unknown setting 'path'"),
        ("__class__", "x", "unknown setting"),
        ("speed", "fast", "of another type"),
        ("speed", True, "of another type"),
        ("speed", float("nan"), "must be between"),
        ("mixed_share", 1.5, "between 0 and 1"),
        ("style", "moonwalk", "there are: natural"),
        ("mine", "No Such Style", "not there any more"),
        ("knobs.lean", 40, "must be between"),
    ],
)
def test_one_wrong_value_and_nothing_is_set(
    scene: bpy.types.Scene, tmp_path: Path, entry: str, value: object, message: str
) -> None:
    scene.footfall.style = "old"
    scene.footfall.knobs.sway = 1.5
    before = _values(scene.footfall, "motion")
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.footfall.use_settings(
            filepath=str(_made(tmp_path, "motion", **{"style": "run", entry: value}))
        )
    assert _values(scene.footfall, "motion") == before


@pytest.mark.usefixtures("mine")
def test_presets_with_missing_styles(scene: bpy.types.Scene, shared: Path) -> None:
    armature = add_detected_metarig(scene)
    settings = scene.footfall
    clip = next((shared / "data").rglob("*.bvh"))
    settings.clip = str(clip)
    settings.style_from = "FILE"
    bpy.ops.footfall.keep_settings(kind="motion", name="Clip")
    settings.style = "walk"
    assert settings.style_from == "SHELF"
    bpy.ops.footfall.use_settings(filepath=str(presets.user_preset_folder("motion") / "Clip.json"))
    assert (settings.style_from, settings.clip) == ("FILE", str(clip))
    settings.style_from = "ACTION"
    with pytest.raises(RuntimeError, match="an action of this file, which a preset cannot keep"):
        bpy.ops.footfall.keep_settings(kind="motion", name="Action")
    settings.style = "old"
    select(armature)
    bpy.ops.footfall.save_style(filepath=str(styles.get_style_path("Granny")))
    settings.mine = "Granny"
    bpy.ops.footfall.keep_settings(kind="motion", name="Mine")
    bpy.ops.footfall.use_settings(filepath=str(presets.BUILTIN_FOLDER / "motion" / "Jog.json"))
    assert settings.mine == ""
    bpy.ops.footfall.use_settings(filepath=str(presets.user_preset_folder("motion") / "Mine.json"))
    assert (settings.mine, settings.style_from) == ("Granny", "SHELF")
    styles.remove_style("Granny")
    with pytest.raises(RuntimeError, match="'Granny', which is not there any more"):
        bpy.ops.footfall.use_settings(
            filepath=str(presets.user_preset_folder("motion") / "Mine.json")
        )
