"""Gaits of bodies that are not human: chosen, kept in the motion, and refused if unsuitable."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_detected_metarig
from footfall.addon.scene.task import read_task
from footfall.core.motion import load_motion


def _set_up(scene: bpy.types.Scene, kind: str = "wolf") -> bpy.types.Object:
    scene.frame_start = 1
    scene.frame_end = 90
    return add_detected_metarig(scene, kind, length=12.0)


def test_natural_speed_determines_the_gait(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    task = read_task(bpy.context).task
    assert armature.footfall.gait_speed > 0
    assert task.speed.max_speed == pytest.approx(armature.footfall.gait_speed, rel=1e-3)
    assert task.gait is None
    scene.gravity = (0, 0, -9.81 / 4)
    assert read_task(bpy.context).task.speed.max_speed == pytest.approx(
        0.5 * armature.footfall.gait_speed, rel=1e-2
    )


def test_a_gait_that_is_chosen_is_kept(scene: bpy.types.Scene, tmp_path: Path) -> None:
    _set_up(scene)
    scene.footfall.gait = "pace"
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    strikes = [
        np.array([f.strike for f in motion.footsteps if f.leg == leg and 0.5 < f.strike < 2.5])
        for leg in range(4)
    ]
    period = float(np.diff(strikes[0]).mean())
    for hind, fore in ((0, 2), (1, 3)):
        assert np.abs(strikes[fore][:, None] - strikes[hind]).min(1).max() < 0.1 * period


def test_people_have_no_gait(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene, "basic_human")
    scene.footfall.gait = "trot"
    assert armature.footfall.gait_speed == 0
    assert read_task(bpy.context).task.gait is None


def test_unsuitable_gait_is_refused_with_the_suitable_ones(
    scene: bpy.types.Scene,
) -> None:
    armature = _set_up(scene)
    scene.footfall.gait = "tripod"
    with pytest.raises(RuntimeError, match="must be one of: walk, trot"):
        bpy.ops.footfall.generate()
    assert armature.animation_data is None or armature.animation_data.action is None


def test_settings_for_people_are_left_out_with_a_remark(scene: bpy.types.Scene) -> None:
    _set_up(scene)
    settings = scene.footfall
    assert read_task(bpy.context).notes == ()
    settings.facing = 0.5
    settings.natural_stride = False
    settings.tread = "forefoot"
    bird = bpy.data.objects.new("Bird", None)
    settings.look_at = bird
    (note,) = read_task(bpy.context).notes
    assert "Look At" not in note  # A bird that is not in the scene counts as unset.
    scene.collection.objects.link(bird)
    request = read_task(bpy.context)
    assert request.notes == (
        "left out, since they are for bodies built like people: Facing, Look At, Stride, Treads",
    )
    task = request.task
    assert (task.stride_length, task.gaze, task.tread) == (None, None, "whole")
    assert not task.facing_offset.values.any()


def test_animal_avoids_forbidden_ground(scene: bpy.types.Scene) -> None:
    _set_up(scene)
    mesh = bpy.data.meshes.new("Puddle")
    mesh.from_pydata([(-1, -3, 0), (1, -3, 0), (1, -2, 0), (-1, -2, 0)], [], [(0, 1, 2, 3)])
    puddle = bpy.data.objects.new("Puddle", mesh)
    collection = bpy.data.collections.new("Forbidden")
    scene.collection.children.link(collection)
    collection.objects.link(puddle)
    scene.footfall_steps.forbidden = collection
    (area,) = read_task(bpy.context).task.forbidden_areas
    assert len(area.points) == 4
