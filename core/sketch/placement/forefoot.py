"""Feet that stand on ball and toes alone, the heel free behind or over an edge, as on stairs narrower than a foot is long.

Going up, the heel hangs over the tread below. Going down, the next higher tread is behind it: there the ball goes as far
forward as it can, the foot is turned outward, and the heel is held up as far as it then must.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...terrain import Flat, Ground
from .sole import forbidden_ground, place_foot, rolled

Array = NDArray[np.float64]

PAD = 0.02            # m of the sole behind the ball that must be carried too
ASIDE = 0.1           # of the length from heel to ball, that must be carried to either side
CARRIED = 0.25        # share of the toes that must be carried; the rest may be over an edge
UNEVEN = 0.015        # m by which the ground under ball and toes may differ from its height at the ball
IN_FRONT = 0.015      # m that toe tips keep from a step up before them
BEHIND = 0.02         # m that the free heel keeps from one behind it
TOUCHING = 0.003      # m over the sole up to which ground behind the ball does not lift the heel
RAISES = np.radians(np.arange(0.0, 46.0, 5.0))       # tried in turn
ALONG = np.array([0.4, 0.7, 1.0])                    # of the way from ball to heel, where that is tested
TURNS = np.radians([10.0, 20.0, 30.0])               # outward, tried where the heel would have to be up
OUTWARD = 0.25        # radians by which a heel may be held up to save one by which the foot is turned outward


@dataclass(frozen=True)
class Stand:
    """A foot put on the ground: place (3,) and rotation (3, 3) of its sole; see `Footstep` for all three."""

    position: Array
    rotation: Array
    raised: float | None


@dataclass(frozen=True)
class Poise:
    """How a foot must stand on ball and toes at n places, in radians; nan where those have no room."""

    raised: Array             # (n,) of the heel
    turned: Array             # (n,) outward

    @property
    def effort(self) -> Array:
        """What both amount to, rad; nan where there is no room. (n,)."""
        return self.raised + OUTWARD * self.turned


def ball_from_middle(foot: Foot, yaw: float) -> Array:
    """From the middle of a level sole to its ball, seen from above. (2,)."""
    half = 0.5 * float(foot.ball[0] - foot.heel[0])
    return half * np.array([np.cos(yaw), np.sin(yaw)])


def heel_raise(ground: Ground, foot: Foot, ball: Array, yaw: Array) -> Array:
    """Least angle by which a foot must hold up its heel to stand on ball and toes; nan where those have no room.

    Args:
        ball: (n, 2) places of the ball.
        yaw: (n,) headings.

    Returns:
        (n,) rad.
    """
    out = np.full(len(ball), np.nan)
    fits = np.flatnonzero(_carries(ground, foot, ball, yaw))
    if not len(fits):
        return out
    ball, ahead = ball[fits], _ahead(yaw[fits])
    length = float(foot.ball[0] - foot.heel[0])
    back = length * ALONG * np.cos(RAISES)[:, None] + BEHIND                                # (r, a)
    over = length * ALONG * np.sin(RAISES)[:, None] + TOUCHING
    under = ground.height(ball[:, None, None] - back[..., None] * ahead[:, None, None])     # (n, r, a)
    under = np.where(np.isfinite(under), under, -np.inf) - ground.height(ball)[:, None, None]
    free = (under <= over).all(2)                                                           # (n, r)
    out[fits] = np.where(free.any(1), RAISES[free.argmax(1)], np.nan)
    return out


def poise(ground: Ground, foot: Foot, ball: Array, heading: Array, side: Array) -> Poise:
    """How feet stand on ball and toes with the least effort.

    Args:
        ball: (n, 2) places of the ball.
        heading: (n,) in which a foot would point if its heel were free anyway.
        side: (n,) 1 left, -1 right.
    """
    raised, turned = heel_raise(ground, foot, ball, heading), np.zeros(len(ball))
    hard = np.flatnonzero(~(raised == 0))
    if not len(hard):
        return Poise(raised, turned)
    around = heading[hard] + side[hard] * TURNS[:, None]                                    # (t, h)
    tried = heel_raise(ground, foot, np.tile(ball[hard], (len(TURNS), 1)), around.ravel()).reshape(around.shape)
    raises = np.concatenate([raised[None, hard], tried])
    turns = np.append(0.0, TURNS)
    effort = raises + OUTWARD * turns[:, None]
    best = np.where(np.isnan(effort), np.inf, effort).argmin(0)
    raised[hard], turned[hard] = raises[best, np.arange(len(hard))], turns[best]
    return Poise(raised, turned)


def either_effort(ground: Ground, foot: Foot, ball: Array, heading: Array) -> Array:
    """Effort of standing on ball and toes for whichever foot it is harder; nan where there is no room. (n, 2), (n,) -> (n,)."""
    both = poise(ground, foot, np.tile(ball, (2, 1)), np.tile(heading, 2), np.repeat([1.0, -1.0], len(ball))).effort
    return np.asarray(both.reshape(2, -1).max(0))


def place_forefoot(ground: Ground, foot: Foot, ball: Array, yaw: float, level: float) -> tuple[Array, Array]:
    """Position (3,) and rotation (3, 3) of a sole whose ball and toes lie on the ground.

    Args:
        ball: (2,) place of the ball.
        level: height that stands in for ground that is missing, m.
    """
    ahead = np.array([np.cos(yaw), np.sin(yaw)])
    toes = CARRIED * float(foot.tip[0] - foot.ball[0])
    heights = ground.height(ball + np.array([-PAD, 0.0, toes])[:, None] * ahead)
    rear, middle, front = np.where(np.isfinite(heights), heights, level)
    rotation = rolled(ground, ball, yaw, float(np.arctan2(front - rear, PAD + toes)), PAD)
    return np.array([*ball, middle]) - 0.5 * float(foot.ball[0] - foot.heel[0]) * rotation[:, 0], rotation


@dataclass(frozen=True)
class Footprint:
    """Where a foot is to stand: the middle of what stands over a place (2,), headed without and with its toe-out, rad."""

    xy: Array
    heading: float
    toe_out: float            # to the left
    side: int                 # 1 left, -1 right

    @property
    def yaw(self) -> float:
        """Heading of the foot."""
        return self.heading + self.toe_out


def stand(ground: Ground, foot: Foot, spot: Footprint, level: float, forefoot: bool, ball: Array | None = None) -> Stand:
    """A foot on the ground: the whole sole, or ball and toes where they alone have room.

    Where the heel has ground under it too and only the toes are over an edge, heel and ball stand.

    Args:
        level: height that stands in for ground that is missing, m.
        forefoot: whether ball and toes may stand alone.
        ball: (2,) where the ball goes, if it stands alone; over the place unless told.
    """
    whole = Stand(*place_foot(ground, foot, spot.xy, spot.yaw, level), None)
    if not forefoot or isinstance(ground, Flat):
        return whole
    at, heading = spot.xy if ball is None else ball, np.array([spot.heading])
    middle = at - ball_from_middle(foot, spot.heading)
    for place in (spot.xy, middle):
        if not forbidden_ground(ground, foot, place[None], heading)[0]:
            return Stand(*place_foot(ground, foot, place, spot.yaw, level), None)
    found = poise(ground, foot, at[None], heading, np.array([float(spot.side)]))
    raised, turned = float(found.raised[0]), float(found.turned[0])
    if not np.isfinite(raised):
        return whole
    yaw = spot.yaw + spot.side * turned
    middle = at - ball_from_middle(foot, yaw)
    if raised == 0 and abs(np.ptp(ground.height(np.stack([at, 2 * middle - at])))) <= UNEVEN:
        return Stand(*place_foot(ground, foot, middle, yaw, level), None)
    return Stand(*place_forefoot(ground, foot, at, yaw, level), raised)


def _ahead(yaw: Array) -> Array:
    return np.stack([np.cos(yaw), np.sin(yaw)], -1)


def _carries(ground: Ground, foot: Foot, ball: Array, yaw: Array) -> NDArray[np.bool_]:
    """Whether the ground carries ball and toes, with nothing before them. (n, 2), (n,) -> (n,)."""
    toes, side = float(foot.tip[0] - foot.ball[0]), ASIDE * float(foot.ball[0] - foot.heel[0])
    along = np.array([0.0, 0.0, 0.0, -PAD, -PAD, -PAD, CARRIED * toes, toes + IN_FRONT])
    across = np.array([0.0, side, -side, 0.0, side, -side, 0.0, 0.0])
    ahead = _ahead(yaw)
    left = np.stack([-ahead[:, 1], ahead[:, 0]], -1)
    heights = ground.height(ball[:, None] + along[:, None] * ahead[:, None] + across[:, None] * left[:, None])     # (n, 8)
    heights = heights - heights[:, :1]
    lies = (np.abs(heights[:, :-1]) <= UNEVEN).all(1)                                       # not so where ground is missing
    return np.asarray(lies & ~(heights[:, -1] > UNEVEN))
