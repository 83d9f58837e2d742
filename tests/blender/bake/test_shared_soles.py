"""Rigs whose soles are weighted to shin or hips as well stand on the ground without sliding."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, load_rig, sample_skin_points, select

STATURE = 1.75  # stature to which lengths are scaled [m]
NEAR = 0.01  # height of skin that stands on the ground at this stature [m]


@pytest.mark.parametrize("name", ["castle_skinned_anim.blend", "raylib_greenman.glb"])
def test_shared_soles_stand(scene: bpy.types.Scene, shared: Path, name: str) -> None:
    armature = load_rig(shared / "data" / "rigs" / name)
    at_rest = sample_skin_points(armature)
    scale = float(np.ptp(at_rest[:, 2])) / STATURE
    scene.footfall.path = add_curve([(0, 0, 0), (0, -20 * scale, 0)])
    scene.render.fps = 30
    scene.frame_end = 61
    select(armature)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    frames = []
    for frame in range(1, 62):
        scene.frame_set(frame)
        frames.append(sample_skin_points(armature) / scale)
    skin = np.stack(frames)
    assert skin[..., 2].min() > -0.004
    is_standing = (skin[1:, :, 2] < NEAR) & (skin[:-1, :, 2] < NEAR)
    slides = np.linalg.norm(np.diff(skin[..., :2], axis=0), axis=-1)[is_standing]
    assert len(slides) > 60
    assert np.quantile(slides, 0.95) < 0.005
