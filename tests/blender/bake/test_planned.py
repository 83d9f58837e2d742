"""Plans that are kept with their actions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_mesh, add_metarig, select
from footfall.addon.bake import stored_plan
from footfall.addon.bake.stored_plan import (
    SIZE_KEY,
    get_plan_stamp,
    has_plan,
    read_action_plan,
    read_played_plan,
)
from footfall.core.errors import FootfallError
from footfall.core.motion import load_motion


def _walked(scene: bpy.types.Scene, folder: Path) -> bpy.types.Object:
    ground = np.array([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], float)
    armature = add_metarig()
    scene.footfall.path, scene.footfall.terrain = (
        add_curve([(0, 0, 0), (0, -6, 0)]),
        add_mesh(ground, np.array([(0, 1, 2, 3)])),
    )
    select(armature)
    assert not has_plan(armature)
    assert read_played_plan(armature) is None
    assert bpy.ops.footfall.generate(keep=str(folder)) == {"FINISHED"}
    return armature


def test_an_action_carries_its_plan_through_saving_and_loading(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    armature = _walked(scene, tmp_path)
    made = load_motion(tmp_path / "motion.npz")
    name = armature.name
    matrix = np.array(armature.matrix_world)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    stored_plan._plan_cache.clear()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    kept = read_played_plan(bpy.data.objects[name])
    assert kept is not None
    np.testing.assert_array_equal(kept.motion.link_position, made.link_position)
    assert [f.time for f in kept.motion.footsteps] == [f.time for f in made.footsteps]
    assert kept.motion.report == made.report
    assert (kept.first_frame, kept.task.fps, kept.task.seconds) == (1, 24, 3)
    np.testing.assert_allclose(kept.placement, matrix, atol=1e-6)
    assert kept.task.ground.sample_heights(np.zeros((1, 2))) == pytest.approx(0)
    assert kept.time_at(kept.frame_at(1.25)) == pytest.approx(1.25)


def test_a_copy_carries_it_too_and_a_broken_one_says_so(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    armature = _walked(scene, tmp_path)
    action = armature.animation_data.action
    copy = action.copy()
    assert get_plan_stamp(copy) == get_plan_stamp(action) != ""
    assert read_action_plan(copy) is read_action_plan(action)
    copy[SIZE_KEY] = 100
    stored_plan._plan_cache.clear()
    with pytest.raises(FootfallError, match="generate the motion again"):
        read_action_plan(copy)


def test_a_plan_takes_the_place_of_one_of_another_size(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    armature = _walked(scene, tmp_path)
    action = armature.animation_data.action
    kept = read_action_plan(action)
    assert kept is not None
    longer = replace(kept, task=replace(kept.task, name=" ".join(str(k) for k in range(3000))))
    for given in (longer, kept, longer):
        stored_plan.store_plan(action, given)
        stored_plan._plan_cache.clear()
        read = read_action_plan(action)
        assert read is not None
        assert read.task.name == given.task.name
