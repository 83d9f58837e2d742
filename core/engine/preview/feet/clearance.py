"""Clearance of a swinging foot over the ground between its footholds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....simulate.swinging import (
    SWING,
    compute_peel,
    compute_progress,
    evaluate_swing_height,
)
from ....slip.command import HeightFunction
from ..ground.foothold_field import MAX_SLOPE

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ClearanceParameters:
    """Heights of swings, and the ground that they clear."""

    # Least apex of a swing above the straight line between its footholds [m]. Guarded by
    # test_preview.test_feet_swing_over_obstacles
    min_apex: float = 0.07
    # Largest apex [m], two thirds of the height of a knee; ground that is higher is a wall, which
    # no swing clears.
    max_apex: float = 0.30
    # Clearance of the toes above the ground [m]. Guarded by the same test
    toe_clearance: float = 0.04
    # Clearance of the heel above the ground [m].
    heel_clearance: float = 0.015
    # Part of the duration before its end at which a foot is above its foothold [1].
    arrival_lead_share: float = 0.1
    # Height above the place that the foot left from which the ground can catch its toes [m], which
    # hang as the foot rolls off the ground; up to it `toe_clearance` is enough.
    catch_height: float = 0.04
    # Rise over run of the ground up to which a sole lies along it [1], 27 degrees; a steeper line
    # from heel to toes crosses an edge.
    max_sole_slope: float = 0.5
    # Distance ahead of a foot at which its shin can strike the ground [m], the length of the toes.
    shin_distance: float = 0.2
    # Height of the ground there above the sole from which it does [m]; lower ground meets the toes.
    shin_height: float = 0.2
    # Difference of height of level ground [m], that of a cell of the slopes that feet rise along
    # without looking.
    level_tolerance: float = 0.02
    # Height that stands for no ground, below all ground [m]. Without it heights that are no
    # numbers would spread to all maxima.
    missing_height: float = -10.0


CLEARANCE = ClearanceParameters()

# Parts of the duration of a swing at which the ground is sampled [1]. Nearer to its ends the foot
# is low in any case.
SWING_SHARES = np.linspace(0.12, 0.85, 20)
# Parts of the duration from which a foot that comes down lower may sink [1]. Down a slope a foot
# that kept its height came from too high too late.
SINK_SHARES = (0.0, 0.15, 0.3, SWING.sink_start_share)
# Times ahead at which the ground under a moving foot is sampled [s].
LOOKAHEAD_TIMES = np.array([0.0, 0.03, 0.06, 0.09])
# Shape of a swing above the straight line, (shares,), with its apex at 1 [1].
BUMP_PROFILE = 16 * (SWING_SHARES * (1 - SWING_SHARES)) ** 2
# Part of the clearance that is required, (shares,) [1]: less near the ends of the swing, where the
# foot comes from the ground or moves to it.
CLEARANCE_PROFILE = np.minimum(1.7 * BUMP_PROFILE, 1.0)
# Heights of a foot above the place that it left, relative to the length of the toes [1].
RISE_RATIOS = np.linspace(0.0, 4.0, 41)
# Heights of its toes then, which hang while the foot rolls off the ground, (shares, rises) [1].
TOE_DROP_RATIOS = RISE_RATIOS - np.sin(compute_peel(SWING_SHARES[:, None], RISE_RATIOS))


@dataclass(frozen=True)
class SwingHeight:
    """Vertical course of a swing.

    Attributes:
        apex: height above the straight line between the footholds [m].
        sink_share: part of the duration after which a foot that comes down lower sinks [1].
    """

    apex: float
    sink_share: float


def compute_swing_height(
    ground_height: HeightFunction | None,
    start: Array,
    target: Array,
    toe: float,
    heel: float,
    has_edges: bool = False,
) -> SwingHeight:
    """Return the lowest swing that clears the ground between two footholds.

    A foot that comes down lower sinks as early as the ground between allows.

    Args:
        ground_height: as in `StepGoal`; None where the ground is level.
        start, target: (3,) footholds [m].
        toe, heel: lengths of the foot ahead of its middle and behind it [m].
        has_edges: whether the ground has edges.
    """
    if ground_height is None:
        return SwingHeight(CLEARANCE.min_apex, SWING.sink_start_share)
    required = _compute_required_heights(ground_height, start, target, toe, heel, has_edges)
    rise = float(target[2] - start[2])
    for sink_share in SINK_SHARES if rise < 0 else (SWING.sink_start_share,):
        shortfall = required - evaluate_swing_height(SWING_SHARES, rise, 0.0, sink_share).value
        apex = float(
            np.clip((shortfall / BUMP_PROFILE).max(), CLEARANCE.min_apex, CLEARANCE.max_apex)
        )
        if apex <= CLEARANCE.min_apex:
            break
    return SwingHeight(apex, sink_share)


def _compute_required_heights(
    ground_height: HeightFunction,
    start: Array,
    target: Array,
    toe: float,
    heel: float,
    has_edges: bool,
) -> Array:
    """Return the heights that a foot needs during a swing, above its start, (shares,) [m].

    Args as in `compute_swing_height`.
    """
    displacement = target[:2] - start[:2]
    ahead = displacement / max(float(np.linalg.norm(displacement)), 1e-6)
    share = compute_progress(SWING_SHARES, CLEARANCE.arrival_lead_share)
    places = start[:2] + share[:, None] * displacement
    # The sole turns from the slope of the ground at its start to that at its end.
    ends = np.stack([start[:2], target[:2]])
    slopes = (ground_height(ends + toe * ahead) - ground_height(ends - heel * ahead)) / (toe + heel)
    slopes = np.where(np.abs(slopes) < CLEARANCE.max_sole_slope, slopes, 0.0)
    tilt = (1 - share) * slopes[0] + share * slopes[1]
    toe_ground = ground_height(places + toe * ahead)
    toes = toe_ground - tilt * toe + CLEARANCE.toe_clearance * CLEARANCE_PROFILE
    if has_edges:
        is_higher = toe_ground > start[2] + CLEARANCE.catch_height
        toes = np.where(is_higher, _raise_hanging_toes(toes, start[2], toe), toes)
    heel_ground = ground_height(places - heel * ahead)
    heels = heel_ground + tilt * heel + CLEARANCE.heel_clearance * CLEARANCE_PROFILE
    return np.nan_to_num(np.fmax(toes, heels), nan=CLEARANCE.missing_height) - start[2]


def _raise_hanging_toes(toes: Array, start_height: float, toe_length: float) -> Array:
    """Return the heights of a foot at which its hanging toes have the given heights, (shares,) [m].

    Args:
        toes: (shares,) heights of the toes [m].
        start_height: height of the place that the foot left [m].
        toe_length: length of the toes [m].
    """
    rises = np.array(
        [
            np.interp(height - start_height, toe_length * ratios, toe_length * RISE_RATIOS)
            for height, ratios in zip(toes, TOE_DROP_RATIOS, strict=True)
        ]
    )
    return start_height + rises


def compute_clearance_deficit(
    ground_height: HeightFunction | None, points: Array, foot: Array, velocity: Array, place: Array
) -> float:
    """Return how much a swinging foot is too low for the ground ahead of it [m]; 0 if it is not.

    Args:
        ground_height: as in `StepGoal`; None where no edge is near.
        points: (k, 3) points of its sole [m].
        foot: (3,) its middle [m].
        velocity: (3,) velocity of its middle [m/s].
        place: (3,) foothold [m]. The ground up to its height needs no clearance.
    """
    if ground_height is None:
        return 0.0
    offset = place[:2] - foot[:2]
    distance_left = float(np.linalg.norm(offset))
    speed = float(np.linalg.norm(velocity[:2]))
    distances = np.minimum(LOOKAHEAD_TIMES * speed, distance_left)
    displacement = distances[:, None] * velocity[:2] / max(speed, 1e-6)
    ground = ground_height(points[:, None, :2] + displacement)  # (k, t)
    ground = np.nan_to_num(ground, nan=CLEARANCE.missing_height)
    # The foot rises along a slope in any case, but not over an edge.
    max_rise = MAX_SLOPE * distances + CLEARANCE.level_tolerance
    is_edge = ground - ground[:, :1] > max_rise
    ground[:, 1:][~is_edge[:, 1:]] = CLEARANCE.missing_height
    is_higher = ground > place[2] + CLEARANCE.level_tolerance
    clearance = np.where(is_higher, CLEARANCE.heel_clearance, 0.0)
    shin_offset = min(CLEARANCE.shin_distance, distance_left) * offset / max(distance_left, 1e-6)
    shin_ground = np.nan_to_num(
        ground_height(points[:, :2] + shin_offset), nan=CLEARANCE.missing_height
    )
    deficit = np.maximum(
        (ground + clearance - points[:, None, 2]).max(1),
        shin_ground - CLEARANCE.shin_height - points[:, 2],
    )
    return float(np.clip(deficit.max(), 0.0, CLEARANCE.max_apex))
