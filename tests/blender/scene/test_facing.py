"""Facing away from the path, as a number and as keyframes of the scene."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from blender_scene import add_detected_metarig
from footfall.addon.scene.task import read_task


def _set_up(scene: bpy.types.Scene, kind: str = "basic_human") -> bpy.types.Object:
    scene.render.fps = 25
    scene.frame_start = 10
    scene.frame_end = 60
    return add_detected_metarig(scene, kind)


def _turned(armature: bpy.types.Object, frame: int) -> float:
    """Return the heading of the hips to the left of -y [degrees]."""
    bpy.context.scene.frame_set(frame)
    across = armature.pose.bones["thigh.L"].head - armature.pose.bones["thigh.R"].head
    return float(np.degrees(np.arctan2(across.y, across.x)))


def test_an_angle_is_kept_over_the_clip(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    scene.footfall.facing = np.radians(90)
    assert read_task(bpy.context).task.facing_offset.value_at([0.0, 9.0]) == pytest.approx([90, 90])
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert [_turned(armature, frame) for frame in (10, 35, 60)] == pytest.approx(
        [90, 90, 90], abs=15
    )


def test_keyframes_of_the_scene_are_followed_over_its_frames(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    for frame, degrees in ((20, 0.0), (50, 120.0)):
        scene.footfall.facing = np.radians(degrees)
        scene.footfall.keyframe_insert("facing", frame=frame)
    turned = read_task(bpy.context).task.facing_offset
    assert turned.value_at([0.0, 0.4, 1.6, 2.0]) == pytest.approx([0, 0, 120, 120], abs=1e-3)
    assert turned.value_at(1.0) == pytest.approx(60, abs=2)
    keys = (
        len(scene.animation_data.action.fcurves)
        if hasattr(scene.animation_data.action, "fcurves")
        else None
    )
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert _turned(armature, 58) == pytest.approx(120, abs=20)
    assert keys is None or len(scene.animation_data.action.fcurves) == keys


def test_too_fast_a_turn_is_refused_and_nothing_changed(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    for frame, degrees in ((20, 0.0), (22, 180.0)):
        scene.footfall.facing = np.radians(degrees)
        scene.footfall.keyframe_insert("facing", frame=frame)
    with pytest.raises(RuntimeError, match="Give the turn more time"):
        bpy.ops.footfall.generate()
    assert armature.animation_data is None or armature.animation_data.action is None


def test_other_bodies_have_no_facing_offset(scene: bpy.types.Scene) -> None:
    _set_up(scene, "horse")
    scene.footfall.facing = np.radians(90)
    assert not read_task(bpy.context).task.facing_offset.values.any()
