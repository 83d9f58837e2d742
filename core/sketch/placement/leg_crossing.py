"""Footsteps that do not stand on the other foot."""
from __future__ import annotations

from math import hypot

import numpy as np
from numpy.typing import NDArray

from ...character.capsule import nearest
from ...character.character import Character, Foot
from ...motion.footstep import Footstep
from .footholds import Footing

Array = NDArray[np.float64]

ROOM = 0.025          # m between two soles at least
MOST = 0.25           # m that a foot is set further out
# m before or behind the other foot, and how far to its own side of it a foot is set down at least to catch the body
CROSSING = ((0.2, 0.4), (0.09, -0.06))
SET_BACK = 0.36       # m that it is set back for that at most: rather a leg that grazes the other than a fall
TRIED = 26            # places up to there


def set_beside(character: Character, leg: int, place: Array, yaw: float, heading: float, other: Footstep,
               footing: Footing | None = None) -> Array:
    """Where a foot is set down so that it is not on the other one, which still stands: as far out as that takes. (2,).

    In a tight turn the outer foot comes round, across the toes of the inner one.

    Args:
        place: (2,) that the middle of its sole would have.
        yaw: of the foot, rad.
        heading: of the body, rad; the foot's own side of it is out.
        footing: where feet may stand; None when they may everywhere.
    """
    width = sum(_half_width(character, k) for k in (leg, other.leg))
    clear = width + ROOM + sum(_length(character, k) for k in (leg, other.leg))            # however they are turned
    if footing is None and hypot(*(place - other.position[:2])) > clear:
        return place
    out = character.legs[leg].side * np.array([-np.sin(heading), np.cos(heading)])
    places = place + np.linspace(0.0, MOST, TRIED)[:, None] * out                         # (t, 2)
    here = _sole(character.feet[leg], places, yaw)
    there = _sole(character.feet[other.leg], np.tile(other.position[:2], (TRIED, 1)), other.yaw)
    one, two = nearest(here, there)
    free = np.linalg.norm(one - two, axis=1) >= width + ROOM
    if footing is not None:
        free &= ~footing.forbidden(places, np.full(TRIED, yaw))
    return places[int(np.argmax(free))] if free.any() else place


def uncrossed(place: Array, heading: float, side: int, other: Footstep) -> Array:
    """Where a foot that is to catch the body is set down, so that its leg does not go through the other one. (2,).

    It may cross over well before or behind the other foot, but hardly beside it, unless the body would have to step out too far
    after that.

    Args:
        place: (2,) that the middle of its sole would have.
        heading: of the body, rad.
        side: of the foot, 1 left or -1 right.
    """
    ahead = np.array([np.cos(heading), np.sin(heading)])
    left = np.array([-ahead[1], ahead[0]])
    away = place - other.position[:2]
    least = float(np.interp(abs(away @ ahead), *CROSSING))
    missing = max(least - side * float(away @ left), 0.0)
    return place + side * min(missing, SET_BACK) * left


def _half_width(character: Character, leg: int) -> float:
    return max(shape.radii[0] for shape in character.links[character.feet[leg].link].shapes)


def _length(character: Character, leg: int) -> float:
    """From the middle of the sole to its farther end, m."""
    foot = character.feet[leg]
    return float(max(abs((p - foot.centre)[0]) for p in (foot.heel, foot.tip)))


def _sole(foot: Foot, places: Array, yaw: float) -> tuple[Array, Array]:
    """Heel and tip of soles on level ground with their middle over places (t, 2). Each (t, 3)."""
    ahead = np.array([np.cos(yaw), np.sin(yaw)])
    heel, tip = (places + (p - foot.centre)[0] * ahead for p in (foot.heel, foot.tip))
    return np.pad(heel, ((0, 0), (0, 1))), np.pad(tip, ((0, 0), (0, 1)))
