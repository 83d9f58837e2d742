"""Feet put on uneven ground: heel and ball touch it, the sole rolls with it."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..errors import TerrainError
from ..terrain import Ground

Array = NDArray[np.float64]

STEEPEST = np.tan(np.radians(40))


def place_foot(ground: Ground, foot: Foot, xy: Array, yaw: float) -> tuple[Array, Array]:
    """Position (3,) and rotation (3, 3) of a sole whose middle is above xy, heel and ball on the ground.

    The sole keeps its length on a slope, so heel and ball draw together seen from above; a few rounds settle that. The roll
    is the ground's inclination across half the foot's length, taken where both sides have ground.

    Raises:
        TerrainError: there is no ground under the heel or the ball.
    """
    half = 0.5 * float(np.linalg.norm(foot.ball - foot.heel))
    ahead = np.array([np.cos(yaw), np.sin(yaw)])
    reach = half
    for _ in range(3):
        ends = xy + reach * np.array([-1.0, 1.0])[:, None] * ahead                  # heel, ball
        heel, ball = ground.height(ends)
        if not (np.isfinite(heel) and np.isfinite(ball)):
            raise TerrainError(f"There is no ground under the foot at ({xy[0]:.2f}, {xy[1]:.2f}). "
                               "Let the path stay on the terrain, with room for the feet beside it.")
        incline = np.arctan2(ball - heel, 2 * reach)
        reach = half * np.cos(incline)
    across = 0.25 * half * np.array([-np.sin(yaw), np.cos(yaw)])
    left, right = ground.height(np.stack([xy + across, xy - across]))
    roll = (left - right) / (0.5 * half) if np.isfinite(left + right) else 0.0
    forward = np.array([*(np.cos(incline) * ahead), np.sin(incline)])
    sideways = np.array([-np.sin(yaw), np.cos(yaw), roll])
    sideways -= forward * (forward @ sideways)
    sideways /= np.linalg.norm(sideways)
    rotation = np.stack([forward, sideways, np.cross(forward, sideways)], -1)
    return np.array([*xy, 0.5 * (heel + ball)]), rotation


def forbidden_ground(ground: Ground, foot: Foot, xy: Array, yaw: Array) -> NDArray[np.bool_]:
    """Where a foot may not stand: ground missing or too steep anywhere under a capsule from heel to toe tip (C.3).

    (n, 2), (n,) -> (n,).
    """
    ahead = np.stack([np.cos(yaw), np.sin(yaw)], -1)[:, None]                        # (n, 1, 2)
    left = np.stack([-np.sin(yaw), np.cos(yaw)], -1)[:, None]
    length = foot.ball[0] - foot.heel[0]
    along = (np.array([foot.heel[0], foot.centre[0], foot.ball[0], foot.tip[0]]) - foot.centre[0])[:, None]
    axis = xy[:, None] + along * ahead                                              # (n, 4, 2)
    heights = ground.height(np.concatenate([axis, axis + 0.2 * length * left, axis - 0.2 * length * left], 1))
    missing = ~np.isfinite(heights).all(1)
    steep = np.ptp(np.where(np.isfinite(heights), heights, 0.0), axis=1) > STEEPEST * length * 1.3
    return missing | steep
