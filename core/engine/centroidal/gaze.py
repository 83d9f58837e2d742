"""Heads that turn to what is looked at, as far as necks let them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ...task import GazeTarget

Array = NDArray[np.float64]

MAX_HEAD_YAW = np.radians(75)  # of the way the body faces, that a head turns to either side
MAX_UPWARD_PITCH, MAX_DOWNWARD_PITCH = np.radians((-35, 40))  # of the level
# aside, from which on it is let go, and from which on the head goes as it would
RELEASE_YAWS = np.radians((105, 160))
RELEASE_DISTANCES = (0.3, 0.6)  # m, the same when it comes close
SMOOTHING_TIME = 0.12  # s over which its turning is smoothed


def turn_head(model: KinematicModel, poses: Array, times: Array, gaze: GazeTarget) -> Array:
    """Poses with heads turned to a place; bodies without a head stay as they
    are. (n, nq) -> (n, nq).

    Args:
        times: (n,) equally spaced, s.
    """
    head = model.character.head
    if head is None:
        return poses
    placed = model.compute_link_poses(poses)
    facing = np.unwrap(so3.yaw_from_matrix(placed.rotation[:, 0]))
    yaw_offset, pitch, share = _compute_gaze_angles(
        gaze.position_at(times) - placed.origin[:, head], facing, float(times[1] - times[0])
    )
    target_rotation = so3.rotation_about("z", facing + yaw_offset) @ so3.rotation_about("y", pitch)
    head_rotation = placed.rotation[:, head]
    turned_rotation = head_rotation @ so3.exp(
        share[:, None] * so3.log(np.swapaxes(head_rotation, 1, 2) @ target_rotation)
    )
    parent_rotation = placed.rotation[:, model.character.links[head].parent]
    out = poses.copy()
    joint = model.joint_coordinates(model.character.links[head].joint.name)
    out[:, joint] = so3.quat_from_matrix(np.swapaxes(parent_rotation, 1, 2) @ turned_rotation)
    return out


def _compute_gaze_angles(offset: Array, facing: Array, dt: float) -> tuple[Array, Array, Array]:
    """Angles to the left of the facing and downward, rad, and how much they count,
    of places (n, 3) seen from the head.
    """
    horizontal_distance = np.linalg.norm(offset[:, :2], axis=1)
    yaw_offset = so3.wrap_angle(so3.atan2(offset[:, 1], offset[:, 0]) - facing)
    pitch = np.clip(
        so3.atan2(-offset[:, 2], horizontal_distance), MAX_UPWARD_PITCH, MAX_DOWNWARD_PITCH
    )
    share = np.clip(
        (RELEASE_YAWS[1] - np.abs(yaw_offset)) / (RELEASE_YAWS[1] - RELEASE_YAWS[0]), 0, 1
    )
    share *= np.clip(
        (np.linalg.norm(offset, axis=1) - RELEASE_DISTANCES[0])
        / (RELEASE_DISTANCES[1] - RELEASE_DISTANCES[0]),
        0,
        1,
    )
    smoothing_frames = SMOOTHING_TIME / dt
    # a place that passes behind changes sides while it does not count
    return (
        gaussian_filter1d(
            np.clip(yaw_offset, -MAX_HEAD_YAW, MAX_HEAD_YAW), smoothing_frames, mode="nearest"
        ),
        gaussian_filter1d(pitch, smoothing_frames, mode="nearest"),
        gaussian_filter1d(share, smoothing_frames, mode="nearest"),
    )
