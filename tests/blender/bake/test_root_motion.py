"""Root motion: the body, the root bone, the object, or nothing moves along the path."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_generated_rig, add_metarig, curves_of, select
from footfall.core.motion import load_motion


@pytest.fixture
def armature(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a rotated human armature with a root bone, away from the origin, on a path."""
    rig = add_metarig()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    top = bones.new("root")
    top.head = (0, 0, 0)
    top.tail = (0, 0.5, 0)
    bones["spine"].parent = top
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.location = (1.0, 2.0, 0.0)
    rig.rotation_euler = (0.0, 0.0, 0.7)
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    select(rig)
    return rig


def _ankles(
    armature: bpy.types.Object, names: tuple[str, str] = ("foot.L", "foot.R")
) -> np.ndarray:
    """Return positions of the ankles in world coordinates by frame. (n, 2, 3)."""
    scene = bpy.context.scene
    out = []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        out.append([armature.matrix_world @ armature.pose.bones[name].head for name in names])
    return np.array(out)


def _keyed(armature: bpy.types.Object) -> set[str]:
    return {curve.data_path for curve in curves_of(armature.animation_data.action)}


@pytest.mark.parametrize("carrier", ["ROOT", "OBJECT"])
def test_feet_do_not_depend_on_the_root_motion(
    armature: bpy.types.Object, scene: bpy.types.Scene, carrier: str
) -> None:
    bpy.ops.footfall.generate()
    expected = _ankles(armature)
    scene.footfall.root_motion = carrier
    bpy.ops.footfall.generate()
    np.testing.assert_allclose(_ankles(armature), expected, atol=1e-4)
    again = armature.matrix_world.copy() if carrier == "OBJECT" else None
    assert ('pose.bones["root"].location' if carrier == "ROOT" else "location") in _keyed(armature)
    if again is not None:  # from the present place of the object, in the middle of the path
        bpy.ops.footfall.generate()
        np.testing.assert_allclose(_ankles(armature), expected, atol=1e-4)


def test_root_bone_is_below_the_body_without_its_sway(
    armature: bpy.types.Object, scene: bpy.types.Scene, tmp_path: Path
) -> None:
    scene.footfall.root_motion = "ROOT"
    bpy.ops.footfall.generate(keep=str(tmp_path))
    motion = load_motion(tmp_path / "motion.npz")
    at = []
    for k in range(motion.frames):
        scene.frame_set(scene.frame_start + k)
        at.append(armature.matrix_world @ armature.pose.bones["root"].head)
    root = np.array(at)
    np.testing.assert_allclose(root[:, 2], 0.0, atol=0.05)
    assert np.linalg.norm(root[:, :2] - motion.link_origin[:, 0, :2], axis=1).max() < 0.15
    bounce = (
        np.abs(np.diff(root, 2, axis=0)).max()
        / np.abs(np.diff(motion.link_origin[:, 0], 2, axis=0)).max()
    )
    assert bounce < 0.5


def test_the_root_bone_of_a_fast_run_stays_on_the_ground(
    armature: bpy.types.Object, scene: bpy.types.Scene
) -> None:
    """Both feet are in the air twice a stride, by up to 14 cm, and the ground is level."""
    scene.footfall.root_motion = "ROOT"
    scene.footfall.style = "run"
    scene.footfall.speed = 7.0
    scene.footfall.path = add_curve([(0, 0, 0), (0, -40, 0)])
    scene.frame_end = 60
    bpy.ops.footfall.generate()
    heights = []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        heights.append((armature.matrix_world @ armature.pose.bones["root"].head).z)
    assert np.abs(heights).max() < 0.01


def test_body_stays_in_place(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    scene.footfall.root_motion = "PLACE"
    bpy.ops.footfall.generate()
    keyed = _keyed(armature)
    assert "location" not in keyed
    assert 'pose.bones["root"].location' not in keyed
    middle = _ankles(armature).mean(1)
    assert np.abs(middle[:, :2] - [1.0, 2.0]).max() < 0.4


def test_rig_without_a_root_bone_is_refused(scene: bpy.types.Scene) -> None:
    armature = add_metarig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0)])
    scene.footfall.root_motion = "ROOT"
    select(armature)
    before = Snapshot.from_armature(armature)
    with pytest.raises(
        RuntimeError, match=r"no root bone above 'spine'.* Choose another Root Motion"
    ):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


def test_constrained_object_is_refused(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    armature.constraints.new("LIMIT_LOCATION")
    scene.footfall.root_motion = "OBJECT"
    before = Snapshot.from_armature(armature)
    with pytest.raises(RuntimeError, match="has constraints, so it cannot move over the ground"):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


@pytest.mark.parametrize("legs", ["FK", "IK"])
def test_root_of_a_control_rig_moves_along_the_path(scene: bpy.types.Scene, legs: str) -> None:
    rig = add_generated_rig()
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    scene.frame_end = 25
    scene.footfall.controls = legs
    select(rig)
    feet = ("DEF-foot.L", "DEF-foot.R")
    bpy.ops.footfall.generate()
    expected = _ankles(rig, feet)
    scene.footfall.root_motion = "ROOT"
    bpy.ops.footfall.generate()
    np.testing.assert_allclose(_ankles(rig, feet), expected, atol=1e-3)
    assert rig.pose.bones["root"].location.length > 0.5
