"""Separation of a foot from the other foot and leg."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from ...character.capsule import LineSegment, find_nearest_points
from ...character.character import Character, Foot
from ...motion.footstep import Footstep
from .footholds import Footholds
from .sole import FootTarget

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootSeparationParameters:
    """How a foot is kept off the other foot and leg."""

    # Least distance between two soles [m]. Tuned: with 0.015, shins went into each other in half a
    # turn within two steps, test_apart.test_legs_that_pass_fast_or_in_a_tight_turn_hardly_touch.
    min_sole_gap: float = 0.025
    # Largest outward shift of a foot that would stand on the other one [m]. tuned: halved, the
    # error of angular momentum in a sharp turn is 0.012 instead of 0.007
    max_outward_shift: float = 0.25
    # Distances in front of or behind the other foot of a recovery step [m]. Tuned: with 0.5 and
    # 0.7, a pushed body kept staggering; with 0.2 and 0.4, a heel landed 4 cm deep in the other
    # foot's toes, test_apart.test_legs_that_return_from_a_crossing_step_hardly_touch.
    crossing_distances: tuple[float, float] = (0.25, 0.42)
    # Least offsets to its outer side of the other foot at these distances [m]: beside it up to the
    # first one, a foot's width apart, and past the second one it may cross by half a foot.
    crossing_offsets: tuple[float, float] = (0.09, -0.06)
    # Largest outward correction of a recovery step [m]. Tuned: with 0.6, three of ten bodies of
    # humanoid-push fell.
    max_crossing_correction: float = 0.36
    # Offset to the far side of the other foot from which soles are apart side by side [m]. tuned:
    # doubled, feet of a pushed body enter the ground by 3.4 mm instead of 1.9
    clear_offset: float = 0.11
    # Distance in front of or behind the other foot at which soles are apart [m]. Tuned: without it,
    # heels landed on the other foot and shins were 9 cm deep in each other; with 0.42 the next
    # swing jerked, test_apart.test_feet_that_catch_a_push_do_not_land_on_the_other_foot.
    clear_distance: float = 0.3
    # Places that are tried up to the largest outward shift. Numerical: 1 cm apart; half or twice of
    # them moves turns and stops by at most 2 cm (docs/dev/parameters.csv)
    candidate_count: int = 26


FOOT_SEPARATION = FootSeparationParameters()


def avoid_other_foot(
    character: Character,
    leg: int,
    target: FootTarget,
    other_step: Footstep,
    footholds: Footholds | None = None,
) -> Array:
    """Return the place of a foot that clears the other standing foot. (2,).

    The foot is shifted outward as far as needed. In a tight turn the outer foot swings around and
    could land on the toes of the inner one.

    Args:
        target: requested pose of leg `leg`.
        other_step: footstep of the other foot.
        footholds: where feet may stand; None for everywhere.
    """
    half_widths = sum(_get_sole_half_width(character, k) for k in (leg, other_step.leg))
    # Distance between the middles at which the soles are apart at any headings
    safe_distance = (
        half_widths
        + FOOT_SEPARATION.min_sole_gap
        + sum(_measure_sole_half_length(character, k) for k in (leg, other_step.leg))
    )
    if footholds is None and hypot(*(target.xy - other_step.position[:2])) > safe_distance:
        return target.xy
    shifts = np.linspace(0.0, FOOT_SEPARATION.max_outward_shift, FOOT_SEPARATION.candidate_count)
    # Most feet are clear where they are, so this place is tried by itself first.
    for tried in (shifts[:1], shifts):
        places = target.xy + tried[:, None] * (target.side * target.left)  # (candidates, 2)
        sole_segments = _locate_soles(character.feet[leg], places, target.yaw)
        other_segments = _locate_soles(
            character.feet[other_step.leg],
            np.tile(other_step.position[:2], (len(places), 1)),
            other_step.yaw,
        )
        distances = find_nearest_points(sole_segments, other_segments).distance
        is_free = distances >= half_widths + FOOT_SEPARATION.min_sole_gap
        if footholds is not None:
            is_free &= ~footholds.is_forbidden(places, np.full(len(places), target.yaw))
        if is_free.any():
            return places[int(np.argmax(is_free))]
    return target.xy


def avoid_crossing(place: Array, heading: float, side: int, other_step: Footstep) -> Array:
    """Return the place of a recovery step whose leg does not pass through the other one. (2,).

    The foot is shifted outward. It may cross over well in front of or behind the other foot, but
    hardly beside it. Where the next step would have to be too long and the foot would land on the
    other one, it lands in front of or behind it.

    Args:
        place: (2,) requested middle of the sole [m].
        heading: heading of the body [rad].
        side: 1 for a left foot, -1 for a right one.
    """
    forward = np.array([np.cos(heading), np.sin(heading)])
    left = np.array([-forward[1], forward[0]])
    offset = place - other_step.position[:2]
    min_lateral = float(
        np.interp(
            abs(offset @ forward),
            FOOT_SEPARATION.crossing_distances,
            FOOT_SEPARATION.crossing_offsets,
        )
    )
    outward = side * float(offset @ left)
    missing = max(min_lateral - outward, 0.0)
    shift = min(missing, FOOT_SEPARATION.max_crossing_correction)
    advance = 0.0
    if missing > shift and outward + shift > -FOOT_SEPARATION.clear_offset:
        along = float(offset @ forward)
        advance = np.copysign(max(abs(along), FOOT_SEPARATION.clear_distance), along) - along
    return place + side * shift * left + advance * forward


def _get_sole_half_width(character: Character, leg: int) -> float:
    return max(shape.radii[0] for shape in character.links[character.feet[leg].link].shapes)


def _measure_sole_half_length(character: Character, leg: int) -> float:
    """Return the distance from the middle of the sole to its farther end [m]."""
    foot = character.feet[leg]
    return float(max(abs((p - foot.sole_center)[0]) for p in (foot.heel, foot.tip)))


def _locate_soles(foot: Foot, places: Array, yaw: float) -> LineSegment:
    """Return the segments from heel to tip of level soles with middles at `places` (t, 2)."""
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    heel, tip = (places + (p - foot.sole_center)[0] * forward for p in (foot.heel, foot.tip))
    return LineSegment(np.pad(heel, ((0, 0), (0, 1))), np.pad(tip, ((0, 0), (0, 1))))
