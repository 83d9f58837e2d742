"""Whole soles on uneven ground: heel and ball touch it, and the sole rolls with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...geometry import so3
from ...terrain import Ground

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootTarget:
    """Requested place and heading of a foot.

    Args:
        xy: (2,) place of the middle of the supporting part of the sole [m].
        heading: heading without toe-out [rad].
        toe_out: angle from the heading to the foot, positive to the left [rad].
        side: 1 for a left foot, -1 for a right one.
    """

    xy: Array
    heading: float
    toe_out: float
    side: int

    @property
    def yaw(self) -> float:
        """Heading of the foot, toe-out included [rad]."""
        return self.heading + self.toe_out

    @property
    def forward(self) -> Array:
        """Unit vector along the heading. (2,)."""
        return np.array([np.cos(self.heading), np.sin(self.heading)])

    @property
    def left(self) -> Array:
        """Unit vector to the left of the heading. (2,)."""
        return np.array([-np.sin(self.heading), np.cos(self.heading)])


@dataclass(frozen=True)
class GroundedFootPose:
    """Pose of a sole on the ground.

    Args:
        position: (3,) middle of the sole between heel and ball [m].
        rotation: (3, 3) its forward, left and upward axes as columns.
    """

    position: Array
    rotation: Array


@dataclass(frozen=True)
class SoleParameters:
    """Which ground carries a whole sole."""

    heel_step_clearance: float = 0.09  # Preferred distance of a heel from a step up behind it [m].
    # Deviation of the ground under a foot from a plane above which it counts as an edge [m]. tuned:
    # halved, a walk on hills needs a friction of 0.4 instead of 0.31
    max_edge_height: float = 0.03
    max_slope: float = float(np.tan(np.radians(40)))  # Steepest ground under a sole, rise over run.
    # Lateral distance at which the roll is measured, as a share of half the foot length.
    roll_probe_share: float = 0.25
    # Length over which the slope counts, as a multiple of the length from heel to ball.
    slope_length_ratio: float = 1.3
    depth_samples: int = 8  # Samples from heel to toe tip at which the depth of a sole is measured.
    # Half width of the tested capsule, as a share of the length from heel to ball.
    half_width_ratio: float = 0.2


SOLE = SoleParameters()


def place_foot(ground: Ground, foot: Foot, xy: Array, yaw: float, level: float) -> GroundedFootPose:
    """Return the pose of a sole with its middle above `xy` (2,) and heel and ball on the ground.

    The sole keeps its length on a slope, so the horizontal distance between heel and ball shrinks
    with the incline; a few fixed-point iterations solve for it. The roll follows the lateral slope
    of the ground, measured over half the length of the foot, where there is ground on both sides.

    Args:
        yaw: heading of the foot [rad].
        level: height that replaces missing ground [m].
    """
    half_length = 0.5 * float(np.linalg.norm(foot.ball - foot.heel))
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    half_span = half_length
    for _ in range(3):
        ends = xy + half_span * np.array([-1.0, 1.0])[:, None] * forward  # (heel and ball, 2)
        heights = ground.sample_heights(ends)
        heel, ball = np.where(np.isfinite(heights), heights, level)
        incline = np.arctan2(ball - heel, 2 * half_span)
        half_span = half_length * np.cos(incline)
    rotation = fit_sole_rotation(
        ground,
        xy,
        yaw,
        incline=float(incline),
        probe_distance=SOLE.roll_probe_share * half_length,
    )
    return GroundedFootPose(np.array([*xy, 0.5 * (heel + ball)]), rotation)


def measure_sole_depth(ground: Ground, foot: Foot, pose: GroundedFootPose) -> float:
    """Return how far the ground rises above a sole that stands on it [m], 0 if nowhere."""
    along = np.linspace(foot.heel[0], foot.tip[0], SOLE.depth_samples) - foot.sole_center[0]
    half_width = SOLE.half_width_ratio * (foot.ball[0] - foot.heel[0])
    across = half_width * np.array([-1.0, 0.0, 1.0])
    local = np.stack([*np.broadcast_arrays(along[:, None], across, 0.0)], -1).reshape(-1, 3)
    points = pose.position + local @ pose.rotation.T
    return float(
        np.nan_to_num(ground.sample_heights(points[:, :2]) - points[:, 2], nan=0.0).max(initial=0.0)
    )


def fit_sole_rotation(
    ground: Ground, xy: Array, yaw: float, incline: float, probe_distance: float
) -> Array:
    """Return the rotation (3, 3) of a sole that rolls with the ground.

    Args:
        xy: (2,) place at which the roll is measured [m].
        yaw: heading of the foot [rad].
        incline: angle by which the sole rises toward the toes [rad].
        probe_distance: lateral distance from the place at which the ground is sampled [m].
    """
    lateral_step = probe_distance * np.array([-np.sin(yaw), np.cos(yaw)])
    left, right = ground.sample_heights(np.stack([xy + lateral_step, xy - lateral_step]))
    return make_sole_rotation(yaw, incline, float(left - right) / (2 * probe_distance))


def make_sole_rotation(yaw: float, incline: float, lateral_slope: float) -> Array:
    """Return the rotation (3, 3) of a sole.

    Args:
        yaw: heading of the foot [rad].
        incline: angle by which the sole rises toward the toes [rad].
        lateral_slope: rise over run to the left; NaN for level.
    """
    forward = np.array(
        [np.cos(incline) * np.cos(yaw), np.cos(incline) * np.sin(yaw), np.sin(incline)]
    )
    lateral = np.array(
        [-np.sin(yaw), np.cos(yaw), lateral_slope if np.isfinite(lateral_slope) else 0.0]
    )
    lateral -= forward * (forward @ lateral)
    lateral /= np.sqrt(lateral @ lateral)
    return np.stack([forward, lateral, so3.hat(forward) @ lateral], -1)


def is_forbidden_ground(ground: Ground, foot: Foot, xy: Array, yaw: Array) -> NDArray[np.bool_]:
    """Return where a foot may not stand. (n, 2), (n,) -> (n,).

    Forbidden is ground that is missing, too steep or broken by an edge under a capsule from heel to
    toe tip. Source: Kwon et al. 2020, appendix C.3.

    Args:
        xy: places of the middle of the sole [m].
        yaw: headings of the foot [rad].
    """
    forward = np.stack([np.cos(yaw), np.sin(yaw)], -1)[:, None]  # (n, 1, 2)
    left = np.stack([-np.sin(yaw), np.cos(yaw)], -1)[:, None]
    length = foot.ball[0] - foot.heel[0]
    along = np.linspace(foot.heel[0], foot.tip[0], 6) - foot.sole_center[0]  # (6,)
    axis_points = xy[:, None] + along[:, None] * forward  # (n, 6, 2)
    sample_points = np.concatenate(
        [
            axis_points,
            axis_points + SOLE.half_width_ratio * length * left,
            axis_points - SOLE.half_width_ratio * length * left,
        ],
        1,
    )
    heights = ground.sample_heights(sample_points).reshape(len(xy), 3, 6)
    missing = ~np.isfinite(heights).all((1, 2))
    heights = np.where(np.isfinite(heights), heights, 0.0)
    steep = np.ptp(heights, axis=(1, 2)) > SOLE.max_slope * length * SOLE.slope_length_ratio
    straight = heights[..., :1] + (heights[..., -1:] - heights[..., :1]) * (along - along[0]) / (
        along[-1] - along[0]
    )
    edge = (np.abs(heights - straight) > SOLE.max_edge_height).any((1, 2)) | (
        np.ptp(heights - heights[:, :1], axis=1) > 2 * SOLE.max_edge_height
    ).any(1)
    return missing | steep | edge


def has_step_behind_heel(ground: Ground, foot: Foot, xy: Array, yaw: Array) -> NDArray[np.bool_]:
    """Return where a foot would stand close in front of a step up. (n, 2), (n,) -> (n,).

    Its heel could scrape along the riser as it comes down.

    Args:
        xy: places of the middle of the sole [m].
        yaw: headings of the foot [rad].
    """
    forward = np.stack([np.cos(yaw), np.sin(yaw)], -1)
    heel = xy + (foot.heel[0] - foot.sole_center[0]) * forward
    return np.asarray(
        ground.sample_heights(heel - SOLE.heel_step_clearance * forward)
        > ground.sample_heights(heel) + SOLE.max_edge_height
    )
