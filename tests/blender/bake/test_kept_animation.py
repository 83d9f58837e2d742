"""Animation that is not planned stays, such as that of fingers, faces and props."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from blender_scene import add_curve, add_generated_rig, add_metarig, curves_of, select

HAND = "hand.L"
NOSE = "nose"
FOOT = "foot.L"


def _keyed(thing: Any, path: str, values: tuple[float, ...], index: int = -1) -> None:
    """Add keys of a property at frames 1, 11, 21 and so on."""
    for k, value in enumerate(values):
        if index < 0:
            thing.path_resolve(path)
            setattr(thing, path, value)
        else:
            getattr(thing, path)[index] = value
        thing.keyframe_insert(path, index=index, frame=1 + 10 * k)


def _seen(armature: bpy.types.Object, frames: range = range(1, 26, 3)) -> list[tuple[float, ...]]:
    """Return the rotations of hand and nose and a property of the object, by frame."""
    out = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        rotations = [
            armature.pose.bones[name].matrix_basis.to_quaternion() for name in (HAND, NOSE)
        ]
        out.append((*rotations[0], *rotations[1], armature["glow"]))
    return out


@pytest.fixture
def animated(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a human armature on a path, with an action of hand, nose, foot, root and object."""
    armature = add_metarig("human")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    scene.frame_end = 25
    armature["glow"] = 0.0
    pose = armature.pose.bones
    for name in (HAND, NOSE, FOOT):
        pose[name].rotation_mode = "XYZ"
        _keyed(pose[name], "rotation_euler", (0.1, 0.5, -0.2), 0)
    _keyed(pose["spine"], "location", (0.0, 0.3, 0.0), 2)
    _keyed(armature, "location", (0.0, 5.0, 0.0), 0)
    for k, value in enumerate((0.0, 1.0, 0.3)):
        armature["glow"] = value
        armature.keyframe_insert('["glow"]', frame=1 + 10 * k)
    for curve in curves_of(armature.animation_data.action):
        if HAND in curve.data_path:
            curve.modifiers.new("CYCLES").cycles_after = 3
            curve.modifiers.new("NOISE").strength = 0.2
            curve.extrapolation = "LINEAR"
            curve.keyframe_points[1].interpolation = "BOUNCE"
            curve.keyframe_points[0].handle_right_type = "FREE"
            curve.keyframe_points[0].handle_right = (4.0, 0.4)
    scene.frame_set(1)
    select(armature)
    return armature


def test_unplanned_animation_stays(animated: bpy.types.Object, scene: bpy.types.Scene) -> None:
    old = animated.animation_data.action
    before = _seen(animated)
    keys = [(c.data_path, len(c.keyframe_points)) for c in curves_of(old)]
    scene.frame_set(1)
    for _ in range(2):  # the second time from what the first one has kept
        assert bpy.ops.footfall.generate() == {"FINISHED"}
        for now, was in zip(_seen(animated), before, strict=True):
            assert now == pytest.approx(was, abs=1e-5)
        scene.frame_set(1)
    paths = [(c.data_path, c.array_index) for c in curves_of(animated.animation_data.action)]
    assert len(set(paths)) == len(paths)
    assert ("location", 0) not in paths  # the path was planned for the present place of the object
    assert [(c.data_path, len(c.keyframe_points)) for c in curves_of(old)] == keys
    assert old.use_fake_user


def test_planned_bones_have_no_other_keys(animated: bpy.types.Object) -> None:
    bpy.ops.footfall.generate()
    foot = [c for c in curves_of(animated.animation_data.action) if '"foot.L"' in c.data_path]
    assert {len(c.keyframe_points) for c in foot} == {25}


def test_fingers_of_control_rigs_keep_pose_and_animation(scene: bpy.types.Scene) -> None:
    rig = add_generated_rig("human")
    scene.footfall.path = add_curve([(0, 0, 0), (0, -3, 0), (2, -6, 0)])
    scene.frame_end = 25
    pose = rig.pose.bones
    for name in ("f_index.01.L", "hand_fk.L", "thigh_ik_target.L"):
        pose[name].rotation_mode = "XYZ"
        _keyed(pose[name], "rotation_euler", (0.1, 0.5, -0.2), 0)
    for k, value in enumerate((0.0, 1.0)):
        pose["thigh_parent.L"]["FK_limb_follow"] = value
        rig.keyframe_insert('pose.bones["thigh_parent.L"]["FK_limb_follow"]', frame=1 + 10 * k)
    pose["f_ring.01.L"].rotation_quaternion = (0.9, 0.4, 0.0, 0.0)
    pose["jaw_master"].rotation_mode = "XYZ"
    pose["jaw_master"].rotation_euler = (7.0, 0.0, 0.0)
    pose["ear.L"].location = (0.0, 0.01, 0.0)
    scene.frame_set(1)
    select(rig)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    scene.frame_set(11)
    assert pose["f_index.01.L"].rotation_euler[0] == pytest.approx(0.5)
    assert pose["hand_fk.L"].rotation_euler[0] == pytest.approx(0.5)
    assert pose["f_ring.01.L"].rotation_quaternion[1] == pytest.approx(0.4)
    assert pose["jaw_master"].rotation_euler[0] == pytest.approx(7.0)
    assert pose["ear.L"].location[1] == pytest.approx(0.01)
    paths = {c.data_path for c in curves_of(rig.animation_data.action)}
    assert not any("ear.L" in path or "f_ring" in path for path in paths)
    assert 'pose.bones["thigh_parent.L"]["FK_limb_follow"]' not in paths
