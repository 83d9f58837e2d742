"""Feet that stand on ball and toes alone, as on stairs whose treads are shorter than the foot.

Upstairs the heel hangs free over the tread below. Downstairs the next higher tread is behind the
heel: the ball is placed as far forward as possible, the foot turns outward, and the heel is raised
as far as still necessary.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...terrain import FlatGround, Ground
from .sole import FootTarget, GroundedFootPose, fit_sole_rotation, is_forbidden_ground, place_foot

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ForefootParameters:
    """Which ground carries ball and toes alone."""

    ball_pad_length: float = 0.02  # Length of sole behind the ball that needs ground [m].
    # Half width of the sole that needs ground, as a share of the length from heel to ball: 2 cm,
    # about half of a human ball, which bears on its inner part.
    support_half_width: float = 0.1
    # Share of the toe length that needs ground; the rest may be over an edge.
    supported_toe_share: float = 0.25
    # Height difference of the ground to that at the ball, under ball and toes, at most [m], by
    # which the sole of a shoe yields. Half or twice of it changes no motion that was tried.
    max_unevenness: float = 0.015
    toe_clearance: float = 0.015  # Distance of the toe tip from a step up in front of it [m].
    heel_clearance: float = 0.02  # Distance of the free heel from a step up behind it [m].
    # Height over the sole up to which ground behind the ball does not raise the heel [m].
    # Numerical: above the rounding of meshes and of the fit of a plane.
    contact_tolerance: float = 0.003
    # Heel raise that is as costly as turning the foot outward by one radian [rad]. Tuned: without
    # turned feet, bodies walked down narrow stairs on their toes,
    # test_forefoot.test_turned_outward_the_heel_is_lower.
    turn_out_cost: float = 0.25


FOREFOOT = ForefootParameters()


# Heel raises that are tried, smallest first [rad]
HEEL_RAISE_ANGLES = np.radians(np.arange(0.0, 46.0, 5.0))
# Points between ball and heel whose clearance is tested, as shares of the distance
HEEL_TEST_FRACTIONS = np.array([0.4, 0.7, 1.0])
# Outward turns of the foot that are tried where the heel would have to be raised [rad]
TURN_OUT_ANGLES = np.radians([10.0, 20.0, 30.0])


@dataclass(frozen=True)
class FootPlacement:
    """Pose of a foot on the ground.

    Args:
        position: (3,) middle of the sole [m].
        rotation: (3, 3) of the sole.
        heel_raise: pitch of the foot over its ball [rad]; None where the heel stands too. See
            `Footstep`.
    """

    position: Array
    rotation: Array
    heel_raise: float | None

    @classmethod
    def from_pose(cls, pose: GroundedFootPose, heel_raise: float | None = None) -> FootPlacement:
        """Return the placement of a sole with a given pose."""
        return cls(pose.position, pose.rotation, heel_raise)


@dataclass(frozen=True)
class ForefootPosture:
    """Posture of a foot on ball and toes at n places; NaN where ball and toes have no room.

    Args:
        heel_raise: (n,) pitch of the foot over its ball [rad].
        turn_out: (n,) outward turn of the foot [rad].
    """

    heel_raise: Array
    turn_out: Array

    @property
    def effort(self) -> Array:
        """Cost of heel raise and outward turn together [rad]; NaN where there is no room. (n,)."""
        return self.heel_raise + FOREFOOT.turn_out_cost * self.turn_out


def compute_ball_offset(foot: Foot, yaw: float) -> Array:
    """Return the horizontal vector from the middle of a level sole to its ball. (2,) [m]."""
    half_length = 0.5 * float(foot.ball[0] - foot.heel[0])
    return half_length * np.array([np.cos(yaw), np.sin(yaw)])


def compute_heel_raise(ground: Ground, foot: Foot, ball: Array, yaw: Array) -> Array:
    """Return the smallest heel raise with which a foot can stand on ball and toes. (n,) [rad].

    The result is NaN where ball and toes have no room.

    Args:
        ball: (n, 2) places of the ball [m].
        yaw: (n,) headings of the foot [rad].
    """
    raise_angles = np.full(len(ball), np.nan)
    supported = np.flatnonzero(_is_supported(ground, foot, ball, yaw))
    if not len(supported):
        return raise_angles
    ball = ball[supported]
    forward = _forward_vectors(yaw[supported])
    length = float(foot.ball[0] - foot.heel[0])
    # (raise angles, tested points)
    back_offsets = (
        length * HEEL_TEST_FRACTIONS * np.cos(HEEL_RAISE_ANGLES)[:, None] + FOREFOOT.heel_clearance
    )
    heel_heights = (
        length * HEEL_TEST_FRACTIONS * np.sin(HEEL_RAISE_ANGLES)[:, None]
        + FOREFOOT.contact_tolerance
    )
    # (n, raise angles, tested points)
    ground_heights = ground.sample_heights(
        ball[:, None, None] - back_offsets[..., None] * forward[:, None, None]
    )
    ground_heights = (
        np.where(np.isfinite(ground_heights), ground_heights, -np.inf)
        - ground.sample_heights(ball)[:, None, None]
    )
    is_clear = (ground_heights <= heel_heights).all(2)  # (n, raise angles)
    raise_angles[supported] = np.where(
        is_clear.any(1), HEEL_RAISE_ANGLES[is_clear.argmax(1)], np.nan
    )
    return raise_angles


def find_forefoot_posture(
    ground: Ground, foot: Foot, ball: Array, heading: Array, side: Array
) -> ForefootPosture:
    """Return the postures of least effort of feet that stand on ball and toes.

    Args:
        ball: (n, 2) places of the ball [m].
        heading: (n,) headings of the feet before any outward turn [rad].
        side: (n,) 1 for a left foot, -1 for a right one.
    """
    heel_raises = compute_heel_raise(ground, foot, ball, heading)
    turn_outs = np.zeros(len(ball))
    difficult = np.flatnonzero(~(heel_raises == 0))
    if not len(difficult):
        return ForefootPosture(heel_raises, turn_outs)
    turned_headings = (
        heading[difficult] + side[difficult] * TURN_OUT_ANGLES[:, None]
    )  # (turns, places)
    turned_raises = compute_heel_raise(
        ground, foot, np.tile(ball[difficult], (len(TURN_OUT_ANGLES), 1)), turned_headings.ravel()
    ).reshape(turned_headings.shape)
    candidate_raises = np.concatenate([heel_raises[None, difficult], turned_raises])
    candidate_turns = np.append(0.0, TURN_OUT_ANGLES)
    effort = candidate_raises + FOREFOOT.turn_out_cost * candidate_turns[:, None]
    best = np.where(np.isnan(effort), np.inf, effort).argmin(0)
    heel_raises[difficult] = candidate_raises[best, np.arange(len(difficult))]
    turn_outs[difficult] = candidate_turns[best]
    return ForefootPosture(heel_raises, turn_outs)


def compute_worse_foot_effort(ground: Ground, foot: Foot, ball: Array, heading: Array) -> Array:
    """Return the larger effort of the two feet to stand on ball and toes.

    (n, 2), (n,) -> (n,) [rad].

    The result is NaN where there is no room.
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
) -> GroundedFootPose:
    """Return the pose of a sole whose ball and toes lie on the ground.

    Args:
        ball: (2,) place of the ball [m].
        yaw: heading of the foot [rad].
        level: height that replaces missing ground [m].
    """
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    toe_length = FOREFOOT.supported_toe_share * float(foot.tip[0] - foot.ball[0])
    heights = ground.sample_heights(
        ball + np.array([-FOREFOOT.ball_pad_length, 0.0, toe_length])[:, None] * forward
    )
    rear, middle, front = np.where(np.isfinite(heights), heights, level)
    rotation = fit_sole_rotation(
        ground,
        ball,
        yaw,
        incline=float(np.arctan2(front - rear, FOREFOOT.ball_pad_length + toe_length)),
        probe_distance=FOREFOOT.ball_pad_length,
    )
    half_length = 0.5 * float(foot.ball[0] - foot.heel[0])
    return GroundedFootPose(np.array([*ball, middle]) - half_length * rotation[:, 0], rotation)


