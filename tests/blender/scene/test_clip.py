"""Clips as styles in the scene: loaded, described, refused, removed, and used for walks."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from blender_scene import add_curve, add_metarig, select
from footfall.addon.scene.style import read_style
from footfall.addon.scene.task import read_task
from footfall.core.clip import ClipCorrections


def _set_up(scene: bpy.types.Scene) -> bpy.types.Object:
    armature = add_metarig("basic_human")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -9, 0)])
    scene.render.fps = 25
    scene.frame_start = 1
    scene.frame_end = 51
    select(armature)
    bpy.ops.footfall.detect_character()
    return armature


def test_clip_is_loaded_described_used_and_removed(scene: bpy.types.Scene, shared: Path) -> None:
    armature = _set_up(scene)
    clip = str(shared / "data" / "bvh" / "cmu_02_01_walk.bvh")
    assert not bpy.ops.footfall.drop_clip.poll()
    assert bpy.ops.footfall.use_clip(filepath=clip) == {"FINISHED"}
    assert "A walk at 1.3" in scene.footfall.clip_told
    task = read_task(bpy.context).task
    assert (task.style, task.name) == (clip, "cmu_02_01_walk")
    assert task.speed.max_speed == pytest.approx(1.3, rel=0.2)  # speed of the clip, for these legs
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert armature.animation_data.action is not None
    assert bpy.ops.footfall.drop_clip() == {"FINISHED"}
    assert read_task(bpy.context).task.style == "natural"


def test_corrections_of_a_clip_are_read_at_once(scene: bpy.types.Scene, root: Path) -> None:
    _set_up(scene)
    settings = scene.footfall
    clip = str(root / "tests" / "data" / "small" / "walk.bvh")
    assert bpy.ops.footfall.use_clip(filepath=clip) == {"FINISHED"}
    assert read_task(bpy.context).task.style == clip
    settings.clip_begin = 1.2
    settings.clip_end = 3.6
    assert "taken from 1." in settings.clip_told or "taken from 2." in settings.clip_told
    settings.clip_gait = "run"
    assert settings.clip_told.startswith("A run")
    settings.clip_up = "x"
    assert "no body with two legs" in settings.clip_told
    settings.clip_up = "y"
    settings.clip_foot = "foot.L"
    assert settings.clip_corrections.feet is None
    settings.clip_other_foot = "hand.L"
    assert "cannot both be feet" in settings.clip_told or "no whole stride" in settings.clip_told
    settings.clip_other_foot = "foot.R"
    choice = read_style(settings)
    assert choice.label == "walk"
    assert not choice.resolved.cycle_at(choice.resolved.preferred_speed).is_walk
    assert bpy.ops.footfall.drop_clip() == {"FINISHED"}
    assert settings.clip_corrections == ClipCorrections()


@pytest.mark.parametrize(
    ("text", "message"),
    [("HIERARCHY\nROOT a\n{", "."), ("", "."), ("MOTION\nFrames: 10000000\n", ".")],
)
def test_a_broken_clip_is_refused_and_nothing_changed(
    scene: bpy.types.Scene, tmp_path: Path, text: str, message: str
) -> None:
    _set_up(scene)
    clip = tmp_path / "клип.bvh"
    clip.write_text(text, encoding="utf-8")
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.footfall.use_clip(filepath=str(clip))
    assert not scene.footfall.clip
    assert read_task(bpy.context).task.style == "natural"


def test_missing_clip_is_reported_on_generate(scene: bpy.types.Scene, shared: Path) -> None:
    armature = _set_up(scene)
    scene.footfall.clip = str(shared / "data" / "bvh" / "no such.bvh")
    with pytest.raises(RuntimeError, match="cannot be opened"):
        bpy.ops.footfall.generate()
    assert armature.animation_data is None or armature.animation_data.action is None
    assert "cannot be opened" in scene.footfall.clip_told


def test_the_file_handler_takes_clips(scene: bpy.types.Scene) -> None:
    handler = bpy.types.FOOTFALL_FH_clip
    assert handler.bl_import_operator == "footfall.use_clip"
    assert handler.bl_file_extensions == ".bvh;.toml"
