"""Rotations as the channels that a bone has them in, without jumps from frame to frame."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from ...core.geometry import so3

Array = NDArray[np.float64]

MODES = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}      # any other mode: rotation_euler


def channel_name(mode: str) -> str:
    """The property that a rotation mode is kept in."""
    return MODES.get(mode, "rotation_euler")


def channels(matrices: Array, mode: str) -> Array:
    """Rotation matrices (n, 3, 3) as values of a rotation mode: (n, 4) for quaternions and axis-angle, else (n, 3)."""
    if mode == "QUATERNION":
        return so3.continuous(so3.quat_from_matrix(matrices))
    if mode == "AXIS_ANGLE":
        return _axis_angle(so3.continuous(so3.quat_from_matrix(matrices)))
    return _euler(matrices, mode)


def _euler(matrices: Array, order: str) -> Array:
    """Angles about x, y and z, of the two ways to write each rotation the one nearer to the frame before."""
    turned = Rotation.from_matrix(matrices).as_euler(order.lower())                        # in the order's sequence
    columns = ["XYZ".index(axis) for axis in order]
    first = np.empty_like(turned)
    first[:, columns] = turned
    middle = columns[1]
    other = first + np.pi      # the same rotation, written over the pole
    other[:, middle] = np.pi - first[:, middle]
    # To stay with a way of writing costs the same on either way, and so does to change it: the choices add up.
    change = _apart(other[1:], first[:-1]) < _apart(first[1:], first[:-1])
    on_other = np.concatenate([[False], np.cumsum(change) % 2 == 1])
    return np.unwrap(np.where(on_other[:, None], other, first), axis=0)


def _apart(a: Array, b: Array) -> Array:
    """Sum of the angles between rows of angles, whole turns left out. (n, 3), (n, 3) -> (n,)."""
    return np.abs(so3.wrapped(a - b)).sum(1)


def _axis_angle(quaternions: Array) -> Array:
    """Angle and axis; where nothing is turned the axis is taken from the nearest frame that has one."""
    sine = np.linalg.norm(quaternions[:, 1:], axis=1)
    angle = 2 * so3.angle(sine, quaternions[:, 0])
    axis = quaternions[:, 1:] / np.maximum(sine, 1e-12)[:, None]
    known = np.flatnonzero(sine > 1e-6)
    if not len(known):
        return np.column_stack([angle, np.tile([0.0, 1.0, 0.0], (len(angle), 1))])
    nearest = known[np.abs(np.arange(len(angle))[:, None] - known).argmin(1)] if len(known) < len(angle) else known
    return np.column_stack([angle, axis[nearest]])


def turns_of(values: Array, mode: str) -> Rotation:
    """Rotations of values of a rotation mode; the other way round than `channels`."""
    if mode == "QUATERNION":
        return Rotation.from_quat(np.roll(values, -1, axis=1))
    if mode == "AXIS_ANGLE":
        length = np.maximum(np.linalg.norm(values[:, 1:], axis=1, keepdims=True), 1e-12)
        return Rotation.from_rotvec(values[:, :1] * values[:, 1:] / length)
    return Rotation.from_euler(mode.lower(), values[:, ["XYZ".index(axis) for axis in mode]])


def turned_between(a: Rotation, b: Rotation, share: Array) -> Array:
    """Rotations that share (n,) of the shortest way from a to b. Matrices (n, 3, 3)."""
    out: Array = (a * Rotation.from_rotvec(share[:, None] * (a.inv() * b).as_rotvec())).as_matrix()
    return out
