"""Rotations as the channels that a bone has them in, without jumps from frame to frame."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from ..core import so3

Array = NDArray[np.float64]

CHANNELS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}      # any other mode: rotation_euler


def channel_name(mode: str) -> str:
    """The property that a rotation mode is kept in."""
    return CHANNELS.get(mode, "rotation_euler")


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
    out = first.copy()
    for k in range(1, len(out)):
        near = [way[k] - 2 * np.pi * np.round((way[k] - out[k - 1]) / (2 * np.pi)) for way in (first, other)]
        out[k] = min(near, key=lambda way: float(np.abs(way - out[k - 1]).sum()))
    return out


def _axis_angle(quaternions: Array) -> Array:
    """Angle and axis; where nothing is turned the axis is taken from the nearest frame that has one."""
    sine = np.linalg.norm(quaternions[:, 1:], axis=1)
    angle = 2 * np.arctan2(sine, quaternions[:, 0])
    axis = quaternions[:, 1:] / np.maximum(sine, 1e-12)[:, None]
    known = np.flatnonzero(sine > 1e-6)
    if not len(known):
        return np.column_stack([angle, np.tile([0.0, 1.0, 0.0], (len(angle), 1))])
    nearest = known[np.abs(np.arange(len(angle))[:, None] - known).argmin(1)] if len(known) < len(angle) else known
    return np.column_stack([angle, axis[nearest]])
