"""Rigs whose soles are weighted to shin or hips as well stand on the ground without sliding."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, load_rig, sample_skin_points, select
from footfall.addon.rigs.armature import read_skeleton
from footfall.core.character.from_rig.rig import rig_from_skeleton

STATURE = 1.75  # stature to which lengths are scaled [m]
NEAR = 0.01  # height of skin that stands on the ground at this stature [m]


@pytest.mark.parametrize("name", ["castle_skinned_anim.blend", "raylib_greenman.glb"])
def test_shared_soles_stand(scene: bpy.types.Scene, shared: Path, name: str) -> None:
    skin = _sample_walk(scene, load_rig(shared / "data" / "rigs" / name))
    assert skin[..., 2].min() > -0.004
    assert _measure_slide(skin) < 0.005


def test_feet_that_turn_with_shins_in_part_stand(scene: bpy.types.Scene, shared: Path) -> None:
    armature = load_rig(shared / "data" / "rigs" / "quaternius_dino_Velociraptor.glb")
    _weight_feet_to_shins(armature, share=0.5)
    skin = _sample_walk(scene, armature)
    assert skin[..., 2].min() > -0.004
    assert _measure_slide(skin) < 0.005


def _weight_feet_to_shins(armature: bpy.types.Object, share: float) -> None:
    """Move a share of the weights of feet to the shins."""
    skeleton = read_skeleton(armature, bpy.context.scene)
    shin_of = {
        skeleton.names[bone]: skeleton.names[leg.segments[-1]]
        for leg in rig_from_skeleton(skeleton).anatomy.legs
        if leg.foot is not None
        for bone in skeleton.subtree(leg.foot)
    }
    for obj in (child for child in bpy.data.objects if child.type == "MESH"):
        for foot, shin in shin_of.items():
            if foot in obj.vertex_groups:
                _share_group(obj, obj.vertex_groups[foot], obj.vertex_groups[shin], share)


def _share_group(
    mesh: bpy.types.Object,
    source: bpy.types.VertexGroup,
    target: bpy.types.VertexGroup,
    share: float,
) -> None:
    """Move a share of the weights of one group of a mesh to another one."""
    weights = {
        vertex.index: group.weight
        for vertex in mesh.data.vertices
        for group in vertex.groups
        if group.group == source.index
    }
    for vertex, weight in weights.items():
        target.add([vertex], share * weight, "ADD")
        source.add([vertex], (1 - share) * weight, "REPLACE")


def _sample_walk(scene: bpy.types.Scene, armature: bpy.types.Object) -> np.ndarray:
    """Return the skin in a walk on level ground at a stature of `STATURE` (n, m, 3) [m]."""
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
    return np.stack(frames)


def _measure_slide(skin: np.ndarray) -> float:
    """Return how far skin on the ground slides in a frame, the 95th percentile [m]."""
    is_standing = (skin[1:, :, 2] < NEAR) & (skin[:-1, :, 2] < NEAR)
    slides = np.linalg.norm(np.diff(skin[..., :2], axis=0), axis=-1)[is_standing]
    assert len(slides) > 60
    return float(np.quantile(slides, 0.95))
