"""Feet of any kind put on uneven ground, beside their place where that cannot carry them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...terrain import Ground
from ...terrain.ground import FlatGround
from .sole import is_forbidden_ground, make_sole_rotation, place_foot

Array = NDArray[np.float64]

SLOPE_PROBE_RADIUS = 0.037  # m around a point, within which the ground's inclination is felt
MAX_SLOPE = np.tan(np.radians(42))

# places tried around one that cannot carry: so many circles, and so many on each
SEARCH_RINGS = 5
SEARCH_DIRECTIONS = 12

MAX_SEARCH_RADIUS = 0.3  # leg lengths, radius of the widest


@dataclass(frozen=True)
class GroundedFootPose:
    """Where a foot stands."""

    position: Array  # (3,)
    rotation: Array  # (3, 3) forward, left and up of the ground under it


def place_foot_near(
    ground: Ground, foot: Foot, xy: Array, yaw: float, level: float, leg_length: float
) -> GroundedFootPose:
    """A foot on the ground at the nearest place to xy (2,) that can carry it.

    Args:
        level: height that stands in for ground that is missing, m.
    """
    if not isinstance(ground, FlatGround):
        xy = _find_nearest_allowed(ground, foot, xy, yaw=yaw, leg_length=leg_length)
    if not foot.is_point:
        return GroundedFootPose(*place_foot(ground, foot, xy, yaw=yaw, level=level))
    return place_point_foot(ground, xy, yaw, level)


def place_point_foot(ground: Ground, xy: Array, yaw: float, level: float) -> GroundedFootPose:
    """A foot that touches the ground in one point, at xy (2,) and nowhere
    else; arguments as above.
    """
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    probe_offsets = SLOPE_PROBE_RADIUS * np.array(
        [[0.0, 0.0], forward, -forward, [-forward[1], forward[0]], [forward[1], -forward[0]]]
    )
    center, front, rear, left, right = ground.sample_heights(xy + probe_offsets)
    forward_slope = float(front - rear) / (2 * SLOPE_PROBE_RADIUS)
    lateral_slope = float(left - right) / (2 * SLOPE_PROBE_RADIUS)
    incline = float(np.arctan(forward_slope)) if np.isfinite(forward_slope) else 0.0
    return GroundedFootPose(
        np.array([*xy, center if np.isfinite(center) else level]),
        make_sole_rotation(yaw, incline, lateral_slope),
    )


def _find_nearest_allowed(
    ground: Ground, foot: Foot, xy: Array, yaw: float, leg_length: float
) -> Array:
    """The first of places around one, from the middle outward, that is not forbidden;
    the middle where all are. (2,).
    """
    angle = 2 * np.pi * np.arange(SEARCH_DIRECTIONS) / SEARCH_DIRECTIONS
    directions = np.stack([np.cos(angle), np.sin(angle)], -1)
    radii = MAX_SEARCH_RADIUS * leg_length * np.arange(1, SEARCH_RINGS + 1) / SEARCH_RINGS
    places = np.concatenate([xy[None], (xy + radii[:, None, None] * directions).reshape(-1, 2)])
    is_allowed = ~_is_forbidden(ground, foot, places, yaw)
    return np.asarray(places[int(np.argmax(is_allowed))])


def _is_forbidden(ground: Ground, foot: Foot, places: Array, yaw: float) -> NDArray[np.bool_]:
    """Where a foot may not stand: no ground, or too steep. (n, 2) -> (n,)."""
    if not foot.is_point:
        return is_forbidden_ground(ground, foot, places, np.full(len(places), yaw))
    return is_forbidden_for_point_foot(ground, places)


def is_forbidden_for_point_foot(ground: Ground, places: Array) -> NDArray[np.bool_]:
    """The same for a foot that touches the ground in one point."""
    probe_offsets = SLOPE_PROBE_RADIUS * np.array(
        [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    )
    heights = ground.sample_heights((places[:, None] + probe_offsets).reshape(-1, 2)).reshape(-1, 4)
    slope = np.hypot(heights[:, 0] - heights[:, 1], heights[:, 2] - heights[:, 3]) / (
        2 * SLOPE_PROBE_RADIUS
    )
    return np.asarray(~(slope < MAX_SLOPE))
