"""A tail that lies on the ground at rest trails behind the body."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
from blender_scene import load_rig
from footfall.addon.bake.other_channels import describe_replaced_tails
from footfall.addon.rigs.armature import read_skeleton
from footfall.core.character.from_rig.binding import Binding, pose_bones
from footfall.core.character.from_rig.dragged_tail import drag_tails, trail_tails
from footfall.core.character.from_rig.rig import rig_from_skeleton
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.geometry import so3
from footfall.core.terrain import make_rolling_hills

FRAMES = 60
TURN = np.radians(60)  # within the clip [rad]
STEP = 0.06  # distance between two frames [m]
MAX_LOW_HEIGHT = 0.3  # of the joints that lie on the ground at rest [height of the first one]
START = 5.0  # x at which the body is on hills, as its tail is [m]


def _locate_joints(
    binding: Binding,
    names: tuple[str, ...],
    orientation: np.ndarray,
    origin: np.ndarray,
    root: np.ndarray,
) -> np.ndarray:
    """Return the joints of the tail from the orientations of its bones (n, k + 1, 3)."""
    (tail,) = binding.dragged_tails
    rotations = so3.quat_to_matrix(orientation)
    rest = np.einsum("nij,kj->nki", root, tail.joints) + origin[:, None]
    joints = [rest[:, 0]]
    for k, name in enumerate(tail.bones):
        bone = names.index(name)
        turn = rotations[:, bone] @ np.swapaxes(root @ binding.rotation[bone], 1, 2)
        joints.append(joints[-1] + (turn @ (rest[:, k + 1] - rest[:, k])[..., None])[..., 0])
    return np.stack(joints, 1)


def test_tail_of_a_rat(scene: bpy.types.Scene, shared: Path) -> None:
    skeleton = read_skeleton(load_rig(shared / "data" / "rigs" / "quaternius_enemy_Rat.glb"), scene)
    rig = rig_from_skeleton(skeleton)
    (tail,) = rig.binding.dragged_tails
    assert tail.bones == ("Back", *(f"Tail{k}" for k in range(1, 8)))
    hills = make_rolling_hills(np.random.default_rng(0), 20.0, 20.0, slope_deg=2.0)
    model = KinematicModel(rig.character)
    poses = np.tile(model.neutral, (FRAMES, 1))
    yaw = np.linspace(0, TURN, FRAMES)
    steps = STEP * np.stack([np.cos(yaw), np.sin(yaw)], -1)
    poses[:, :2] += [START, 0.0] + np.cumsum(steps, axis=0)
    poses[:, 2] += hills.sample_heights(poses[:, :2])
    poses[:, 3:7] = so3.quat_from_matrix(so3.rotation_about("z", yaw))
    placed = model.compute_link_poses(poses)
    quaternions = so3.quat_from_matrix(placed.rotation)
    toes = quaternions[:, [leg.links[-1] for leg in rig.character.legs]]
    rigid = pose_bones(rig.binding, placed.origin, quaternions, toes)
    origin = placed.origin[:, 0]
    lowest = {}
    sideways = {}
    for name, bones in {
        "rigid": rigid,
        "dragged": drag_tails(rigid, rig.binding, origin, quaternions[:, 0], hills),
    }.items():
        joints = _locate_joints(
            rig.binding, bones.names, bones.orientation, origin, placed.rotation[:, 0]
        )
        joints = joints[:, tail.heights < MAX_LOW_HEIGHT * tail.heights[0]]
        along = np.linspace(0, 1, 5)[:, None, None, None]
        points = joints[:, :-1] + along * (joints[:, 1:] - joints[:, :-1])
        lowest[name] = float((points[..., 2] - hills.sample_heights(points[..., :2])).min())
        motion = np.diff(joints[:, -1, :2], axis=0)
        line = (joints[1:, -2] - joints[1:, -1])[:, :2]
        line /= np.linalg.norm(line, axis=1, keepdims=True)
        sideways[name] = float(np.abs(motion[:, 0] * line[:, 1] - motion[:, 1] * line[:, 0]).max())
    orientation = quaternions[:, 0]
    (whole,) = trail_tails(rig.binding, origin, orientation, ground=hills)
    first, second = slice(0, 20), slice(20, FRAMES)
    before = trail_tails(rig.binding, origin[first], orientation[first], ground=hills)
    (after,) = trail_tails(
        rig.binding,
        origin[second],
        orientation[second],
        ground=hills,
        initial=[part[-1] for part in before],
    )
    np.testing.assert_array_equal(after, whole[second], "a drive trails it part by part")
    assert lowest["rigid"] < -0.05
    assert lowest["dragged"] > 0.0
    assert sideways["rigid"] > 0.03
    assert sideways["dragged"] < 0.01


def test_replaced_keys_of_a_tail_are_named(scene: bpy.types.Scene, shared: Path) -> None:
    armature = load_rig(shared / "data" / "rigs" / "quaternius_enemy_Rat.glb")
    binding = rig_from_skeleton(read_skeleton(armature, scene)).binding
    armature.animation_data_clear()
    assert not describe_replaced_tails(armature, binding, set(binding.bones))
    armature.pose.bones["Tail3"].keyframe_insert("rotation_quaternion", frame=1)
    (remark,) = describe_replaced_tails(armature, binding, set(binding.bones))
    assert "keys of Tail3 are replaced" in remark
    assert not describe_replaced_tails(armature, binding, {"Head"})
