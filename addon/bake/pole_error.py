"""Deviation of a knee from the plan, by which the pole of its leg is corrected."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.geometry import so3
from ..rigs.control_rig import ControlLink
from ..rigs.deform_poses import compute_knee_offset
from .control_targets import MIN_KNEE_BEND, ControlTargets

Array = NDArray[np.float64]


def is_straight(targets: ControlTargets, link: ControlLink, k: int) -> bool:
    """Return whether the planned leg of a pole is straight in frame k."""
    hip, knee, ankle = _read_joints(targets, link, k)
    bend = np.linalg.norm(compute_knee_offset(hip, knee, ankle))
    return bool(bend <= MIN_KNEE_BEND * np.linalg.norm(ankle - hip))


def measure_pole_error(
    targets: ControlTargets,
    link: ControlLink,
    pose_bones: bpy.types.bpy_prop_collection[bpy.types.PoseBone],
    k: int,
) -> float:
    """Return the angle about the line from hip to ankle between the actual and the planned knee
    [rad]; for a straight leg the twist of the shin.

    Args:
        pose_bones: bones of the evaluated rig.
        k: frame.
    """
    assert link.pole_bones is not None
    shin = link.pole_bones[0]
    hip, knee, ankle = _read_joints(targets, link, k)
    axis = (ankle - hip) / np.linalg.norm(ankle - hip)
    if is_straight(targets, link, k):
        return _measure_twist(
            targets.deform_poses.orientations[shin][k],
            np.array(pose_bones[shin].matrix.to_3x3().normalized()),
            axis,
        )
    planned = compute_knee_offset(hip, knee, ankle)
    actual = compute_knee_offset(hip, np.array(pose_bones[shin].head), ankle)
    return float(np.arctan2(axis @ np.cross(actual, planned), actual @ planned))


def _read_joints(targets: ControlTargets, link: ControlLink, k: int) -> list[Array]:
    """Return the planned positions of hip, knee and ankle (3,) each."""
    assert link.pole_bones is not None
    return [targets.deform_poses.heads[name][k] for name in (link.bone, *link.pole_bones)]


def _measure_twist(planned: Array, actual: Array, axis: Array) -> float:
    """Return the angle about an axis from one orientation to another [rad]."""
    w, *v = so3.quat_from_matrix(planned @ actual.T)
    return float(so3.wrap_angle(2 * float(np.arctan2(axis @ v, w))))
