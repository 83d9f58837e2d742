"""Rotations as channels of a rotation mode, without jumps from frame to frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from ...core.geometry import so3

Array = NDArray[np.float64]

# Property of each rotation mode; all other modes have rotation_euler
MODE_CHANNELS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}


def get_channel_name(mode: str) -> str:
    """Return the property that holds the rotation of a mode."""
    return MODE_CHANNELS.get(mode, "rotation_euler")


def to_channels(matrices: Array, mode: str) -> Array:
    """Return rotation matrices (n, 3, 3) as values of a rotation mode: (n, 4) for quaternions and
    axis-angle, else (n, 3).
    """
    if mode == "QUATERNION":
        return so3.quat_unwrap(so3.quat_from_matrix(matrices))
    if mode == "AXIS_ANGLE":
        return _to_axis_angle(so3.quat_unwrap(so3.quat_from_matrix(matrices)))
    return _to_euler(matrices, mode)


def _to_euler(matrices: Array, order: str) -> Array:
    """Return angles about x, y and z (n, 3); of the two representations the one nearer to the frame
    before.
    """
    # columns in the order of the rotations
    sequence_angles = Rotation.from_matrix(matrices).as_euler(order.lower())
    columns = ["XYZ".index(axis) for axis in order]
    euler = np.empty_like(sequence_angles)
    euler[:, columns] = sequence_angles
    middle_axis = columns[1]
    alternative = euler + np.pi  # the same rotation, written over the pole
    alternative[:, middle_axis] = np.pi - euler[:, middle_axis]
    # Switching the representation between two frames changes the angles by the same amount from
    # either representation, so the switches accumulate.
    switches = _sum_angle_differences(alternative[1:], euler[:-1]) < _sum_angle_differences(
        euler[1:], euler[:-1]
    )
    uses_alternative = np.concatenate([[False], np.cumsum(switches) % 2 == 1])
    return np.unwrap(np.where(uses_alternative[:, None], alternative, euler), axis=0)


def _sum_angle_differences(a: Array, b: Array) -> Array:
    """Return the sums of the angles between rows, without full turns, (n, 3), (n, 3) -> (n,)."""
    return np.abs(so3.wrap_angle(a - b)).sum(1)


def _to_axis_angle(quaternions: Array) -> Array:
    """Return angles and axes (n, 4); without a rotation the axis is that of the nearest frame with
    one.
    """
    sine = np.linalg.norm(quaternions[:, 1:], axis=1)
    angle = 2 * so3.atan2(sine, quaternions[:, 0])
    axis = quaternions[:, 1:] / np.maximum(sine, 1e-12)[:, None]
    valid_frames = np.flatnonzero(sine > 1e-6)
    if not len(valid_frames):
        return np.column_stack([angle, np.tile([0.0, 1.0, 0.0], (len(angle), 1))])
    nearest = (
        valid_frames[np.abs(np.arange(len(angle))[:, None] - valid_frames).argmin(1)]
        if len(valid_frames) < len(angle)
        else valid_frames
    )
    return np.column_stack([angle, axis[nearest]])


def to_rotations(values: Array, mode: str) -> Rotation:
    """Return the rotations of values of a rotation mode, the inverse of `to_channels`."""
    if mode == "QUATERNION":
        return Rotation.from_quat(np.roll(values, -1, axis=1))
    if mode == "AXIS_ANGLE":
        axis_lengths = np.maximum(np.linalg.norm(values[:, 1:], axis=1, keepdims=True), 1e-12)
        return Rotation.from_rotvec(values[:, :1] * values[:, 1:] / axis_lengths)
    return Rotation.from_euler(mode.lower(), values[:, ["XYZ".index(axis) for axis in mode]])


def slerp_rotations(a: Rotation, b: Rotation, weights: Array) -> Array:
    """Return matrices (n, 3, 3) of rotations at a share (n,) of the shortest rotation from a to
    b.
    """
    interpolated: Array = (
        a * Rotation.from_rotvec(weights[:, None] * (a.inv() * b).as_rotvec())
    ).as_matrix()
    return interpolated
