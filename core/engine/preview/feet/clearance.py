"""How high a foot must swing to clear the ground on its way."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....simulate.swinging import SINKS, gone, lifted, peeled
from ....slip.command import Field

Array = NDArray[np.float64]

LEAST, MOST = 0.07, 0.30          # m of the swing's height above the way between both places
CLEAR = 0.04, 0.015               # m that toes and heel keep from the ground
SHARES = np.linspace(0.12, 0.85, 20)          # of the swing's time that are looked at: nearer to its ends the foot is low anyhow
SOONER = 0.0, 0.15, 0.3, SINKS                # of that time, after which a foot may sink that comes down lower
EARLY = 0.1                       # of its time before the end, at which a foot is over its place
RISEN = np.linspace(0.0, 4.0, 41)        # heights of a foot above where it left, in distances from its middle to its toes, and
HANGS = RISEN - np.sin(peeled(SHARES[:, None], RISEN))        # those of its toes, which hang as it peels off: (share, height)
HUMP = 16 * (SHARES * (1 - SHARES)) ** 2
SOON = np.array([0.0, 0.03, 0.06, 0.09])      # s that a foot is to see ahead
SHIN = (0.2, 0.2)                 # m ahead of a foot that its shin leans, and m that the ground there may be higher
HIGHER = 0.04         # m above where it left, from which the ground is what toes may catch
LIES = 0.5                        # rise over run of ground that a sole lies along
SAME, STEEP = 0.02, 0.7           # m that ground may be higher to count as level, and rise over run of ground that is no edge
NEAR = np.minimum(1.7 * HUMP, 1.0)        # of that distance: less near the ends, where the foot comes from the ground or to it


def over(height: Field | None, left: Array, place: Array, toe: float, heel: float, edgy: bool = False) -> tuple[float, float]:
    """Height of a swing above the way from one place (3,) to the other, m, and the share of it after which it sinks.

    A foot that comes down lower sinks as early as what is on its way allows: late, it would come from high above and too late.

    Args:
        height: of the ground; None where it is level.
        toe, heel: how far the foot reaches ahead of its middle and behind it, m.
        edgy: whether the ground has edges.
    """
    if height is None:
        return LEAST, SINKS
    way = place[:2] - left[:2]
    ahead = way / max(float(np.linalg.norm(way)), 1e-6)
    share = gone(SHARES, EARLY)
    at, ends = left[:2] + share[:, None] * way, np.stack([left[:2], place[:2]])
    # the sole is as steep as the ground that it comes from and to
    slopes = (height(ends + toe * ahead) - height(ends - heel * ahead)) / (toe + heel)
    slopes = np.where(np.abs(slopes) < LIES, slopes, 0.0)
    tilt = (1 - share) * slopes[0] + share * slopes[1]
    above = height(at + toe * ahead)
    toes = above - tilt * toe + CLEAR[0] * NEAR
    if edgy:          # over what is higher its toes must get before they are level
        hang = np.array([np.interp(t, toe * h, toe * RISEN) for t, h in zip(toes - left[2], HANGS, strict=True)])
        toes = np.where(above > left[2] + HIGHER, left[2] + hang, toes)
    # nan, where there is none, hinders nobody
    ground = np.nan_to_num(np.fmax(toes, height(at - heel * ahead) + tilt * heel + CLEAR[1] * NEAR), nan=-10.0) - left[2]
    rise = float(place[2] - left[2])
    for sinks in SOONER if rise < 0 else (SINKS,):
        lacks = ground - lifted(SHARES, rise, 0.0, sinks)[0]
        apex = float(np.clip((lacks / HUMP).max(), LEAST, MOST))
        if apex <= LEAST:
            break
    return apex, sinks


def too_low(height: Field | None, points: Array, foot: Array, velocity: Array, place: Array) -> float:
    """How much too low a swinging foot is for the ground that it is about to come over, m; 0 where it is not.

    Args:
        points: (k, 3) of its sole.
        foot, velocity: (3,) of its middle.
        place: (3,) where it is to come down; ground up to there needs no distance.
    """
    if height is None:
        return 0.0
    away = place[:2] - foot[:2]
    left = float(np.linalg.norm(away))
    far = np.minimum(SOON * float(np.linalg.norm(velocity[:2])), left)            # no farther than it goes
    soon = far[:, None] * velocity[:2] / max(float(np.linalg.norm(velocity[:2])), 1e-6)
    ground = np.nan_to_num(height(points[:, None, :2] + soon), nan=-10.0)                                    # (k, t)
    edge = ground - ground[:, :1] > STEEP * far + SAME                            # a slope it climbs along with, but no step
    ground[:, 1:][~edge[:, 1:]] = -10.0
    keeps = np.where(ground > place[2] + SAME, CLEAR[1], 0.0)
    before = np.nan_to_num(height(points[:, :2] + min(SHIN[0], left) * away / max(left, 1e-6)), nan=-10.0)
    lacks = np.maximum((ground + keeps - points[:, None, 2]).max(1), before - SHIN[1] - points[:, 2])
    return float(np.clip(lacks.max(), 0.0, MOST))