def choose_placement(
    ground: Ground,
    foot: Foot,
    target: FootTarget,
    level: float,
    allow_forefoot: bool,
    ball: Array | None = None,
) -> FootPlacement:
    """Return the placement of a foot: the whole sole, or ball and toes where only these have room.

    If the heel has ground too and only the toes extend past an edge, heel and ball stand.

    Args:
        level: height that replaces missing ground [m].
        allow_forefoot: whether ball and toes may stand alone.
        ball: (2,) place of the ball if it stands alone [m]; by default the target.
    """
    whole_sole = FootPlacement.from_pose(
        place_foot(ground, foot, target.xy, yaw=target.yaw, level=level)
    )
    if not allow_forefoot or isinstance(ground, FlatGround):
        return whole_sole
    ball_place = target.xy if ball is None else ball
    heading = np.array([target.heading])
    sole_middle = ball_place - compute_ball_offset(foot, target.heading)
    for place in (target.xy, sole_middle):
        if not is_forbidden_ground(ground, foot, place[None], heading)[0]:
            return FootPlacement.from_pose(
                place_foot(ground, foot, place, yaw=target.yaw, level=level)
            )
    posture = find_forefoot_posture(
        ground, foot, ball_place[None], heading=heading, side=np.array([float(target.side)])
    )
    heel_raise = float(posture.heel_raise[0])
    if not np.isfinite(heel_raise):
        return whole_sole
    yaw = target.yaw + target.side * float(posture.turn_out[0])
    sole_middle = ball_place - compute_ball_offset(foot, yaw)
    if heel_raise == 0 and _has_ground_under_heel(ground, ball_place, sole_middle):
        return FootPlacement.from_pose(place_foot(ground, foot, sole_middle, yaw=yaw, level=level))
    return FootPlacement.from_pose(
        place_forefoot(ground, foot, ball_place, yaw=yaw, level=level), heel_raise
    )


