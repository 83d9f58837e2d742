"""Deviation of a knee from the plan, by which the pole of its leg is corrected."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.geometry import so3
from ..rigs.control_rig import ControlLink
from ..rigs.deform_poses import compute_knee_offset
from .control_targets import MIN_KNEE_BEND, ControlTargets

Array = NDArray[np.float64]
Frames = NDArray[np.int64]
Mask = NDArray[np.bool_]


def find_straight_frames(targets: ControlTargets, frames: Frames) -> Mask:
    """Return whether a planned leg with a pole is straight in each frame, as a mask (n,)."""
    is_straight = np.zeros(len(frames), bool)
    for link in targets.pole_links:
        is_straight |= _find_straight(*_read_joints(targets, link, frames))
    return is_straight


def measure_pole_errors(
    targets: ControlTargets, link: ControlLink, shins: Array, frames: Frames
) -> Array:
    """Return the angles about the line from hip to ankle between the actual and the planned knee
    (n,) [rad]; for a straight leg the twist of the shin.

    Args:
        shins: actual poses of the shin (n, 4, 4).
        frames: frames (n,).
    """
    assert link.pole_bones is not None
    hips, knees, ankles = _read_joints(targets, link, frames)
    axes = (ankles - hips) / np.linalg.norm(ankles - hips, axis=1, keepdims=True)
    planned = compute_knee_offset(hips, knees, ankles)
    actual = compute_knee_offset(hips, shins[:, :3, 3], ankles)
    bends = so3.atan2((axes * np.cross(actual, planned)).sum(1), (actual * planned).sum(1))
    rotations = shins[:, :3, :3] / np.linalg.norm(shins[:, :3, :3], axis=1, keepdims=True)
    twists = _measure_twists(
        targets.deform_poses.orientations[link.pole_bones[0]][frames], rotations, axes
    )
    return np.where(_find_straight(hips, knees, ankles), twists, bends)


def _find_straight(hips: Array, knees: Array, ankles: Array) -> Mask:
    bends = np.linalg.norm(compute_knee_offset(hips, knees, ankles), axis=1)
    return np.asarray(bends <= MIN_KNEE_BEND * np.linalg.norm(ankles - hips, axis=1))


def _read_joints(
    targets: ControlTargets, link: ControlLink, frames: Frames
) -> tuple[Array, Array, Array]:
    """Return the planned positions of hip, knee and ankle (n, 3) each."""
    assert link.pole_bones is not None
    heads = targets.deform_poses.heads
    knee, ankle = link.pole_bones
    return heads[link.bone][frames], heads[knee][frames], heads[ankle][frames]


def _measure_twists(planned: Array, actual: Array, axes: Array) -> Array:
    """Return the angles about axes from orientations to others (n,) [rad]."""
    quaternions = so3.quat_from_matrix(planned @ np.swapaxes(actual, 1, 2))
    angles = 2 * so3.atan2((axes * quaternions[:, 1:]).sum(1), quaternions[:, 0])
    return np.asarray(so3.wrap_angle(angles))
