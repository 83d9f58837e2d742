"""Footsteps that a plan shifts: as far as the ground carries them."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...motion.footstep import Footstep
from ...terrain import Flat, Ground
from .forefoot import ball_from_middle, heel_raise, place_forefoot
from .leg_crossing import uncrossed
from .round_foot import forbidden_to_points, point_on
from .sole import forbidden_ground, place_foot

Array = NDArray[np.float64]

SHARES = (1.0, 0.5, 0.0)      # of a shift, tried in turn
ROOM = 3              # places tried to each side of a footstep for how far it may be shifted
OTHER_LEVEL = 0.06    # m from the plane under a foot, above which the ground is at another level


def shifted_step(ground: Ground, foot: Foot, step: Footstep, xy: Array) -> Footstep:
    """A footstep with its middle over another place; only as far towards it as a foot may stand. (2,)."""
    for share in SHARES:
        place = step.position[:2] + share * (xy - step.position[:2])
        if isinstance(ground, Flat) or not _refused(ground, foot, step, place[None])[0]:
            break
    if foot.is_point:
        stood = point_on(ground, place, step.yaw, float(step.position[2]))
        return replace(step, position=stood.position, rotation=stood.rotation)
    if step.raised is not None:
        ball = place + ball_from_middle(foot, step.yaw)
        position, rotation = place_forefoot(ground, foot, ball, step.yaw, float(step.position[2]))
    else:
        position, rotation = place_foot(ground, foot, place, step.yaw, float(step.position[2]))
    return replace(step, position=position, rotation=rotation)


def _refused(ground: Ground, foot: Foot, step: Footstep, places: Array) -> NDArray[np.bool_]:
    """Where what stands of a footstep's foot may not, for places of its middle. (n, 2) -> (n,)."""
    if foot.is_point:
        return forbidden_to_points(ground, places)
    yaw = np.full(len(places), step.yaw)
    if step.raised is None:
        return forbidden_ground(ground, foot, places, yaw)
    return ~(heel_raise(ground, foot, places + ball_from_middle(foot, step.yaw), yaw) <= step.raised + 1e-9)


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
    carried = places if step.raised is None or foot.is_point else places + ball_from_middle(foot, step.yaw)
    refused = _refused(ground, foot, step, places) | ~(np.abs(ground.height(carried) - level) < OTHER_LEVEL)
    refused = refused.reshape(grid.shape[:2])
    if not refused.any():
        return None
    low, high = _grown(refused)
    return np.stack([ways[low], ways[high]])


def uncrossed_room(step: Footstep, other: Footstep, side: int, heading: float, room: Array | None, most: float) -> Array:
    """The part of a footstep's room in which its leg does not go through the other one, where it catches a pushed body.

    Args:
        other: the footstep before it.
        side: of the foot, 1 left or -1 right.
        heading: of the body, rad.
        room: (2, 2) the least and the most along x and y, m; None for `most` to each side.
    """
    low, high = most * np.array([[-1.0], [1.0]]) * np.ones(2) if room is None else room
    ways = [np.linspace(a, b, 4 * ROOM + 1) for a, b in zip(low, high, strict=True)]
    ways = [w - w[np.argmin(np.abs(w))] for w in ways]                                     # no shift at all is among them
    places = step.position[:2] + np.stack(np.meshgrid(*ways, indexing="ij"), -1)           # (w, w, 2)
    moved = [[np.abs(uncrossed(p, heading, side, other) - p).max() for p in row] for row in places]
    here = float(np.abs(uncrossed(step.position[:2], heading, side, other) - step.position[:2]).max())
    refused = np.array(moved) > here + 1e-6
    first, last = _grown(refused, tuple(int(np.argmin(np.abs(w))) for w in ways))
    return np.array([[w[i] for w, i in zip(ways, first, strict=True)], [w[i] for w, i in zip(ways, last, strict=True)]])


def _grown(refused: NDArray[np.bool_], middle: tuple[int, ...] | None = None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last row and column of a rectangle around the middle that holds nothing refused; its sides grow in turn."""
    last = len(refused) - 1
    middle = (len(refused) // 2,) * 2 if middle is None else middle
    sides = np.array([middle, middle])                                                      # first, last by row, column
    growing = not refused[middle]
    while growing:
        growing = False
        for end, axis in ((0, 0), (0, 1), (1, 0), (1, 1)):
            new = sides.copy()
            new[end, axis] += 2 * end - 1
            if 0 <= new[end, axis] <= last and not refused[new[0, 0]:new[1, 0] + 1, new[0, 1]:new[1, 1] + 1].any():
                sides, growing = new, True
    return sides[0], sides[1]
