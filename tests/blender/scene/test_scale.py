"""Sizes that are mistakes of the scale, deleted objects, and ground that legs cannot follow."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from blender_scene import (
    add_box,
    add_collection,
    add_curve,
    add_detected_metarig,
    add_mesh,
    select,
)
from drawn import draw_panels
from footfall.addon.bake.character_report import read_report
from footfall.addon.scene.scale import find_scale_problem
from footfall.addon.scene.task import read_task
from footfall.core.terrain import FlatGround
from footfall.panels.main import FOOTFALL_PT_character, FOOTFALL_PT_path

LEG_LENGTH = 1.08  # of the metarig [m]


@pytest.fixture(autouse=True)
def wide_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give panels a width without a window."""
    for module in ("main", "mapping"):
        monkeypatch.setattr(f"footfall.panels.{module}.compute_text_width", lambda _: 9999.0)


def _detect_at_scale(scene: bpy.types.Scene, scale: float) -> bpy.types.Object:
    armature = add_detected_metarig(scene)
    armature.scale = (scale,) * 3
    bpy.context.view_layer.update()
    bpy.ops.footfall.detect_character()
    return armature


@pytest.mark.parametrize(("scale", "factor"), [(45.0, 0.01), (0.02, 100.0)])
def test_wrong_size_is_a_warning_with_a_button(
    scene: bpy.types.Scene, scale: float, factor: float
) -> None:
    armature = _detect_at_scale(scene, scale)
    text = draw_panels([FOOTFALL_PT_character])
    assert "m long. Apply the scale" in text
    assert "footfall.apply_scale" in text
    assert any("m long" in note for note in read_task(bpy.context).notes)
    assert bpy.ops.footfall.apply_scale() == {"FINISHED"}
    assert tuple(armature.scale) == (1, 1, 1)
    assert armature.footfall.leg_length == pytest.approx(LEG_LENGTH * scale * factor, rel=0.01)
    assert "m long" not in draw_panels([FOOTFALL_PT_character])
    assert not bpy.ops.footfall.apply_scale.poll()


def test_animated_character_keeps_its_bones(scene: bpy.types.Scene) -> None:
    armature = _detect_at_scale(scene, 0.02)
    armature.keyframe_insert("location", frame=1)
    length = armature.data.bones[0].length
    assert bpy.ops.footfall.apply_scale() == {"FINISHED"}
    assert armature.data.bones[0].length == length
    assert tuple(armature.scale) == pytest.approx((2, 2, 2))
    assert armature.footfall.leg_length == pytest.approx(2 * LEG_LENGTH, rel=0.01)


def test_wrong_unit_is_corrected(scene: bpy.types.Scene) -> None:
    scene.unit_settings.scale_length = 0.01
    armature = add_detected_metarig(scene)
    assert "a unit of the scene is 0.01 m" in draw_panels([FOOTFALL_PT_character])
    assert bpy.ops.footfall.apply_scale() == {"FINISHED"}
    assert scene.unit_settings.scale_length == 1
    assert tuple(armature.scale) == (1, 1, 1)
    assert armature.footfall.leg_length == pytest.approx(LEG_LENGTH, rel=0.01)


def test_centimeters_are_no_mistake(scene: bpy.types.Scene) -> None:
    scene.unit_settings.scale_length = 0.01
    armature = _detect_at_scale(scene, 100.0)
    assert find_scale_problem(armature.footfall.leg_length, scene) is None


def test_ground_much_smaller_than_the_character_is_a_warning(scene: bpy.types.Scene) -> None:
    add_detected_metarig(scene)
    square = 0.1 * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    ground = add_mesh(square, np.array([(0, 1, 2, 3)]))
    scene.footfall.terrain = ground
    assert "The ground is only 0.2 m across" in draw_panels([FOOTFALL_PT_character])
    ground.scale = (100, 100, 100)
    bpy.context.view_layer.update()
    assert "across" not in draw_panels([FOOTFALL_PT_character])


