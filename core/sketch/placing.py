"""Feet put on uneven ground: heel and ball touch it, the sole rolls with it."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..motion.footstep import Footstep
from ..terrain import Flat, Ground

Array = NDArray[np.float64]

SHARES = (1.0, 0.5, 0.0)      # of a shift, tried in turn
BEHIND = 0.09         # m that a heel keeps from a step up behind it, if it can
ROOM = 3              # places tried to each side of a footstep for how far it may be shifted
OTHER_LEVEL = 0.06    # m from the plane under a foot, above which the ground is at another level
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
    across = 0.25 * half * np.array([-np.sin(yaw), np.cos(yaw)])
    left, right = ground.height(np.stack([xy + across, xy - across]))
    roll = (left - right) / (0.5 * half) if np.isfinite(left + right) else 0.0
    forward = np.array([*(np.cos(incline) * ahead), np.sin(incline)])
    sideways = np.array([-np.sin(yaw), np.cos(yaw), roll])
    sideways -= forward * (forward @ sideways)
    sideways /= np.linalg.norm(sideways)
    rotation = np.stack([forward, sideways, np.cross(forward, sideways)], -1)
    return np.array([*xy, 0.5 * (heel + ball)]), rotation


def shifted_step(ground: Ground, foot: Foot, step: Footstep, xy: Array) -> Footstep:
    """A footstep with its middle over another place; only as far towards it as a foot may stand. (2,)."""
    for share in SHARES:
        place = step.position[:2] + share * (xy - step.position[:2])
        if isinstance(ground, Flat) or not forbidden_ground(ground, foot, place[None], np.array([step.yaw]))[0]:
            break
    position, rotation = place_foot(ground, foot, place, step.yaw, float(step.position[2]))
    return replace(step, position=position, rotation=rotation)


def shift_room(ground: Ground, foot: Foot, step: Footstep, most: float) -> Array | None:
    """How far a footstep may be shifted along x and y so that every place on the way carries the foot at about its height.

    A plan that reckons with a shift which the ground then refuses goes astray.

    Args:
        most: that is asked for to each side, m.

    Returns:
        (2, 2) the least and the most along x and y, m; None where nothing is in the way.
    """
    if isinstance(ground, Flat):
        return None
    ways = np.linspace(-1.0, 1.0, 2 * ROOM + 1) * most                                      # (w,)
    grid = np.stack(np.meshgrid(ways, ways, indexing="ij"), -1)                             # (w, w, 2)
    places = step.position[:2] + grid.reshape(-1, 2)
    normal = step.rotation[:, 2]
    level = step.position[2] - grid.reshape(-1, 2) @ normal[:2] / normal[2]
    height = ground.height(places)
    refused = forbidden_ground(ground, foot, places, np.full(len(places), step.yaw)) | ~(np.abs(height - level) < OTHER_LEVEL)
    refused = refused.reshape(grid.shape[:2])
    if not refused.any():
        return None
    low, high = _grown(refused)
    return np.stack([ways[low], ways[high]])


def _grown(refused: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last row and column of a rectangle around the middle that holds nothing refused; its sides grow in turn."""
    middle, last = len(refused) // 2, len(refused) - 1
    sides = np.array([[middle, middle], [middle, middle]])                                  # first, last by row, column
    growing = not refused[middle, middle]
    while growing:
        growing = False
        for end, axis in ((0, 0), (0, 1), (1, 0), (1, 1)):
            new = sides.copy()
            new[end, axis] += 2 * end - 1
            if 0 <= new[end, axis] <= last and not refused[new[0, 0]:new[1, 0] + 1, new[0, 1]:new[1, 1] + 1].any():
                sides, growing = new, True
    return sides[0], sides[1]


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
