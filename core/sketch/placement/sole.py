"""Feet put on uneven ground: heel and ball touch it, the sole rolls with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...geometry import so3
from ...terrain import Ground

Array = NDArray[np.float64]

HEEL_STEP_CLEARANCE = 0.09  # m that a heel keeps from a step up behind it, if it can
# m between the ground under a foot and a plane, above which it stands on an edge
MAX_EDGE_HEIGHT = 0.03
MAX_SLOPE = np.tan(np.radians(40))


def place_foot(
    ground: Ground, foot: Foot, xy: Array, yaw: float, level: float
) -> tuple[Array, Array]:
    """Position (3,) and rotation (3, 3) of a sole whose middle is above xy,
    heel and ball on the ground.

    The sole keeps its length on a slope, so heel and ball draw together seen from above; a few
    rounds settle that. The roll is the ground's inclination across half the foot's length, taken
    where both sides have ground.

    Args:
        level: height that stands in for ground that is missing, m.
    """
    half_length = 0.5 * float(np.linalg.norm(foot.ball - foot.heel))
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    half_span = half_length
    for _ in range(3):
        ends = xy + half_span * np.array([-1.0, 1.0])[:, None] * forward  # heel, ball
        heights = ground.sample_heights(ends)
        heel, ball = np.where(np.isfinite(heights), heights, level)
        incline = np.arctan2(ball - heel, 2 * half_span)
        half_span = half_length * np.cos(incline)
    return np.array([*xy, 0.5 * (heel + ball)]), fit_sole_rotation(
        ground, xy, yaw, incline=float(incline), probe_distance=0.25 * half_length
    )


def fit_sole_rotation(
    ground: Ground, xy: Array, yaw: float, incline: float, probe_distance: float
) -> Array:
    """Rotation (3, 3) of a sole that goes up forward by an angle and rolls with the
    ground under a place (2,).

    Args:
        probe_distance: how far to each side of the place the ground is felt, m.
    """
    lateral_step = probe_distance * np.array([-np.sin(yaw), np.cos(yaw)])
    left, right = ground.sample_heights(np.stack([xy + lateral_step, xy - lateral_step]))
    return make_sole_rotation(yaw, incline, float(left - right) / (2 * probe_distance))


def make_sole_rotation(yaw: float, incline: float, lateral_slope: float) -> Array:
    """Rotation (3, 3) of a sole that goes up forward by an angle, and so much to the left for each
    m; level where not known.
    """
    forward = np.array(
        [np.cos(incline) * np.cos(yaw), np.cos(incline) * np.sin(yaw), np.sin(incline)]
    )
    lateral = np.array(
        [-np.sin(yaw), np.cos(yaw), lateral_slope if np.isfinite(lateral_slope) else 0.0]
    )
    lateral -= forward * (forward @ lateral)
    lateral /= np.sqrt(lateral @ lateral)
    return np.stack([forward, lateral, so3.hat(forward) @ lateral], -1)


def is_forbidden_ground(ground: Ground, foot: Foot, xy: Array, yaw: Array) -> NDArray[np.bool_]:
    """Where a foot may not stand: ground missing, too steep or broken by an edge under a capsule
    from heel to toe tip (C.3).

    (n, 2), (n,) -> (n,).
    """
    forward = np.stack([np.cos(yaw), np.sin(yaw)], -1)[:, None]  # (n, 1, 2)
    left = np.stack([-np.sin(yaw), np.cos(yaw)], -1)[:, None]
    length = foot.ball[0] - foot.heel[0]
    along = np.linspace(foot.heel[0], foot.tip[0], 6) - foot.sole_center[0]  # (6,)
    axis_points = xy[:, None] + along[:, None] * forward  # (n, 6, 2)
    sample_points = np.concatenate(
        [axis_points, axis_points + 0.2 * length * left, axis_points - 0.2 * length * left], 1
    )
    heights = ground.sample_heights(sample_points).reshape(len(xy), 3, 6)
    missing = ~np.isfinite(heights).all((1, 2))
    heights = np.where(np.isfinite(heights), heights, 0.0)
    steep = np.ptp(heights, axis=(1, 2)) > MAX_SLOPE * length * 1.3
    straight = heights[..., :1] + (heights[..., -1:] - heights[..., :1]) * (along - along[0]) / (
        along[-1] - along[0]
    )
    edge = (np.abs(heights - straight) > MAX_EDGE_HEIGHT).any((1, 2)) | (
        np.ptp(heights - heights[:, :1], axis=1) > 2 * MAX_EDGE_HEIGHT
    ).any(1)
    return missing | steep | edge


def has_step_behind_heel(ground: Ground, foot: Foot, xy: Array, yaw: Array) -> NDArray[np.bool_]:
    """Where a foot had better not stand: close before a step up behind it, along which the heel
    would have to come down.

    (n, 2), (n,) -> (n,).
    """
    forward = np.stack([np.cos(yaw), np.sin(yaw)], -1)
    heel = xy + (foot.heel[0] - foot.sole_center[0]) * forward
    return np.asarray(
        ground.sample_heights(heel - HEEL_STEP_CLEARANCE * forward)
        > ground.sample_heights(heel) + MAX_EDGE_HEIGHT
    )
