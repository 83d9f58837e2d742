"""Clips as styles in the scene: taken, told, refused, dropped, and walked as."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from blender_scene import add_curve, add_metarig, select
from footfall.addon.scene.task import read_task


def _asked(scene: bpy.types.Scene) -> bpy.types.Object:
    armature = add_metarig("basic_human")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -9, 0)])
    scene.render.fps = 25
    scene.frame_start = 1
    scene.frame_end = 51
    select(armature)
    bpy.ops.footfall.detect_character()
    return armature


def test_a_clip_is_taken_told_walked_as_and_dropped(scene: bpy.types.Scene, shared: Path) -> None:
    armature = _asked(scene)
    clip = str(shared / "data" / "bvh" / "cmu_02_01_walk.bvh")
    assert not bpy.ops.footfall.drop_clip.poll()
    assert bpy.ops.footfall.use_clip(filepath=clip) == {"FINISHED"}
    assert "A walk at 1.3" in scene.footfall.clip_told
    task = read_task(bpy.context).task
    assert (task.style, task.name) == (clip, "cmu_02_01_walk")
    assert task.speed.max_speed == pytest.approx(1.3, rel=0.2)  # the clip's own, on these legs
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert armature.animation_data.action is not None
    assert bpy.ops.footfall.drop_clip() == {"FINISHED"}
    assert read_task(bpy.context).task.style == "natural"


@pytest.mark.parametrize(
    ("text", "message"),
    [("HIERARCHY\nROOT a\n{", "."), ("", "."), ("MOTION\nFrames: 10000000\n", ".")],
)
def test_a_broken_clip_is_refused_and_nothing_changed(
    scene: bpy.types.Scene, tmp_path: Path, text: str, message: str
) -> None:
    _asked(scene)
    clip = tmp_path / "клип.bvh"
    clip.write_text(text, encoding="utf-8")
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.footfall.use_clip(filepath=str(clip))
    assert not scene.footfall.clip
    assert read_task(bpy.context).task.style == "natural"


def test_a_clip_that_has_gone_is_told_when_it_is_needed(
    scene: bpy.types.Scene, shared: Path
) -> None:
    armature = _asked(scene)
    scene.footfall.clip = str(shared / "data" / "bvh" / "no such.bvh")
    with pytest.raises(RuntimeError, match="cannot be opened"):
        bpy.ops.footfall.generate()
    assert armature.animation_data is None or armature.animation_data.action is None
    assert "cannot be opened" in scene.footfall.clip_told


def test_the_file_handler_takes_clips(scene: bpy.types.Scene) -> None:
    handler = bpy.types.FOOTFALL_FH_clip
    assert handler.bl_import_operator == "footfall.use_clip"
    assert handler.bl_file_extensions == ".bvh;.toml"
