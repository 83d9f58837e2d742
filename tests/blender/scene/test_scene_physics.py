"""Effects of the scene on the body: pushes, gravity and gaps in the ground."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_mesh, add_metarig, select
from footfall.core.motion import Motion, load_motion


def _generated(scene: bpy.types.Scene, folder: Path) -> Motion:
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (12, 0, 0)])
    select(armature)
    assert bpy.ops.footfall.generate(keep=str(folder)) == {"FINISHED"}
    return load_motion(folder / "motion.npz")


def test_pushes_are_added_at_the_current_frame_and_felt(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    scene.frame_end = 96
    scene.frame_set(30)
    assert bpy.ops.footfall.add_push() == {"FINISHED"}
    push = scene.footfall.pushes[0]
    assert push.frame == 30
    push.strength, push.direction = 300.0, np.pi / 2
    scene.frame_set(60)
    bpy.ops.footfall.add_push()
    assert scene.footfall.pushes[1].strength == pytest.approx(300)
    assert bpy.ops.footfall.remove_push(index=1) == {"FINISHED"}
    motion = _generated(scene, tmp_path)
    frames = np.flatnonzero(np.linalg.norm(motion.push_force, axis=1) > 1)
    assert 28 <= frames.min() <= 31
    assert motion.push_force[:, 1].max() == pytest.approx(300, rel=0.05)
    assert motion.com[45, 1] - motion.com[28, 1] > 0.1


def test_arrow_gives_the_direction_of_a_push_at_its_time(scene: bpy.types.Scene) -> None:
    from footfall.addon.scene.task import read_task

    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (12, 0, 0)])
    arrow = bpy.data.objects.new("Wind", None)
    scene.collection.objects.link(arrow)
    select(armature)
    scene.frame_set(30)
    bpy.ops.footfall.add_push()
    push = scene.footfall.pushes[0]
    push.strength = 200.0
    push.arrow = arrow
    arrow.rotation_euler = (np.pi / 2, 0, 0)
    assert read_task(bpy.context).task.pushes[0].force == pytest.approx((0, -200, 0), abs=1e-3)
    for frame, angle in ((1, 0.0), (30, np.pi / 4), (60, 0.0)):
        arrow.rotation_euler = (0, angle, 0)
        arrow.keyframe_insert("rotation_euler", frame=frame)
    scene.frame_set(5)
    half = 200 * np.sqrt(0.5)
    assert read_task(bpy.context).task.pushes[0].force == pytest.approx((half, 0, half), abs=1e-3)
    assert scene.frame_current == 5


def test_a_moment_turns_about_the_upright_or_the_arrow(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    from footfall.addon.scene.task import read_task

    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (12, 0, 0)])
    select(armature)
    scene.frame_set(30)
    bpy.ops.footfall.add_push()
    push = scene.footfall.pushes[0]
    assert push.moment == 0
    push.strength = 0.0
    push.moment = -25.0
    task_push = read_task(bpy.context).task.pushes[0]
    assert task_push.force == pytest.approx((0, 0, 0))
    assert task_push.moment == pytest.approx((0, 0, -25))
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    frames = np.flatnonzero(np.abs(motion.push_moment).max(1) > 0.1)
    assert 28 <= frames.min() <= 31
    assert np.linalg.norm(motion.push_point[frames] - motion.com[frames], axis=1).max() < 0.01
    arrow = bpy.data.objects.new("Twist", None)
    scene.collection.objects.link(arrow)
    push.arrow, arrow.rotation_euler = arrow, (0, np.pi / 2, 0)
    assert read_task(bpy.context).task.pushes[0].moment == pytest.approx((-25, 0, 0), abs=1e-4)
    bpy.ops.footfall.add_push()
    assert (scene.footfall.pushes[1].moment, scene.footfall.pushes[1].arrow) == (-25, arrow)


def test_push_moves_a_heavy_body_less(scene: bpy.types.Scene, tmp_path: Path) -> None:
    scene.frame_set(30)
    bpy.ops.footfall.add_push()
    scene.footfall.pushes[0].strength, scene.footfall.pushes[0].direction = 250.0, np.pi / 2
    light = _generated(scene, tmp_path / "light")
    armature = bpy.context.object
    armature.footfall.mass = 3 * float(light.link_mass.sum())
    scene.footfall.friction = 0.8
    assert bpy.ops.footfall.generate(keep=str(tmp_path / "heavy")) == {"FINISHED"}
    heavy = load_motion(tmp_path / "heavy" / "motion.npz")
    assert heavy.link_mass.sum() == pytest.approx(3 * light.link_mass.sum(), rel=1e-6)
    aside = [m.com[45, 1] - m.com[28, 1] for m in (light, heavy)]
    assert aside[1] < 0.6 * aside[0]
    force = heavy.contact_force.sum(1)
    assert (np.hypot(force[:, 0], force[:, 1]) <= 0.81 * force[:, 2] + 1).mean() > 0.99


def test_the_gravity_of_the_scene(scene: bpy.types.Scene, tmp_path: Path) -> None:
    scene.gravity = (0, 0, -1.62)
    motion = _generated(scene, tmp_path)
    assert motion.gravity[2] == pytest.approx(-1.62)


def test_body_steps_over_a_trench(scene: bpy.types.Scene, tmp_path: Path) -> None:
    def slab(x0: float, x1: float) -> list[tuple[float, ...]]:
        return [(x0, -2, 0), (x1, -2, 0), (x1, 2, 0), (x0, 2, 0)]

    vertices = np.array(slab(-5, 2.0) + slab(2.45, 30))
    scene.footfall.terrain = add_mesh(
        vertices, np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])
    )
    scene.frame_end = 96
    motion = _generated(scene, tmp_path)
    rests = motion.contact_active
    x = motion.contact_position[..., 0][rests]
    assert x.max() > 3
    assert not ((x > 2.0) & (x < 2.45)).any()
