"""How high a foot must swing to clear the ground on its way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....simulate.swinging import (
    SINK_START_SHARE,
    compute_peel,
    compute_progress,
    evaluate_swing_height,
)
from ....slip.command import HeightFunction

Array = NDArray[np.float64]

# m of the swing's height above the way between both places
MIN_SWING_HEIGHT = 0.07
MAX_SWING_HEIGHT = 0.30

GROUND_CLEARANCES = 0.04, 0.015  # m that toes and heel keep from the ground
# of the swing's time that are looked at: nearer to its ends the foot is low anyhow
SWING_SHARES = np.linspace(0.12, 0.85, 20)
# of that time, after which a foot may sink that comes down lower
SINK_SHARES = 0.0, 0.15, 0.3, SINK_START_SHARE
ARRIVAL_LEAD_SHARE = 0.1  # of its time before the end, at which a foot is over its place
# heights of a foot above where it left, in distances from its middle to its toes, and
RISE_RATIOS = np.linspace(0.0, 4.0, 41)
# those of its toes, which hang as it peels off: (share, height)
TOE_DROP_RATIOS = RISE_RATIOS - np.sin(compute_peel(SWING_SHARES[:, None], RISE_RATIOS))
BUMP_PROFILE = 16 * (SWING_SHARES * (1 - SWING_SHARES)) ** 2
LOOKAHEAD_TIMES = np.array([0.0, 0.03, 0.06, 0.09])  # s that a foot is to see ahead
# m ahead of a foot that its shin leans, and m that the ground there may be higher
SHIN_LIMITS = (0.2, 0.2)
CATCH_HEIGHT = 0.04  # m above where it left, from which the ground is what toes may catch
MAX_SOLE_SLOPE = 0.5  # rise over run of ground that a sole lies along

# m that ground may be higher to count as level, and rise over run of ground that is no edge
LEVEL_TOLERANCE = 0.02
MAX_SLOPE = 0.7

# of that distance: less near the ends, where the foot comes from the ground or to it
TOE_CLEARANCE_PROFILE = np.minimum(1.7 * BUMP_PROFILE, 1.0)


def compute_swing_height(
    ground_height: HeightFunction | None,
    start: Array,
    target: Array,
    toe: float,
    heel: float,
    has_edges: bool = False,
) -> tuple[float, float]:
    """Height of a swing above the way from one place (3,) to the other, m,
    and the share of it after which it sinks.

    A foot that comes down lower sinks as early as what is on its way allows: late, it would come
    from high above and too late.

    Args:
        ground_height: of the ground; None where it is level.
        toe, heel: how far the foot reaches ahead of its middle and behind it, m.
        has_edges: whether the ground has edges.
    """
    if ground_height is None:
        return MIN_SWING_HEIGHT, SINK_START_SHARE
    displacement = target[:2] - start[:2]
    ahead = displacement / max(float(np.linalg.norm(displacement)), 1e-6)
    share = compute_progress(SWING_SHARES, ARRIVAL_LEAD_SHARE)
    places = start[:2] + share[:, None] * displacement
    ends = np.stack([start[:2], target[:2]])
    # the sole is as steep as the ground that it comes from and to
    slopes = (ground_height(ends + toe * ahead) - ground_height(ends - heel * ahead)) / (toe + heel)
    slopes = np.where(np.abs(slopes) < MAX_SOLE_SLOPE, slopes, 0.0)
    tilt = (1 - share) * slopes[0] + share * slopes[1]
    toe_ground = ground_height(places + toe * ahead)
    toes = toe_ground - tilt * toe + GROUND_CLEARANCES[0] * TOE_CLEARANCE_PROFILE
    if has_edges:  # over what is higher its toes must get before they are level
        toe_drop = np.array(
            [
                np.interp(t, toe * h, toe * RISE_RATIOS)
                for t, h in zip(toes - start[2], TOE_DROP_RATIOS, strict=True)
            ]
        )
        toes = np.where(toe_ground > start[2] + CATCH_HEIGHT, start[2] + toe_drop, toes)
    # nan, where there is none, hinders nobody
    ground = (
        np.nan_to_num(
            np.fmax(
                toes,
                ground_height(places - heel * ahead)
                + tilt * heel
                + GROUND_CLEARANCES[1] * TOE_CLEARANCE_PROFILE,
            ),
            nan=-10.0,
        )
        - start[2]
    )
    rise = float(target[2] - start[2])
    for sink_share in SINK_SHARES if rise < 0 else (SINK_START_SHARE,):
        shortfall = ground - evaluate_swing_height(SWING_SHARES, rise, 0.0, sink_share)[0]
        apex = float(np.clip((shortfall / BUMP_PROFILE).max(), MIN_SWING_HEIGHT, MAX_SWING_HEIGHT))
        if apex <= MIN_SWING_HEIGHT:
            break
    return apex, sink_share


def compute_clearance_deficit(
    ground_height: HeightFunction | None, points: Array, foot: Array, velocity: Array, place: Array
) -> float:
    """How much too low a swinging foot is for the ground that it is about to come
    over, m; 0 where it is not.

    Args:
        points: (k, 3) of its sole.
        foot, velocity: (3,) of its middle.
        place: (3,) where it is to come down; ground up to there needs no distance.
    """
    if ground_height is None:
        return 0.0
    offset = place[:2] - foot[:2]
    distance_left = float(np.linalg.norm(offset))
    # no farther than it goes
    distances = np.minimum(LOOKAHEAD_TIMES * float(np.linalg.norm(velocity[:2])), distance_left)
    displacement = (
        distances[:, None] * velocity[:2] / max(float(np.linalg.norm(velocity[:2])), 1e-6)
    )
    ground = np.nan_to_num(ground_height(points[:, None, :2] + displacement), nan=-10.0)  # (k, t)
    # a slope it climbs along with, but no step
    is_edge = ground - ground[:, :1] > MAX_SLOPE * distances + LEVEL_TOLERANCE
    ground[:, 1:][~is_edge[:, 1:]] = -10.0
    clearance = np.where(ground > place[2] + LEVEL_TOLERANCE, GROUND_CLEARANCES[1], 0.0)
    shin_ground = np.nan_to_num(
        ground_height(
            points[:, :2] + min(SHIN_LIMITS[0], distance_left) * offset / max(distance_left, 1e-6)
        ),
        nan=-10.0,
    )
    deficit = np.maximum(
        (ground + clearance - points[:, None, 2]).max(1),
        shin_ground - SHIN_LIMITS[1] - points[:, 2],
    )
    return float(np.clip(deficit.max(), 0.0, MAX_SWING_HEIGHT))
