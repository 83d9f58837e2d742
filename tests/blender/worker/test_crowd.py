"""Characters with separate settings, planned in parallel."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_mesh, add_metarig, select
from footfall.addon.bake.stored_plan import read_played_plan
from footfall.addon.scene.active import find_active_settings, find_character_settings
from footfall.addon.scene.task import read_task
from footfall.core.errors import FootfallError
from footfall.core.task import load_task


def _two(scene: bpy.types.Scene) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return two characters next to each other, the second with separate settings."""
    ground = np.array([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], float)
    scene.footfall.terrain = add_mesh(ground, np.array([(0, 1, 2, 3)]))
    first = add_metarig()
    second = add_metarig()
    second.location.x = 2
    scene.footfall.path = add_curve([(0, 0, 0), (0, -6, 0)])
    scene.footfall.style = "proud"
    select(second)
    assert bpy.ops.footfall.own_settings() == {"FINISHED"}
    settings = find_active_settings(bpy.context)
    assert settings.style == "proud"
    settings.path = add_curve([(2, 0, 0), (2, -6, 0)])
    settings.speed = 0.9
    settings.knobs.lean = 5.0
    settings.style = "old"
    return first, second


def test_settings_are_copied_shown_and_kept_apart(scene: bpy.types.Scene) -> None:
    scene.footfall.speed = 1.6
    scene.footfall.knobs.crouch = 0.05
    push = scene.footfall.pushes.add()
    push.frame = 20
    push.strength = 300
    first, second = _two(scene)
    settings = find_character_settings(scene, second)
    assert settings is not None
    assert (settings.natural_speed, settings.pushes[0].frame, settings.pushes[0].strength) == (
        False,
        20,
        300,
    )
    assert settings.knobs.crouch == pytest.approx(0.05)
    select(first)
    assert find_active_settings(bpy.context) == scene.footfall
    assert (scene.footfall.style, scene.footfall.knobs.lean) == ("proud", 0)
    one = read_task(bpy.context)
    select(second)
    other = read_task(bpy.context)
    assert (one.task.name, other.task.name) == ("proud", "old")
    assert other.task.path.points[0] == pytest.approx((2, 0))
    assert other.task.speed.max_speed == pytest.approx(0.9)
    assert type(one.task.ground) is type(other.task.ground)
    assert bpy.ops.footfall.share_settings() == {"FINISHED"}
    assert find_active_settings(bpy.context) == scene.footfall


def test_facing_is_keyframed_for_each(scene: bpy.types.Scene) -> None:
    _, second = _two(scene)
    settings = find_character_settings(scene, second)
    assert settings is not None
    for frame, facing in ((1, 0.0), (60, np.pi / 2)):
        settings.facing = facing
        settings.keyframe_insert("facing", frame=frame)
    assert read_task(bpy.context).task.facing_offset.values.max() == pytest.approx(90, abs=1)
    select(next(o for o in scene.objects if o.type == "ARMATURE" and o != second))
    assert not read_task(bpy.context).task.facing_offset.values.any()


def test_all_are_planned_side_by_side_and_baked(scene: bpy.types.Scene) -> None:
    first, second = _two(scene)
    select(first)
    bpy.context.view_layer.update()
    evaluated: list[str] = []

    def note_evaluation(scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> None:
        if bpy.data.actions:  # after the first bake
            evaluated.append(scene.name)

    bpy.app.handlers.depsgraph_update_post.append(note_evaluation)
    try:
        assert bpy.ops.footfall.generate_all() == {"FINISHED"}
    finally:
        bpy.app.handlers.depsgraph_update_post.remove(note_evaluation)
    assert evaluated.count(scene.name) == 1  # and not once for each character
    for armature, x in ((first, 0.0), (second, 2.0)):
        planned = read_played_plan(armature)
        assert planned is not None
        assert planned.motion.com[-1, 0] == pytest.approx(x, abs=0.3)
        scene.frame_set(73)
        assert (armature.matrix_world @ armature.pose.bones["spine"].head).x == pytest.approx(
            x, abs=0.3
        )


def test_one_that_cannot_is_named_and_nothing_is_changed(scene: bpy.types.Scene) -> None:
    _, second = _two(scene)
    settings = find_character_settings(scene, second)
    assert settings is not None
    settings.path = None
    before = Snapshot.from_armature(second)
    with pytest.raises(RuntimeError, match=f"{second.name}: "):
        bpy.ops.footfall.generate_all()
    assert Snapshot.from_armature(second) == before


def test_settings_of_a_deleted_character_are_forgotten(scene: bpy.types.Scene) -> None:
    first, second = _two(scene)
    bpy.data.objects.remove(second)
    select(first)
    scene.footfall.path = None
    with pytest.raises(RuntimeError, match="in this scene"):
        bpy.ops.footfall.generate_all()
    assert bpy.ops.footfall.own_settings() == {"FINISHED"}
    assert [settings.armature for settings in scene.footfall_own] == [first]


def test_a_failed_task_is_saved_with_what_was_said(
    scene: bpy.types.Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from footfall.addon.worker.job import Job

    first, _ = _two(scene)
    select(first)
    assert not bpy.ops.footfall.save_failed.poll()

    def die(self: Job) -> None:
        self._worker.end()
        raise FootfallError("The planning process ended before its work was done.")

    monkeypatch.setattr(Job, "poll", die)
    with pytest.raises(RuntimeError, match="ended before"):
        bpy.ops.footfall.generate()
    assert bpy.context.window_manager.footfall.failed
    path = tmp_path / "sent.toml"
    assert bpy.ops.footfall.save_failed(filepath=str(path)) == {"FINISHED"}
    assert path.read_text(encoding="utf-8").startswith("# The planning process ended")
    assert load_task(path).name == "proud"
    with pytest.raises(RuntimeError, match="already"):
        bpy.ops.footfall.save_failed(filepath=str(path))
