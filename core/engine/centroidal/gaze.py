"""Turning of the head to a gaze target, within the range of the neck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ...task import GazeTarget

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GazeParameters:
    """Tuned numbers of the turning of the head.

    The yaws and distances are guarded by test_look.test_head_follows_a_target_until_it_is_behind.
    """

    # Largest angle between the head and the direction that the body faces [rad]
    max_yaw: float = float(np.radians(75))
    # Range of the pitch of the head, downward positive [rad]
    min_pitch: float = float(np.radians(-35))
    max_pitch: float = float(np.radians(40))
    # Angle of the target to the side at which the head begins to return to the style pose, and at
    # which it has returned [rad]
    release_yaw: float = float(np.radians(105))
    released_yaw: float = float(np.radians(160))
    # Distance of the target at which the head has returned to the style pose, and at which it
    # begins to return [m]
    released_distance: float = 0.3
    release_distance: float = 0.6
    # Standard deviation of the filter of the head's angles [s]
    smoothing_time: float = 0.12


GAZE = GazeParameters()


@dataclass(frozen=True)
class _GazeAngles:
    """Direction of the head at n times.

    Args:
        yaw_offset: yaw relative to the direction that the body faces, left positive [rad], (n,).
        pitch: downward pitch [rad], (n,).
        share: weight of the direction against the style pose, 0 to 1, (n,).
    """

    yaw_offset: Array
    pitch: Array
    share: Array


def turn_head(model: KinematicModel, poses: Array, times: Array, gaze: GazeTarget) -> Array:
    """Return poses with the head turned to a gaze target, shape (n, nq).

    Poses of bodies without a head are returned unchanged.

    Args:
        model: the body.
        poses: poses, shape (n, nq).
        times: equally spaced times [s], shape (n,).
        gaze: the target.
    """
    head = model.character.head
    if head is None:
        return poses
    placed = model.compute_link_poses(poses)
    facing = np.unwrap(so3.yaw_from_matrix(placed.rotation[:, 0]))
    angles = _compute_gaze_angles(
        gaze.position_at(times) - placed.origin[:, head], facing, float(times[1] - times[0])
    )
    target_rotation = so3.rotation_about("z", facing + angles.yaw_offset) @ so3.rotation_about(
        "y", angles.pitch
    )
    head_rotation = placed.rotation[:, head]
    turned_rotation = head_rotation @ so3.exp(
        angles.share[:, None] * so3.log(np.swapaxes(head_rotation, 1, 2) @ target_rotation)
    )
    parent_rotation = placed.rotation[:, model.character.links[head].parent]
    out = poses.copy()
    joint = model.joint_coordinates(model.character.links[head].joint.name)
    out[:, joint] = so3.quat_from_matrix(np.swapaxes(parent_rotation, 1, 2) @ turned_rotation)
    return out


def _compute_gaze_angles(offset: Array, facing: Array, dt: float) -> _GazeAngles:
    """Return the direction of the head to a target.

    Args:
        offset: position of the target relative to the head [m], shape (n, 3).
        facing: direction that the body faces [rad], shape (n,).
        dt: time between frames [s].
    """
    horizontal_distance = np.linalg.norm(offset[:, :2], axis=1)
    yaw_offset = so3.wrap_angle(so3.atan2(offset[:, 1], offset[:, 0]) - facing)
    pitch = np.clip(so3.atan2(-offset[:, 2], horizontal_distance), GAZE.min_pitch, GAZE.max_pitch)
    share = np.clip(
        (GAZE.released_yaw - np.abs(yaw_offset)) / (GAZE.released_yaw - GAZE.release_yaw), 0, 1
    )
    share *= np.clip(
        (np.linalg.norm(offset, axis=1) - GAZE.released_distance)
        / (GAZE.release_distance - GAZE.released_distance),
        0,
        1,
    )
    smoothing_frames = GAZE.smoothing_time / dt
    # The yaw of a target that passes behind the body jumps while its share is zero.
    return _GazeAngles(
        gaussian_filter1d(
            np.clip(yaw_offset, -GAZE.max_yaw, GAZE.max_yaw), smoothing_frames, mode="nearest"
        ),
        gaussian_filter1d(pitch, smoothing_frames, mode="nearest"),
        gaussian_filter1d(share, smoothing_frames, mode="nearest"),
    )
