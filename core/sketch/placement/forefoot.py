"""Feet that stand on ball and toes alone, the heel free behind or over an edge, as on stairs
narrower than a foot is long.

Going up, the heel hangs over the tread below. Going down, the next higher tread is behind it: there
the ball goes as far forward as it can, the foot is turned outward, and the heel is held up as far
as it then must.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...terrain import FlatGround, Ground
from .sole import fit_sole_rotation, is_forbidden_ground, place_foot

Array = NDArray[np.float64]

BALL_PAD_LENGTH = 0.02  # m of the sole behind the ball that must be carried too
SUPPORT_HALF_WIDTH = 0.1  # of the length from heel to ball, that must be carried to either side
SUPPORTED_TOE_SHARE = 0.25  # share of the toes that must be carried; the rest may be over an edge
# m by which the ground under ball and toes may differ from its height at the ball
MAX_UNEVENNESS = 0.015
TOE_CLEARANCE = 0.015  # m that toe tips keep from a step up before them
HEEL_CLEARANCE = 0.02  # m that the free heel keeps from one behind it
# m over the sole up to which ground behind the ball does not lift the heel
CONTACT_TOLERANCE = 0.003
HEEL_RAISE_ANGLES = np.radians(np.arange(0.0, 46.0, 5.0))  # tried in turn
# of the way from ball to heel, where that is tested
HEEL_TEST_FRACTIONS = np.array([0.4, 0.7, 1.0])
# outward, tried where the heel would have to be up
TURN_OUT_ANGLES = np.radians([10.0, 20.0, 30.0])
# radians by which a heel may be held up to save one by which the foot is turned outward
TURN_OUT_COST = 0.25


@dataclass(frozen=True)
class FootPlacement:
    """A foot put on the ground: place (3,) and rotation (3, 3) of its sole;
    see `Footstep` for all three.
    """

    position: Array
    rotation: Array
    heel_raise: float | None


@dataclass(frozen=True)
class ForefootPosture:
    """How a foot must stand on ball and toes at n places, in radians;
    nan where those have no room.
    """

    heel_raise: Array  # (n,) of the heel
    turn_out: Array  # (n,) outward

    @property
    def effort(self) -> Array:
        """What both amount to, rad; nan where there is no room. (n,)."""
        return self.heel_raise + TURN_OUT_COST * self.turn_out


def compute_ball_offset(foot: Foot, yaw: float) -> Array:
    """From the middle of a level sole to its ball, seen from above. (2,)."""
    half_length = 0.5 * float(foot.ball[0] - foot.heel[0])
    return half_length * np.array([np.cos(yaw), np.sin(yaw)])


def compute_heel_raise(ground: Ground, foot: Foot, ball: Array, yaw: Array) -> Array:
    """Least angle by which a foot must hold up its heel to stand on ball and toes;
    nan where those have no room.

    Args:
        ball: (n, 2) places of the ball.
        yaw: (n,) headings.

    Returns:
        (n,) rad.
    """
    raise_angles = np.full(len(ball), np.nan)
    supported = np.flatnonzero(_is_supported(ground, foot, ball, yaw))
    if not len(supported):
        return raise_angles
    ball = ball[supported]
    forward = _forward_vectors(yaw[supported])
    length = float(foot.ball[0] - foot.heel[0])
    # (r, a)
    back_offsets = (
        length * HEEL_TEST_FRACTIONS * np.cos(HEEL_RAISE_ANGLES)[:, None] + HEEL_CLEARANCE
    )
    heel_heights = (
        length * HEEL_TEST_FRACTIONS * np.sin(HEEL_RAISE_ANGLES)[:, None] + CONTACT_TOLERANCE
    )
    # (n, r, a)
    ground_heights = ground.sample_heights(
        ball[:, None, None] - back_offsets[..., None] * forward[:, None, None]
    )
    ground_heights = (
        np.where(np.isfinite(ground_heights), ground_heights, -np.inf)
        - ground.sample_heights(ball)[:, None, None]
    )
    is_clear = (ground_heights <= heel_heights).all(2)  # (n, r)
    raise_angles[supported] = np.where(
        is_clear.any(1), HEEL_RAISE_ANGLES[is_clear.argmax(1)], np.nan
    )
    return raise_angles


def find_forefoot_posture(
    ground: Ground, foot: Foot, ball: Array, heading: Array, side: Array
) -> ForefootPosture:
    """How feet stand on ball and toes with the least effort.

    Args:
        ball: (n, 2) places of the ball.
        heading: (n,) in which a foot would point if its heel were free anyway.
        side: (n,) 1 left, -1 right.
    """
    heel_raises = compute_heel_raise(ground, foot, ball, heading)
    turn_outs = np.zeros(len(ball))
    difficult = np.flatnonzero(~(heel_raises == 0))
    if not len(difficult):
        return ForefootPosture(heel_raises, turn_outs)
    turned_headings = heading[difficult] + side[difficult] * TURN_OUT_ANGLES[:, None]  # (t, h)
    turned_raises = compute_heel_raise(
        ground, foot, np.tile(ball[difficult], (len(TURN_OUT_ANGLES), 1)), turned_headings.ravel()
    ).reshape(turned_headings.shape)
    candidate_raises = np.concatenate([heel_raises[None, difficult], turned_raises])
    candidate_turns = np.append(0.0, TURN_OUT_ANGLES)
    effort = candidate_raises + TURN_OUT_COST * candidate_turns[:, None]
    best = np.where(np.isnan(effort), np.inf, effort).argmin(0)
    heel_raises[difficult], turn_outs[difficult] = (
        candidate_raises[best, np.arange(len(difficult))],
        candidate_turns[best],
    )
    return ForefootPosture(heel_raises, turn_outs)


def compute_worse_foot_effort(ground: Ground, foot: Foot, ball: Array, heading: Array) -> Array:
    """Effort of standing on ball and toes for whichever foot it is harder; nan where there is no
    room. (n, 2), (n,) -> (n,).
    """
    efforts = find_forefoot_posture(
        ground,
        foot,
        np.tile(ball, (2, 1)),
        heading=np.tile(heading, 2),
        side=np.repeat([1.0, -1.0], len(ball)),
    ).effort
    return np.asarray(efforts.reshape(2, -1).max(0))


def place_forefoot(
    ground: Ground, foot: Foot, ball: Array, yaw: float, level: float
) -> tuple[Array, Array]:
    """Position (3,) and rotation (3, 3) of a sole whose ball and toes lie on the ground.

    Args:
        ball: (2,) place of the ball.
        level: height that stands in for ground that is missing, m.
    """
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    toe_length = SUPPORTED_TOE_SHARE * float(foot.tip[0] - foot.ball[0])
    heights = ground.sample_heights(
        ball + np.array([-BALL_PAD_LENGTH, 0.0, toe_length])[:, None] * forward
    )
    rear, middle, front = np.where(np.isfinite(heights), heights, level)
    rotation = fit_sole_rotation(
        ground,
        ball,
        yaw,
        incline=float(np.arctan2(front - rear, BALL_PAD_LENGTH + toe_length)),
        probe_distance=BALL_PAD_LENGTH,
    )
    return np.array([*ball, middle]) - 0.5 * float(foot.ball[0] - foot.heel[0]) * rotation[
        :, 0
    ], rotation


@dataclass(frozen=True)
class FootTarget:
    """Where a foot is to stand: the middle of what stands over a place (2,),
    headed without and with its toe-out, rad.
    """

    xy: Array
    heading: float
    toe_out: float  # to the left
    side: int  # 1 left, -1 right

    @property
    def yaw(self) -> float:
        """Heading of the foot."""
        return self.heading + self.toe_out


def choose_placement(
    ground: Ground,
    foot: Foot,
    target: FootTarget,
    level: float,
    allow_forefoot: bool,
    ball: Array | None = None,
) -> FootPlacement:
    """A foot on the ground: the whole sole, or ball and toes where they alone have room.

    Where the heel has ground under it too and only the toes are over an edge, heel and ball stand.

    Args:
        level: height that stands in for ground that is missing, m.
        allow_forefoot: whether ball and toes may stand alone.
        ball: (2,) where the ball goes, if it stands alone; over the place unless told.
    """
    whole_sole = FootPlacement(
        *place_foot(ground, foot, target.xy, yaw=target.yaw, level=level), None
    )
    if not allow_forefoot or isinstance(ground, FlatGround):
        return whole_sole
    ball_place = target.xy if ball is None else ball
    heading = np.array([target.heading])
    sole_middle = ball_place - compute_ball_offset(foot, target.heading)
    for place in (target.xy, sole_middle):
        if not is_forbidden_ground(ground, foot, place[None], heading)[0]:
            return FootPlacement(
                *place_foot(ground, foot, place, yaw=target.yaw, level=level), None
            )
    posture = find_forefoot_posture(
        ground, foot, ball_place[None], heading=heading, side=np.array([float(target.side)])
    )
    raise_angle = float(posture.heel_raise[0])
    turn_angle = float(posture.turn_out[0])
    if not np.isfinite(raise_angle):
        return whole_sole
    yaw = target.yaw + target.side * turn_angle
    sole_middle = ball_place - compute_ball_offset(foot, yaw)
    if (
        raise_angle == 0
        and abs(np.ptp(ground.sample_heights(np.stack([ball_place, 2 * sole_middle - ball_place]))))
        <= MAX_UNEVENNESS
    ):
        return FootPlacement(*place_foot(ground, foot, sole_middle, yaw=yaw, level=level), None)
    return FootPlacement(
        *place_forefoot(ground, foot, ball_place, yaw=yaw, level=level), raise_angle
    )


def _forward_vectors(yaw: Array) -> Array:
    return np.stack([np.cos(yaw), np.sin(yaw)], -1)


def _is_supported(ground: Ground, foot: Foot, ball: Array, yaw: Array) -> NDArray[np.bool_]:
    """Whether the ground carries ball and toes, with nothing before them. (n, 2), (n,) -> (n,)."""
    toe_length = float(foot.tip[0] - foot.ball[0])
    half_width = SUPPORT_HALF_WIDTH * float(foot.ball[0] - foot.heel[0])
    along = np.array(
        [
            0.0,
            0.0,
            0.0,
            -BALL_PAD_LENGTH,
            -BALL_PAD_LENGTH,
            -BALL_PAD_LENGTH,
            SUPPORTED_TOE_SHARE * toe_length,
            toe_length + TOE_CLEARANCE,
        ]
    )
    across = np.array([0.0, half_width, -half_width, 0.0, half_width, -half_width, 0.0, 0.0])
    forward = _forward_vectors(yaw)
    left = np.stack([-forward[:, 1], forward[:, 0]], -1)
    # (n, 8)
    heights = ground.sample_heights(
        ball[:, None] + along[:, None] * forward[:, None] + across[:, None] * left[:, None]
    )
    heights = heights - heights[:, :1]
    is_level = (np.abs(heights[:, :-1]) <= MAX_UNEVENNESS).all(1)  # not so where ground is missing
    return np.asarray(is_level & ~(heights[:, -1] > MAX_UNEVENNESS))
