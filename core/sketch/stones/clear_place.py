"""Places on stones where no neighboring stone is under the sole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...terrain import Ground
from ..placement.sole import measure_sole_depth, place_foot

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ClearPlaceParameters:
    """Search for a place on a stone."""

    # Rise of the ground above a sole from which the foot avoids it, and difference of height from
    # which a place is on another stone [m]; less than is seen.
    max_rise: float = 0.006
    # Angles from the path that a foot may have on a stone [rad], within the outward turn of human
    # feet, 0.25.
    likely_turns: tuple[float, ...] = (-0.25, 0.0, 0.25)
    # Distance between the places that are tried [m]. Numerical: a fifth of the farthest.
    spacing: float = 0.02
    # Their number in each direction, so that they are up to 10 cm away: half of a foot.
    count: int = 5


CLEAR_PLACE = ClearPlaceParameters()


def place_soles_on_stones(ground: Ground, foot: Foot, centers: Array, headings: Array) -> Array:
    """Return the places of feet whose soles are in the middle of stones. (n, 2) [m].

    The position of a foot is midway between heel and ball, but the whole sole, with the toes, is
    centered on a stone, or as far from it as higher stones beside it require.

    Args:
        ground: with the stones.
        foot: that steps on them.
        centers: (n, 2) of the stones [m].
        headings: (n,) of the path there [rad].
    """
    sole_offset = 0.5 * float(foot.heel[0] + foot.tip[0]) - float(foot.sole_center[0])
    places = centers - sole_offset * np.stack([np.cos(headings), np.sin(headings)], -1)
    turns = np.array(CLEAR_PLACE.likely_turns)
    return np.array(
        [
            find_clear_place(ground, foot, place, heading + turns)
            for place, heading in zip(places, headings, strict=True)
        ]
    ).reshape(-1, 2)


def find_clear_place(ground: Ground, foot: Foot, place: Array, yaws: Array) -> Array:
    """Return the nearest place on a stone where the ground does not rise above the sole.

    Stones may overlap, and a sole that is longer than its stone would end inside the next one. If
    there is no such place, it is the one where the ground rises least.

    Args:
        ground: with the stones.
        foot: that steps on the stone.
        place: (2,) place of the foot on the stone [m].
        yaws: (n,) headings that the foot may have [rad].
    """
    level = float(ground.sample_heights(place))
    if not np.isfinite(level):
        return place
    best = place
    least_rise = _measure_rise(ground, foot, place, yaws)
    if least_rise <= CLEAR_PLACE.max_rise:
        return place
    places = _list_places(place, float(yaws.mean()))
    is_on_stone = np.abs(ground.sample_heights(places) - level) < CLEAR_PLACE.max_rise
    for candidate in places[is_on_stone]:
        rise = _measure_rise(ground, foot, candidate, yaws)
        if rise < least_rise:
            best = candidate
            least_rise = rise
        if least_rise <= CLEAR_PLACE.max_rise:
            break
    return np.asarray(best)


def _measure_rise(ground: Ground, foot: Foot, place: Array, yaws: Array) -> float:
    """Return how far the ground rises above the sole at a place [m], at the worst heading."""
    level = float(ground.sample_heights(place))
    return max(
        measure_sole_depth(ground, foot, place_foot(ground, foot, place, float(yaw), level))
        for yaw in yaws
    )


def _list_places(place: Array, yaw: float) -> Array:
    """Return places around a place, the nearest first. (n, 2) [m]."""
    steps = CLEAR_PLACE.spacing * np.arange(-CLEAR_PLACE.count, CLEAR_PLACE.count + 1)
    along, across = (offsets.ravel() for offsets in np.meshgrid(steps, steps))
    order = np.argsort(np.hypot(along, across), kind="stable")
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    left = np.array([-forward[1], forward[0]])
    return np.asarray(place + along[order, None] * forward + across[order, None] * left)
