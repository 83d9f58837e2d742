"""Placement of feet of any kind, beside the requested place where that cannot carry them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...terrain import Ground
from ...terrain.ground import FlatGround
from .sole import GroundedFootPose, is_forbidden_ground, make_sole_rotation, place_foot

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PointFootParameters:
    """How point feet are placed, and where any foot is placed if its place cannot carry it."""

    slope_probe_radius: float = 0.037  # Distance from a point at which its slope is measured [m].
    # Steepest ground under a point foot, rise over run.
    max_slope: float = float(np.tan(np.radians(42)))
    # Circles of places that are tried around a place that cannot carry. Numerical: with the places
    # on each they are 5 to 15 cm apart for human legs.
    search_rings: int = 5
    search_directions: int = 12  # Places that are tried on each circle. Numerical.
    # Radius of the widest circle [leg lengths], half of a human step.
    max_search_radius: float = 0.3


POINT_FOOT = PointFootParameters()


def place_foot_near(
    ground: Ground, foot: Foot, xy: Array, yaw: float, level: float, leg_length: float
) -> GroundedFootPose:
    """Return the pose of a foot at the place nearest to `xy` (2,) that can carry it.

    Args:
        yaw: heading of the foot [rad].
        level: height that replaces missing ground [m].
        leg_length: leg length, which limits the search [m].
    """
    if not isinstance(ground, FlatGround):
        xy = _find_nearest_allowed(ground, foot, xy, yaw=yaw, leg_length=leg_length)
    if not foot.is_point:
        return place_foot(ground, foot, xy, yaw=yaw, level=level)
    return place_point_foot(ground, xy, yaw, level)


def place_point_foot(ground: Ground, xy: Array, yaw: float, level: float) -> GroundedFootPose:
    """Return the pose of a foot that touches the ground in the single point `xy` (2,).

    Args:
        yaw: heading of the foot [rad].
        level: height that replaces missing ground [m].
    """
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    probe_offsets = POINT_FOOT.slope_probe_radius * np.array(
        [[0.0, 0.0], forward, -forward, [-forward[1], forward[0]], [forward[1], -forward[0]]]
    )
    center, front, rear, left, right = ground.sample_heights(xy + probe_offsets)
    forward_slope = float(front - rear) / (2 * POINT_FOOT.slope_probe_radius)
    lateral_slope = float(left - right) / (2 * POINT_FOOT.slope_probe_radius)
    incline = float(np.arctan(forward_slope)) if np.isfinite(forward_slope) else 0.0
    return GroundedFootPose(
        np.array([*xy, center if np.isfinite(center) else level]),
        make_sole_rotation(yaw, incline, lateral_slope),
    )


def _find_nearest_allowed(
    ground: Ground, foot: Foot, xy: Array, yaw: float, leg_length: float
) -> Array:
    """Return the first allowed place, from the given one outward; the given one if none is allowed.

    (2,).
    """
    angle = 2 * np.pi * np.arange(POINT_FOOT.search_directions) / POINT_FOOT.search_directions
    directions = np.stack([np.cos(angle), np.sin(angle)], -1)
    radii = (
        POINT_FOOT.max_search_radius
        * leg_length
        * np.arange(1, POINT_FOOT.search_rings + 1)
        / POINT_FOOT.search_rings
    )
    places = np.concatenate([xy[None], (xy + radii[:, None, None] * directions).reshape(-1, 2)])
    is_allowed = ~_is_forbidden(ground, foot, places, yaw)
    return np.asarray(places[int(np.argmax(is_allowed))])


def _is_forbidden(ground: Ground, foot: Foot, places: Array, yaw: float) -> NDArray[np.bool_]:
    """Return where a foot may not stand: ground that is missing or too steep. (n, 2) -> (n,)."""
    if not foot.is_point:
        return is_forbidden_ground(ground, foot, places, np.full(len(places), yaw))
    return is_forbidden_for_point_foot(ground, places)


def is_forbidden_for_point_foot(ground: Ground, places: Array) -> NDArray[np.bool_]:
    """Return where a foot that touches the ground in one point may not stand. (n, 2) -> (n,)."""
    probe_offsets = POINT_FOOT.slope_probe_radius * np.array(
        [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    )
    heights = ground.sample_heights((places[:, None] + probe_offsets).reshape(-1, 2)).reshape(-1, 4)
    slope = np.hypot(heights[:, 0] - heights[:, 1], heights[:, 2] - heights[:, 3]) / (
        2 * POINT_FOOT.slope_probe_radius
    )
    return np.asarray(~(slope < POINT_FOOT.max_slope))