def _has_ground_under_heel(ground: Ground, ball: Array, sole_middle: Array) -> bool:
    """Return whether the ground at the heel is at the height of the ground at the ball."""
    heights = ground.sample_heights(np.stack([ball, 2 * sole_middle - ball]))
    return bool(abs(np.ptp(heights)) <= FOREFOOT.max_unevenness)


def _forward_vectors(yaw: Array) -> Array:
    return np.stack([np.cos(yaw), np.sin(yaw)], -1)


def _is_supported(ground: Ground, foot: Foot, ball: Array, yaw: Array) -> NDArray[np.bool_]:
    """Return whether the ground carries ball and toes, without a step up in front of them.

    (n, 2), (n,) -> (n,).
    """
    toe_length = float(foot.tip[0] - foot.ball[0])
    half_width = FOREFOOT.support_half_width * float(foot.ball[0] - foot.heel[0])
    along = np.array(
        [
            0.0,
            0.0,
            0.0,
            -FOREFOOT.ball_pad_length,
            -FOREFOOT.ball_pad_length,
            -FOREFOOT.ball_pad_length,
            FOREFOOT.supported_toe_share * toe_length,
            toe_length + FOREFOOT.toe_clearance,
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
    is_level = (np.abs(heights[:, :-1]) <= FOREFOOT.max_unevenness).all(
        1
    )  # False where ground is missing
    return np.asarray(is_level & ~(heights[:, -1] > FOREFOOT.max_unevenness))
