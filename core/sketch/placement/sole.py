"""Feet put on uneven ground: heel and ball touch it, the sole rolls with it."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...geometry import so3
from ...terrain import Ground

Array = NDArray[np.float64]

BEHIND = 0.09         # m that a heel keeps from a step up behind it, if it can
EDGE = 0.03           # m between the ground under a foot and a plane, above which it stands on an edge
STEEPEST = np.tan(np.radians(40))


def place_foot(ground: Ground, foot: Foot, xy: Array, yaw: float, level: float) -> tuple[Array, Array]:
    """Position (3,) and rotation (3, 3) of a sole whose middle is above xy, heel and ball on the ground.

    The sole keeps its length on a slope, so heel and ball draw together seen from above; a few rounds settle that. The roll
    is the ground's inclination across half the foot's length, taken where both sides have ground.

    Args:
        level: height that stands in for ground that is missing, m.
    """
    half = 0.5 * float(np.linalg.norm(foot.ball - foot.heel))
    ahead = np.array([np.cos(yaw), np.sin(yaw)])
    reach = half
    for _ in range(3):
        ends = xy + reach * np.array([-1.0, 1.0])[:, None] * ahead                  # heel, ball
        heights = ground.height(ends)
        heel, ball = np.where(np.isfinite(heights), heights, level)
        incline = np.arctan2(ball - heel, 2 * reach)
        reach = half * np.cos(incline)
    return np.array([*xy, 0.5 * (heel + ball)]), rolled(ground, xy, yaw, float(incline), 0.25 * half)


def rolled(ground: Ground, xy: Array, yaw: float, incline: float, across: float) -> Array:
    """Rotation (3, 3) of a sole that goes up forward by an angle and rolls with the ground under a place (2,).

    Args:
        across: how far to each side of the place the ground is felt, m.
    """
    beside = across * np.array([-np.sin(yaw), np.cos(yaw)])
    left, right = ground.height(np.stack([xy + beside, xy - beside]))
    return sole_rotation(yaw, incline, float(left - right) / (2 * across))


def sole_rotation(yaw: float, incline: float, roll: float) -> Array:
    """Rotation (3, 3) of a sole that goes up forward by an angle, and so much to the left for each m; level where not known."""
    forward = np.array([np.cos(incline) * np.cos(yaw), np.cos(incline) * np.sin(yaw), np.sin(incline)])
    sideways = np.array([-np.sin(yaw), np.cos(yaw), roll if np.isfinite(roll) else 0.0])
    sideways -= forward * (forward @ sideways)
    sideways /= np.sqrt(sideways @ sideways)
    return np.stack([forward, sideways, so3.hat(forward) @ sideways], -1)


def forbidden_ground(ground: Ground, foot: Foot, xy: Array, yaw: Array) -> NDArray[np.bool_]:
    """Where a foot may not stand: ground missing, too steep or broken by an edge under a capsule from heel to toe tip (C.3).

    (n, 2), (n,) -> (n,).
    """
    ahead = np.stack([np.cos(yaw), np.sin(yaw)], -1)[:, None]                        # (n, 1, 2)
    left = np.stack([-np.sin(yaw), np.cos(yaw)], -1)[:, None]
    length = foot.ball[0] - foot.heel[0]
    along = np.linspace(foot.heel[0], foot.tip[0], 6) - foot.centre[0]               # (6,)
    axis = xy[:, None] + along[:, None] * ahead                                     # (n, 6, 2)
    sides = np.concatenate([axis, axis + 0.2 * length * left, axis - 0.2 * length * left], 1)
    heights = ground.height(sides).reshape(len(xy), 3, 6)
    missing = ~np.isfinite(heights).all((1, 2))
    heights = np.where(np.isfinite(heights), heights, 0.0)
    steep = np.ptp(heights, axis=(1, 2)) > STEEPEST * length * 1.3
    straight = heights[..., :1] + (heights[..., -1:] - heights[..., :1]) * (along - along[0]) / (along[-1] - along[0])
    edge = (np.abs(heights - straight) > EDGE).any((1, 2)) | (np.ptp(heights - heights[:, :1], axis=1) > 2 * EDGE).any(1)
    return missing | steep | edge


def awkward_ground(ground: Ground, foot: Foot, xy: Array, yaw: Array) -> NDArray[np.bool_]:
    """Where a foot had better not stand: close before a step up behind it, along which the heel would have to come down.

    (n, 2), (n,) -> (n,).
    """
    ahead = np.stack([np.cos(yaw), np.sin(yaw)], -1)
    heel = xy + (foot.heel[0] - foot.centre[0]) * ahead
    return np.asarray(ground.height(heel - BEHIND * ahead) > ground.height(heel) + EDGE)
