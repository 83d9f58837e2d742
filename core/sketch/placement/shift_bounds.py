"""Bounds on the shift of a footstep by the plan: as far as the ground carries the foot."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class ShiftParameters:
    """How far the plan may shift footsteps.

    Tuned: without bounds, a plan that shifted a foot over an edge was executed without the shift.
    """

    # Shares of a requested shift that are tried in this order.
    tried_shares: tuple[float, float, float] = (1.0, 0.5, 0.0)
    bound_samples: int = 3  # Shifts that are tested to each side of a footstep.
    # Distance from the plane under a foot above which the ground is at another level [m].
    max_level_difference: float = 0.06


SHIFT = ShiftParameters()


def shift_footstep(ground: Ground, foot: Foot, footstep: Footstep, target: Array) -> Footstep:
    """Return a footstep moved toward another place of its middle, as far as the foot may stand.

    Args:
        target: (2,) requested place [m].
    """
    for share in SHIFT.tried_shares:
        place = footstep.position[:2] + share * (target - footstep.position[:2])
        if (
            isinstance(ground, FlatGround)
            or not _is_forbidden(ground, foot, footstep, place[None])[0]
        ):
            break
    if foot.is_point:
        pose = place_point_foot(ground, place, footstep.yaw, float(footstep.position[2]))
    elif footstep.heel_raise is not None:
        ball = place + compute_ball_offset(foot, footstep.yaw)
        pose = place_forefoot(
            ground, foot, ball, yaw=footstep.yaw, level=float(footstep.position[2])
        )
    else:
        pose = place_foot(ground, foot, place, yaw=footstep.yaw, level=float(footstep.position[2]))
    return replace(footstep, position=pose.position, rotation=pose.rotation)


def _is_forbidden(
    ground: Ground, foot: Foot, footstep: Footstep, places: Array
) -> NDArray[np.bool_]:
    """Return where the supporting part of a foot may not stand. (n, 2) -> (n,).

    Args:
        places: (n, 2) places of the middle of the sole [m].
    """
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
    """Return how far a footstep may shift on ground that carries the foot.

    Every place in between must carry it at about the same height. Without these bounds the plan
    would rely on shifts that the ground then refuses.

    Args:
        max_shift: largest shift to each side [m].

    Returns:
        (2, 2) lowest and highest shift along x and y [m]; None where the ground allows all of them.
    """
    if isinstance(ground, FlatGround):
        return None
    offsets = np.linspace(-1.0, 1.0, 2 * SHIFT.bound_samples + 1) * max_shift  # (w,)
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
        np.abs(ground.sample_heights(support_places) - plane_heights) < SHIFT.max_level_difference
    )
    is_forbidden = is_forbidden.reshape(grid.shape[:2])
    if not is_forbidden.any():
        return None
    rectangle = _grow_rectangle(is_forbidden)
    return np.stack([offsets[rectangle.first], offsets[rectangle.last]])


def compute_uncrossed_bounds(
    footstep: Footstep,
    other_step: Footstep,
    side: int,
    heading: float,
    bounds: Array | None,
    max_shift: float,
) -> Array:
    """Return the bounds of a recovery step within which the legs do not cross. (2, 2) [m].

    Args:
        other_step: the previous footstep.
        side: 1 for a left foot, -1 for a right one.
        heading: heading of the body [rad].
        bounds: (2, 2) lowest and highest shift along x and y [m]; None for `max_shift` to each
            side.
        max_shift: largest shift to each side [m].
    """
    low, high = max_shift * np.array([[-1.0], [1.0]]) * np.ones(2) if bounds is None else bounds
    offsets = [
        np.linspace(a, b, 4 * SHIFT.bound_samples + 1) for a, b in zip(low, high, strict=True)
    ]
    offsets = [w - w[np.argmin(np.abs(w))] for w in offsets]  # the grid includes a shift of zero
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
    rectangle = _grow_rectangle(is_crossing, tuple(int(np.argmin(np.abs(w))) for w in offsets))
    return np.array(
        [
            [w[i] for w, i in zip(offsets, corner, strict=True)]
            for corner in (rectangle.first, rectangle.last)
        ]
    )


@dataclass(frozen=True)
class _IndexRectangle:
    """A rectangle of grid cells.

    Args:
        first: (2,) lowest row and column.
        last: (2,) highest row and column, inclusive.
    """

    first: IntArray
    last: IntArray


def _grow_rectangle(
    blocked: NDArray[np.bool_], start: tuple[int, ...] | None = None
) -> _IndexRectangle:
    """Return a rectangle of cells that are not blocked.

    It grows from a start cell, one side after another.

    Args:
        blocked: (n, n) cells that the rectangle must not contain.
        start: row and column of the first cell; the middle by default.
    """
    last = len(blocked) - 1
    start = (len(blocked) // 2,) * 2 if start is None else start
    rectangle = np.array([start, start])  # (first and last, row and column)
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
    return _IndexRectangle(rectangle[0], rectangle[1])
