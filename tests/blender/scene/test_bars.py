"""Rungs in the scene: a ladder overhead along which the body swings, and refused ones."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_box, add_collection, add_metarig, select
from footfall.addon.scene.task import read_task
from footfall.core.motion import load_motion


def _ladder(count: int = 7, height: float = 2.45) -> bpy.types.Collection:
    """Add rungs along -Y, the farthest one first."""
    ladder = add_collection("Ladder")
    for k in reversed(range(count)):
        add_box(ladder, (0.8, 0.04, 0.04), (0.0, -0.36 * k, height), 0.0, f"Rung {k + 1}")
    return ladder


def _set_up(scene: bpy.types.Scene) -> bpy.types.Object:
    armature = add_metarig()
    scene.footfall.bars = _ladder()
    scene.frame_start = 1
    scene.frame_end = 120
    select(armature)
    bpy.ops.footfall.detect_character()
    return armature


def test_rungs_are_taken_from_the_end_where_the_character_is(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    task = read_task(bpy.context).task
    assert task.monkey_bars is not None
    np.testing.assert_allclose(task.monkey_bars.rungs[:, 1], -0.36 * np.arange(7), atol=1e-5)
    assert task.start == "standing"
    armature.location = (0, -3, 0)
    bpy.context.view_layer.update()
    far = read_task(bpy.context).task
    assert far.monkey_bars is not None
    np.testing.assert_allclose(far.monkey_bars.rungs, task.monkey_bars.rungs[::-1], atol=1e-5)


def test_hands_hold_rungs(scene: bpy.types.Scene, tmp_path: Path) -> None:
    armature = _set_up(scene)
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    grips = motion.grips
    held = motion.contact_position[motion.contact_active & grips]
    rungs = np.array([[0.0, -0.36 * k, 2.47] for k in range(7)])  # boxes stand on their places
    away = np.linalg.norm((held[:, None] - rungs) * [0, 1, 1], axis=-1).min(1)
    assert away.max() < 0.01
    assert motion.com[-1, 1] < motion.com[0, 1] - 0.7
    assert armature.animation_data.action is not None


def test_a_single_rung_is_refused_and_nothing_changed(scene: bpy.types.Scene) -> None:
    armature = _set_up(scene)
    ladder = scene.footfall.bars
    for rung in list(ladder.objects)[1:]:
        ladder.objects.unlink(rung)
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match="single rung"):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


def test_treads_reach_the_task(scene: bpy.types.Scene) -> None:
    _set_up(scene)
    scene.footfall.tread = "forefoot"
    assert read_task(bpy.context).task.tread == "forefoot"
