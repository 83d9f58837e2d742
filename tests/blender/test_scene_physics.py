"""What the scene does to the body: pushes, gravity, holes in the ground."""
from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from footfall.core.motion import Motion, load_motion

from .conftest import add_curve, add_mesh, add_metarig, select


def _generated(scene: bpy.types.Scene, folder: Path) -> Motion:
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (12, 0, 0)])
    select(armature)
    assert bpy.ops.footfall.generate(keep=str(folder)) == {"FINISHED"}
    return load_motion(folder / "motion.npz")


def test_pushes_are_added_at_the_current_frame_and_felt(scene: bpy.types.Scene, tmp_path: Path) -> None:
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


def test_the_gravity_of_the_scene(scene: bpy.types.Scene, tmp_path: Path) -> None:
    scene.gravity = (0, 0, -1.62)
    motion = _generated(scene, tmp_path)
    assert motion.gravity[2] == pytest.approx(-1.62)


def test_a_trench_is_stepped_over(scene: bpy.types.Scene, tmp_path: Path) -> None:
    def slab(x0: float, x1: float) -> list[tuple[float, float, float]]:
        return [(x0, -2, 0), (x1, -2, 0), (x1, 2, 0), (x0, 2, 0)]

    vertices = np.array(slab(-5, 2.0) + slab(2.45, 30))
    scene.footfall.terrain = add_mesh(vertices, np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]))
    scene.frame_end = 96
    motion = _generated(scene, tmp_path)
    rests = motion.contact_active
    x = motion.contact_position[..., 0][rests]
    assert x.max() > 3
    assert not ((x > 2.0) & (x < 2.45)).any()
