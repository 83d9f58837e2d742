"""Footsteps that do not stand on the other foot."""

from __future__ import annotations

from math import hypot

import numpy as np
from numpy.typing import NDArray

from ...character.capsule import find_nearest_points
from ...character.character import Character, Foot
from ...motion.footstep import Footstep
from .footholds import Footholds

Array = NDArray[np.float64]

MIN_SOLE_GAP = 0.025  # m between two soles at least
MAX_OUTWARD_SHIFT = 0.25  # m that a foot is set further out
# m before or behind the other foot, and how far to its own side of it a foot is set down at
# least to catch the body
CROSSING_CLEARANCE = ((0.2, 0.4), (0.09, -0.06))
# m that it is set back for that at most: rather a leg that grazes the other than a fall
MAX_CROSSING_CORRECTION = 0.36
CANDIDATE_COUNT = 26  # places up to there


def avoid_other_foot(
    character: Character,
    leg: int,
    place: Array,
    yaw: float,
    heading: float,
    other_step: Footstep,
    footholds: Footholds | None = None,
) -> Array:
    """Where a foot is set down so that it is not on the other one, which still stands:
    as far out as that takes. (2,).

    In a tight turn the outer foot comes round, across the toes of the inner one.

    Args:
        place: (2,) that the middle of its sole would have.
        yaw: of the foot, rad.
        heading: of the body, rad; the foot's own side of it is out.
        footholds: where feet may stand; None when they may everywhere.
    """
    half_widths = sum(_get_sole_half_width(character, k) for k in (leg, other_step.leg))
    # however they are turned
    safe_distance = (
        half_widths
        + MIN_SOLE_GAP
        + sum(_measure_sole_half_length(character, k) for k in (leg, other_step.leg))
    )
    if footholds is None and hypot(*(place - other_step.position[:2])) > safe_distance:
        return place
    outward = character.legs[leg].side * np.array([-np.sin(heading), np.cos(heading)])
    # (t, 2)
    places = place + np.linspace(0.0, MAX_OUTWARD_SHIFT, CANDIDATE_COUNT)[:, None] * outward
    sole_segments = _locate_soles(character.feet[leg], places, yaw)
    other_segments = _locate_soles(
        character.feet[other_step.leg],
        np.tile(other_step.position[:2], (CANDIDATE_COUNT, 1)),
        other_step.yaw,
    )
    near_points, other_points = find_nearest_points(sole_segments, other_segments)
    is_free = np.linalg.norm(near_points - other_points, axis=1) >= half_widths + MIN_SOLE_GAP
    if footholds is not None:
        is_free &= ~footholds.is_forbidden(places, np.full(CANDIDATE_COUNT, yaw))
    return places[int(np.argmax(is_free))] if is_free.any() else place


def avoid_crossing(place: Array, heading: float, side: int, other_step: Footstep) -> Array:
    """Where a foot that is to catch the body is set down, so that its leg does not go
    through the other one. (2,).

    It may cross over well before or behind the other foot, but hardly beside it, unless the body
    would have to step out too far after that.

    Args:
        place: (2,) that the middle of its sole would have.
        heading: of the body, rad.
        side: of the foot, 1 left or -1 right.
    """
    forward = np.array([np.cos(heading), np.sin(heading)])
    left = np.array([-forward[1], forward[0]])
    offset = place - other_step.position[:2]
    min_lateral = float(np.interp(abs(offset @ forward), *CROSSING_CLEARANCE))
    missing = max(min_lateral - side * float(offset @ left), 0.0)
    return place + side * min(missing, MAX_CROSSING_CORRECTION) * left


def _get_sole_half_width(character: Character, leg: int) -> float:
    return max(shape.radii[0] for shape in character.links[character.feet[leg].link].shapes)


def _measure_sole_half_length(character: Character, leg: int) -> float:
    """From the middle of the sole to its farther end, m."""
    foot = character.feet[leg]
    return float(max(abs((p - foot.sole_center)[0]) for p in (foot.heel, foot.tip)))


def _locate_soles(foot: Foot, places: Array, yaw: float) -> tuple[Array, Array]:
    """Heel and tip of soles on level ground with their middle over places (t, 2). Each (t, 3)."""
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    heel, tip = (places + (p - foot.sole_center)[0] * forward for p in (foot.heel, foot.tip))
    return np.pad(heel, ((0, 0), (0, 1))), np.pad(tip, ((0, 0), (0, 1)))
