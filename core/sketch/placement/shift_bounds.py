"""Footsteps that a plan shifts: as far as the ground carries them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...motion.footstep import Footstep
from ...terrain import FlatGround, Ground
from .forefoot import compute_ball_offset, compute_heel_raise, place_forefoot
from .leg_crossing import avoid_crossing
from .round_foot import is_forbidden_for_point_foot, place_point_foot
from .sole import is_forbidden_ground, place_foot

Array = NDArray[np.float64]

SHIFT_SHARES = (1.0, 0.5, 0.0)  # of a shift, tried in turn
BOUND_SAMPLES = 3  # places tried to each side of a footstep for how far it may be shifted
# m from the plane under a foot, above which the ground is at another level
MAX_LEVEL_DIFFERENCE = 0.06


def shift_footstep(ground: Ground, foot: Foot, footstep: Footstep, target: Array) -> Footstep:
    """A footstep with its middle over another place;
    only as far towards it as a foot may stand. (2,).
    """
    for share in SHIFT_SHARES:
        place = footstep.position[:2] + share * (target - footstep.position[:2])
        if (
            isinstance(ground, FlatGround)
            or not _is_forbidden(ground, foot, footstep, place[None])[0]
        ):
            break
    if foot.is_point:
        pose = place_point_foot(ground, place, footstep.yaw, float(footstep.position[2]))
        return replace(footstep, position=pose.position, rotation=pose.rotation)
    if footstep.heel_raise is not None:
        ball = place + compute_ball_offset(foot, footstep.yaw)
        position, rotation = place_forefoot(
            ground, foot, ball, yaw=footstep.yaw, level=float(footstep.position[2])
        )
    else:
        position, rotation = place_foot(
            ground, foot, place, yaw=footstep.yaw, level=float(footstep.position[2])
        )
    return replace(footstep, position=position, rotation=rotation)


def _is_forbidden(
    ground: Ground, foot: Foot, footstep: Footstep, places: Array
) -> NDArray[np.bool_]:
    """Where what stands of a footstep's foot may not, for places of its middle. (n, 2) -> (n,)."""
    if foot.is_point:
        return is_forbidden_for_point_foot(ground, places)
    yaw = np.full(len(places), footstep.yaw)
    if footstep.heel_raise is None:
        return is_forbidden_ground(ground, foot, places, yaw)
    return ~(
        compute_heel_raise(ground, foot, places + compute_ball_offset(foot, footstep.yaw), yaw)
        <= footstep.heel_raise + 1e-9
    )


def compute_shift_bounds(
    ground: Ground, foot: Foot, footstep: Footstep, max_shift: float
) -> Array | None:
    """How far a footstep may be shifted along x and y so that every place on the way carries the
    foot at about its height.

    A plan that reckons with a shift which the ground then refuses goes astray.

    Args:
        max_shift: that is asked for to each side, m.

    Returns:
        (2, 2) the least and the most along x and y, m; None where nothing is in the way.
    """
    if isinstance(ground, FlatGround):
        return None
    offsets = np.linspace(-1.0, 1.0, 2 * BOUND_SAMPLES + 1) * max_shift  # (w,)
    grid = np.stack(np.meshgrid(offsets, offsets, indexing="ij"), -1)  # (w, w, 2)
    places = footstep.position[:2] + grid.reshape(-1, 2)
    normal = footstep.rotation[:, 2]
    plane_heights = footstep.position[2] - grid.reshape(-1, 2) @ normal[:2] / normal[2]
    support_places = (
        places
        if footstep.heel_raise is None or foot.is_point
        else places + compute_ball_offset(foot, footstep.yaw)
    )
    is_forbidden = _is_forbidden(ground, foot, footstep, places) | ~(
        np.abs(ground.sample_heights(support_places) - plane_heights) < MAX_LEVEL_DIFFERENCE
    )
    is_forbidden = is_forbidden.reshape(grid.shape[:2])
    if not is_forbidden.any():
        return None
    low, high = _grow_rectangle(is_forbidden)
    return np.stack([offsets[low], offsets[high]])


def compute_uncrossed_bounds(
    footstep: Footstep,
    other_step: Footstep,
    side: int,
    heading: float,
    bounds: Array | None,
    max_shift: float,
) -> Array:
    """The part of a footstep's room in which its leg does not go through the other one,
    where it catches a pushed body.

    Args:
        other_step: the footstep before it.
        side: of the foot, 1 left or -1 right.
        heading: of the body, rad.
        bounds: (2, 2) the least and the most along x and y, m; None for `max_shift` to each side.
    """
    low, high = max_shift * np.array([[-1.0], [1.0]]) * np.ones(2) if bounds is None else bounds
    offsets = [np.linspace(a, b, 4 * BOUND_SAMPLES + 1) for a, b in zip(low, high, strict=True)]
    offsets = [w - w[np.argmin(np.abs(w))] for w in offsets]  # no shift at all is among them
    places = footstep.position[:2] + np.stack(np.meshgrid(*offsets, indexing="ij"), -1)  # (w, w, 2)
    corrections = [
        [np.abs(avoid_crossing(p, heading, side, other_step) - p).max() for p in row]
        for row in places
    ]
    current_correction = float(
        np.abs(
            avoid_crossing(footstep.position[:2], heading, side, other_step) - footstep.position[:2]
        ).max()
    )
    is_crossing = np.array(corrections) > current_correction + 1e-6
    first, last = _grow_rectangle(is_crossing, tuple(int(np.argmin(np.abs(w))) for w in offsets))
    return np.array(
        [
            [w[i] for w, i in zip(offsets, first, strict=True)],
            [w[i] for w, i in zip(offsets, last, strict=True)],
        ]
    )


def _grow_rectangle(
    blocked: NDArray[np.bool_], start: tuple[int, ...] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last row and column of a rectangle around the middle that holds nothing refused;
    its sides grow in turn.
    """
    last = len(blocked) - 1
    start = (len(blocked) // 2,) * 2 if start is None else start
    rectangle = np.array([start, start])  # first, last by row, column
    growing = not blocked[start]
    while growing:
        growing = False
        for end, axis in ((0, 0), (0, 1), (1, 0), (1, 1)):
            new = rectangle.copy()
            new[end, axis] += 2 * end - 1
            if (
                0 <= new[end, axis] <= last
                and not blocked[new[0, 0] : new[1, 0] + 1, new[0, 1] : new[1, 1] + 1].any()
            ):
                rectangle = new
                growing = True
    return rectangle[0], rectangle[1]