def test_character_that_is_too_large_for_its_ground_can_be_scaled(scene: bpy.types.Scene) -> None:
    armature = _detect_at_scale(scene, 10.0)
    square = 5.0 * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    scene.footfall.terrain = add_mesh(square, np.array([(0, 1, 2, 3)]))
    assert "The ground is only 10 m across" in draw_panels([FOOTFALL_PT_character])
    assert bpy.ops.footfall.apply_scale() == {"FINISHED"}
    assert armature.footfall.leg_length == pytest.approx(LEG_LENGTH, rel=0.01)
    assert "across" not in draw_panels([FOOTFALL_PT_character])


def test_deleted_objects_count_as_unset(scene: bpy.types.Scene) -> None:
    add_detected_metarig(scene)
    settings = scene.footfall
    ground = add_mesh(9.0 * np.array([(-1, -1, 0), (1, -1, 0), (0, 1, 0)]), np.array([(0, 1, 2)]))
    target = bpy.data.objects.new("Target", None)
    scene.collection.objects.link(target)
    hurdles, stones = add_collection("Hurdles"), add_collection("Stones")
    add_box(hurdles, (2, 0.1, 0.3), (0, -3, 0))
    add_box(stones, (0.5, 0.5, 0.1), (0, -3, 0))
    settings.terrain, settings.look_at = ground, target
    settings.hurdles = hurdles
    task = read_task(bpy.context).task
    assert task.hurdles
    assert task.gaze is not None
    assert not isinstance(task.ground, FlatGround)
    settings.stones = stones
    for obj in (ground, target):
        scene.collection.objects.unlink(obj)  # as deleted objects that a setting refers to
    for collection in (hurdles, stones):
        scene.collection.children.unlink(collection)
    task = read_task(bpy.context).task
    assert not task.hurdles
    assert task.stepping_stones is None
    assert task.gaze is None
    assert isinstance(task.ground, FlatGround)
    scene.collection.objects.unlink(settings.path)
    with pytest.raises(RuntimeError, match="No path is chosen"):
        bpy.ops.footfall.generate()
    assert "Pick a curve to follow" in draw_panels([FOOTFALL_PT_path])


@pytest.mark.parametrize(
    ("far_height", "edge", "message"),
    [
        (-5.0, 0.001, r"drops by 5.00 m in one step at \(0.00, -(2.9|3.0)\d\) m"),
        (5.0, 0.001, r"rises by 5.00 m in one step at \(0.00, -(2.9|3.0)\d\) m"),
        (7.0, 5.87, r"rises by .* \(50 degrees\) at \(0.00, -3"),
        (-7.0, 5.87, r"drops by .* \(50 degrees\) at \(0.00, -3"),
    ],
    ids=["cliff down", "cliff up", "slope up", "slope down"],
)
def test_impassable_ground_is_named_with_its_place(
    scene: bpy.types.Scene, far_height: float, edge: float, message: str
) -> None:
    armature = add_detected_metarig(scene)
    scene.frame_end = 121
    rows = [(2.0, 0.0), (-3.0, 0.0), (-3.0 - edge, far_height), (-12.0, far_height)]
    vertices = np.array([(x, y, z) for y, z in rows for x in (-3.0, 3.0)])
    faces = np.array([(2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1) for k in range(len(rows) - 1)])
    scene.footfall.terrain = add_mesh(vertices, faces)
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.footfall.generate()
    report = read_report(armature)
    assert report is not None
    assert 40 < (report.lines[0].frame or 0) < 80
    # what the clip does not reach is no problem
    scene.frame_end = 30
    assert bpy.ops.footfall.generate() == {"FINISHED"}


def test_path_of_another_scene_counts_as_unset(scene: bpy.types.Scene) -> None:
    armature = add_detected_metarig(scene)
    other = bpy.data.scenes.new("Set")
    scene.collection.objects.unlink(scene.footfall.path)
    other.collection.objects.link(scene.footfall.path)
    select(armature)
    with pytest.raises(RuntimeError, match="No path is chosen"):
        bpy.ops.footfall.generate()
    scene.background_set = other
    assert read_task(bpy.context).task.path.length == pytest.approx(9.0)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -4, 0)])
    assert read_task(bpy.context).task.path.length == pytest.approx(4.0)
