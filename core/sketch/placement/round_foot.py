"""Feet of any kind put on uneven ground, beside their place where that cannot carry them."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...terrain import Ground
from ...terrain.ground import Flat
from .sole import forbidden_ground, place_foot, sole_rotation

Array = NDArray[np.float64]

FELT = 0.037          # m around a point, within which the ground's inclination is felt
STEEPEST = np.tan(np.radians(42))
RINGS, WAYS = 5, 12   # places tried around one that cannot carry: so many circles, and so many on each
WIDEST = 0.3          # leg lengths, radius of the widest


@dataclass(frozen=True)
class Stood:
    """Where a foot stands."""

    position: Array       # (3,)
    rotation: Array       # (3, 3) forward, left and up of the ground under it


def stand_on(ground: Ground, foot: Foot, xy: Array, yaw: float, level: float, leg_length: float) -> Stood:
    """A foot on the ground at the nearest place to xy (2,) that can carry it.

    Args:
        level: height that stands in for ground that is missing, m.
    """
    if not isinstance(ground, Flat):
        xy = _nearest(ground, foot, xy, yaw, leg_length)
    if not foot.is_point:
        return Stood(*place_foot(ground, foot, xy, yaw, level))
    return point_on(ground, xy, yaw, level)


def point_on(ground: Ground, xy: Array, yaw: float, level: float) -> Stood:
    """A foot that touches the ground in one point, at xy (2,) and nowhere else; arguments as above."""
    ahead = np.array([np.cos(yaw), np.sin(yaw)])
    ways = FELT * np.array([[0.0, 0.0], ahead, -ahead, [-ahead[1], ahead[0]], [ahead[1], -ahead[0]]])
    here, front, rear, left, right = ground.height(xy + ways)
    rise, roll = float(front - rear) / (2 * FELT), float(left - right) / (2 * FELT)
    incline = float(np.arctan(rise)) if np.isfinite(rise) else 0.0
    return Stood(np.array([*xy, here if np.isfinite(here) else level]), sole_rotation(yaw, incline, roll))


def _nearest(ground: Ground, foot: Foot, xy: Array, yaw: float, leg_length: float) -> Array:
    """The first of places around one, from the middle outward, that is not forbidden; the middle where all are. (2,)."""
    angle = 2 * np.pi * np.arange(WAYS) / WAYS
    around = np.stack([np.cos(angle), np.sin(angle)], -1)
    radii = WIDEST * leg_length * np.arange(1, RINGS + 1) / RINGS
    places = np.concatenate([xy[None], (xy + radii[:, None, None] * around).reshape(-1, 2)])
    good = ~_forbidden(ground, foot, places, yaw)
    return np.asarray(places[int(np.argmax(good))])


def _forbidden(ground: Ground, foot: Foot, places: Array, yaw: float) -> NDArray[np.bool_]:
    """Where a foot may not stand: no ground, or too steep. (n, 2) -> (n,)."""
    if not foot.is_point:
        return forbidden_ground(ground, foot, places, np.full(len(places), yaw))
    return forbidden_to_points(ground, places)


def forbidden_to_points(ground: Ground, places: Array) -> NDArray[np.bool_]:
    """The same for a foot that touches the ground in one point."""
    cross = FELT * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    heights = ground.height((places[:, None] + cross).reshape(-1, 2)).reshape(-1, 4)
    slope = np.hypot(heights[:, 0] - heights[:, 1], heights[:, 2] - heights[:, 3]) / (2 * FELT)
    return np.asarray(~(slope < STEEPEST))
