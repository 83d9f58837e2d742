"""Feet that stand on ball and toes alone, the heel free behind or over an edge, as on stairs narrower than a foot is long.

Going up, the heel hangs over the tread below. Going down, the next higher tread is behind it: there the ball goes as far
forward as it can, and the heel is held up as far as it must.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..terrain import Flat, Ground
from .placing import forbidden_ground, place_foot, rolled

Array = NDArray[np.float64]

PAD = 0.02            # m of the sole behind the ball that must be carried too
CARRIED = 0.25        # share of the toes that must be carried; the rest may be over an edge
UNEVEN = 0.015        # m by which the ground under ball and toes may differ from its height at the ball
IN_FRONT = 0.015      # m that toe tips keep from a step up before them
BEHIND = 0.02         # m that the free heel keeps from one behind it
TOUCHING = 0.003      # m over the sole up to which ground behind the ball does not lift the heel
RAISES = np.radians(np.arange(0.0, 46.0, 5.0))       # tried in turn
ALONG = np.linspace(0.25, 1.0, 4)                    # of the way from ball to heel, where that is tested


@dataclass(frozen=True)
class Stand:
    """A foot put on the ground: place (3,) and rotation (3, 3) of its sole; see `Footstep` for all three."""

    position: Array
    rotation: Array
    raised: float | None


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


def stand(ground: Ground, foot: Foot, xy: Array, yaw: float, level: float, facing: float | None, ball: Array | None = None) -> Stand:
    """A foot whose part that stands has its middle over a place: the whole sole, or the ball where that alone has room.

    Where the heel has ground under it too and only the toes are over an edge, heel and ball stand.

    Args:
        xy: (2,).
        level: height that stands in for ground that is missing, m.
        facing: heading by which the room is judged where ball and toes may stand alone, rad; None where they may not.
        ball: (2,) where the ball goes instead, if it stands alone.
    """
    whole = Stand(*place_foot(ground, foot, xy, yaw, level), None)
    if facing is None or isinstance(ground, Flat):
        return whole
    at, heading = xy if ball is None else ball, np.array([facing])
    middle = at - ball_from_middle(foot, facing)
    for place in (xy, middle):
        if not forbidden_ground(ground, foot, place[None], heading)[0]:
            return Stand(*place_foot(ground, foot, place, yaw, level), None)
    raised = float(heel_raise(ground, foot, at[None], heading)[0])
    if raised == 0 and abs(np.ptp(ground.height(np.stack([at, 2 * middle - at])))) <= UNEVEN:
        return Stand(*place_foot(ground, foot, middle, yaw, level), None)
    return Stand(*place_forefoot(ground, foot, at, yaw, level), raised) if np.isfinite(raised) else whole


def _ahead(yaw: Array) -> Array:
    return np.stack([np.cos(yaw), np.sin(yaw)], -1)


def _carries(ground: Ground, foot: Foot, ball: Array, yaw: Array) -> NDArray[np.bool_]:
    """Whether the ground carries ball and toes, with nothing before them. (n, 2), (n,) -> (n,)."""
    toes, side = float(foot.tip[0] - foot.ball[0]), 0.2 * float(foot.ball[0] - foot.heel[0])
    along = np.array([-PAD, 0.0, CARRIED * toes, toes + IN_FRONT])
    across = np.array([0.0, side, -side])
    ahead = _ahead(yaw)
    left = np.stack([-ahead[:, 1], ahead[:, 0]], -1)
    places = ball[:, None, None] + along[:, None] * ahead[:, None, None] + across[:, None, None] * left[:, None, None]
    heights = ground.height(places)                                                         # (n, 3, 4)
    heights = heights - heights[:, :1, 1:2]
    lies = (np.abs(heights[..., :3]) <= UNEVEN).all((1, 2))                                 # not so where ground is missing
    return np.asarray(lies & ~(heights[..., 3] > UNEVEN).any(1))
