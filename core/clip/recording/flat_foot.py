"""Points of a foot that lies flat, from the frames in which it moves least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from .actor import FPS, Actor

Array = NDArray[np.float64]

# Standard deviation of the filter on positions before speeds are computed [s], a frame at 120 a
# second. Numerical: differences of rounded positions are noise.
SPEED_SMOOTHING_TIME = 0.01


@dataclass(frozen=True)
class FlatFootParameters:
    """Geometry of a foot whose rest pose is arbitrary."""

    # Distance of the heel behind the ankle, as a share of the distance from ankle to ball; 5 cm of
    # 14 in human feet.
    heel_offset_ratio: float = 0.35
    # Distance from ankle to ball of feet without a direction [leg lengths].
    default_ball_distance: float = 0.15
    # Depth of the ball below the ankle of such feet [leg lengths], that of human ones.
    default_ball_depth: float = 0.07
    # Horizontal distance from ankle to ball above which a foot has a direction [leg lengths], a
    # fifth of that of human feet.
    min_ball_distance: float = 0.03
    # Share of the frames, those with the least motion, in which feet are assumed to lie flat. In a
    # human walk a foot is flat in 0.3 of them, in a run in 0.1.
    flat_frame_share: float = 0.06


FLAT_FOOT = FlatFootParameters()


@dataclass(frozen=True)
class FlatFoot:
    """Points of a foot that lies flat, relative to the ankle in the axes of its bone.

    Args:
        heel: (3,) heel [m].
        ball: (3,) ball [m].
        forward: (3,) unit vector along the foot.
    """

    heel: Array
    ball: Array
    forward: Array


def find_flat_foot(actor: Actor, side: int) -> FlatFoot:
    """Return the points of a foot from the frames in which it moves least.

    The rest pose of a file does not show how a foot lies on the ground. Its pose in contact does.
    """
    flat_frames = _select_flat_frames(actor, side)
    foot_axes = actor.feet[flat_frames, side]
    ankle = actor.ankles[flat_frames, side]
    ankle_to_ball = actor.balls[flat_frames, side] - ankle
    has_direction = (
        np.linalg.norm(ankle_to_ball[:, :2], axis=1)
        > FLAT_FOOT.min_ball_distance * actor.leg_length
    )
    if not has_direction.any():
        lateral = actor.hips[flat_frames, 0] - actor.hips[flat_frames, 1]
        ankle_to_ball = np.cross(lateral, [0.0, 0.0, 1.0])
        ankle_to_ball *= (
            FLAT_FOOT.default_ball_distance
            * actor.leg_length
            / np.linalg.norm(ankle_to_ball, axis=1, keepdims=True)
        )
        ankle_to_ball[:, 2] = -FLAT_FOOT.default_ball_depth * actor.leg_length
    horizontal = ankle_to_ball * [1.0, 1.0, 0.0]
    heel = -FLAT_FOOT.heel_offset_ratio * horizontal + ankle_to_ball * [0.0, 0.0, 1.0]

    def to_foot_frame(points: Array) -> Array:
        return np.asarray(
            np.median((np.swapaxes(foot_axes, 1, 2) @ points[..., None])[..., 0], axis=0)
        )

    forward = to_foot_frame(horizontal)
    return FlatFoot(
        to_foot_frame(heel), to_foot_frame(ankle_to_ball), forward / np.linalg.norm(forward)
    )


def _select_flat_frames(actor: Actor, side: int) -> NDArray[np.intp]:
    """Return the frames in which a foot is assumed to lie flat."""
    motion_rate = (
        compute_speed(actor.ankles[:, side])
        + compute_speed(actor.balls[:, side])
        + 0.2 * actor.leg_length * _compute_turn_rate(actor.feet[:, side])
    )
    is_moving = motion_rate > 1e-4  # Frames that hold a pose give no information.
    count = max(4, int(FLAT_FOOT.flat_frame_share * is_moving.sum()))
    return np.argsort(np.where(is_moving, motion_rate, np.inf))[:count]


def compute_speed(points: Array) -> Array:
    """Return the speed of a point over time, (n, 3) -> (n,) [m/s]."""
    smooth = gaussian_filter1d(points, SPEED_SMOOTHING_TIME * FPS, axis=0, mode="nearest")
    return np.asarray(np.linalg.norm(np.gradient(smooth, 1 / FPS, axis=0), axis=-1))


def _compute_turn_rate(axes: Array) -> Array:
    """Return the magnitude of the angular velocity of axes, (n, 3, 3) -> (n,) [rad/s]."""
    return np.asarray(np.linalg.norm(np.gradient(axes, 1 / FPS, axis=0), axis=(1, 2)) / np.sqrt(2))
