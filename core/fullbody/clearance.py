"""Swinging feet raised above the ground, and over bars such as those of hurdles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..geometry.curves import smootherstep
from ..terrain import Ground
from .foot_pose import FootPoses

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroundClearanceParameters:
    """How swings clear the ground. Shares are of the duration of the swing.

    Half or twice of numbers without a note moves feet by at most 5 cm and worsens no measure
    (docs/dev/parameters.csv).
    """

    # Depth in the ground from which on a swing rises before an edge and sinks after it [m]
    edge_height: float = 0.03
    # Share at both ends of a swing in which such a depth is ignored
    graze_share: float = 0.03
    # Share from which on the tip of the toes clears the ground. tuned: at an earlier clearance the
    # knee would be pulled up
    tip_start: float = 0.3
    # Share at both ends over which the required clearance grows from 0. tuned: doubled, feet enter
    # the ground by 3 mm at hurdles
    clearance_ramp: float = 0.3
    # Share at both ends over which the lift of the convex hull grows from 0
    hull_ramp: float = 0.15
    # Standard deviation of the smoothing of the lift over edges, as a share
    edge_smoothing: float = 0.06
    # Share at both ends over which the lift over edges grows from 0. tuned: halved, pops on stairs
    # are 7.1 degrees instead of 5.8; doubled, they enter edges by 2 to 3 mm
    edge_ramp: float = 0.12
    # Value of the bump from 0 to 1 up to which a foot may graze the ground. tuned: clearing it
    # close to the rests would take a leap
    min_bump: float = 0.2
    # Depth of heel, ball or tip in the ground up to which the path is raised by just that depth
    # where the bump leaves it, near the rests [m]. tuned: with 0, the ball of a run on hills
    # entered the ground by 3 mm after its lift, test_engine.py
    max_graze: float = 0.01
    # Height of the tip of a sole that does not bend, over its length. tuned: without it the corners
    # of broad shoes graze the ground after the foot has left it, as poses lag behind their path
    stiff_tip_ratio: float = 0.02


GROUND_CLEARANCE = GroundClearanceParameters()

# Time in which a swing rises before a bar, and in which it sinks after it [s]. Half or twice of it
# moves feet at hurdles by 4 cm
RAMP_TIME = 0.16


@dataclass(frozen=True)
class GroundUnderSole:
    """Points of a sole at n times and the ground under them."""

    points: Array  # Heel, ball and tip [m], (n, 3, 3)
    heights: Array  # Heights of the ground under them [m], minus infinity without ground, (n, 3)
    origin_height: Array  # Height of the ground under the origin of the foot [m], (n,)

    def select(self, frames: NDArray[np.int64]) -> GroundUnderSole:
        """Return the entries of some of the times."""
        return GroundUnderSole(
            self.points[frames], self.heights[frames], self.origin_height[frames]
        )


def compute_ground_lift(
    ground: Ground, poses: FootPoses, u: Array, clearance: float, rear_length: float = 0.0
) -> Array:
    """Return the height to add to a swing so that its sole clears the ground [m], shape (n,).

    The first part is the convex hull of the heights under the path (Wu and Popovic 2010, appendix
    A.3). It carries the foot over the ground between its two places in one arc. A smooth bump adds
    what is still missing.

    Args:
        ground: ground.
        poses: poses of the foot in the swing.
        u: time as a share of the swing, shape (n,).
        clearance: height to keep in mid-swing [m]. It falls to zero at both ends.
        rear_length: length behind the heel that clears the ground, too [m].
    """
    return compute_lift(sample_ground(ground, poses, rear_length), u, clearance)


def compute_tip_lift(ground: Ground, poses: FootPoses, u: Array) -> Array:
    """Return the height to add to a swing so that its tip is above the ground [m], shape (n,).

    It is for feet without toes that bend: their tip turns into the ground as the heel rises.

    Args:
        u: time as a share of the swing, shape (n,).
    """
    heel, _, tip = np.moveaxis(poses.compute_sole_points(), 1, 0)
    height = ground.sample_heights(tip[:, :2])
    landing = np.minimum(1.0, (1 - u) / GROUND_CLEARANCE.clearance_ramp)
    margin = GROUND_CLEARANCE.stiff_tip_ratio * landing * np.linalg.norm(tip - heel, axis=1)
    depth = np.where(np.isfinite(height), height + margin - tip[:, 2], 0.0)
    return np.asarray(np.maximum(depth, 0.0))


def sample_ground(ground: Ground, poses: FootPoses, rear_length: float = 0.0) -> GroundUnderSole:
    """Return the points of a sole and the ground under them.

    Args:
        ground: ground.
        poses: poses of the foot.
        rear_length: length behind the heel whose ground counts for the heel, too [m].
    """
    points = poses.compute_sole_points()
    heights = ground.sample_heights(np.concatenate([points[..., :2], poses.origin[:, None, :2]], 1))
    origin_height = heights[:, 3]
    heights = np.where(np.isfinite(heights[:, :3]), heights[:, :3], -np.inf)
    if rear_length:
        rear_height = ground.sample_heights(
            points[:, 0, :2] - rear_length * poses.rotation[:, :2, 0]
        )
        heights[:, 0] = np.fmax(heights[:, 0], rear_height)
    return GroundUnderSole(points, heights, origin_height)


def compute_lift(ground_under_sole: GroundUnderSole, u: Array, clearance: float) -> Array:
    """Return the lift of `compute_ground_lift` for ground that was sampled before [m], (n,)."""
    points = ground_under_sole.points
    heights = ground_under_sole.heights
    origin_height = ground_under_sole.origin_height
    lift = _compute_hull_lift(
        u,
        np.where(
            np.isfinite(origin_height),
            origin_height,
            np.nanmin(origin_height) if np.isfinite(origin_height).any() else 0.0,
        ),
    )
    required = clearance * np.minimum(1.0, np.minimum(u, 1 - u) / GROUND_CLEARANCE.clearance_ramp)
    spare_height = points[..., 2] - heights + lift[:, None] - required[:, None]
    bump = (4 * u * (1 - u)) ** 2
    before_tip_clearance = u < GROUND_CLEARANCE.tip_start
    # Ignore the tip early in the swing where there is no edge in front of the toes.
    spare_height[
        before_tip_clearance & (heights[:, 2] < points[0, 1, 2] + GROUND_CLEARANCE.edge_height), 2
    ] = np.inf
    edge_deficit = np.where(
        np.minimum(u, 1 - u) > GROUND_CLEARANCE.graze_share,
        np.maximum(-spare_height.min(1), 0.0),
        0.0,
    )
    # Before an edge the foot rises, and it sinks after it.
    if edge_deficit.max(initial=0.0) > GROUND_CLEARANCE.edge_height:
        edge_lift = _smooth_lift(_compute_concave_majorant(u, edge_deficit), u)
        lift = lift + edge_lift
        spare_height += edge_lift[:, None]
    spare_height[before_tip_clearance, 2] = np.inf
    deficit = np.where(
        bump > GROUND_CLEARANCE.min_bump,
        np.maximum(-spare_height.min(1), 0.0) / np.maximum(bump, GROUND_CLEARANCE.min_bump),
        0.0,
    )
    lift = lift + bump * float(deficit.max(initial=0.0))
    graze = (heights - points[..., 2]).max(1) - lift
    return lift + np.clip(graze, 0.0, GROUND_CLEARANCE.max_graze)


def _compute_hull_lift(u: Array, ground_height: Array) -> Array:
    """Return the upper convex hull of the ground above the line between its ends [m], (n,).

    Args:
        u: time as a share of the swing, shape (n,).
        ground_height: height of the ground under the path [m], shape (n,).
    """
    above = ground_height - (
        ground_height[0]
        + (ground_height[-1] - ground_height[0]) * (u - u[0]) / max(u[-1] - u[0], 1e-9)
    )
    if not above.any():
        return above
    return _compute_concave_majorant(u, above) * np.minimum(
        1.0, np.minimum(u, 1 - u) / GROUND_CLEARANCE.hull_ramp
    )


def _compute_concave_majorant(u: Array, values: Array) -> Array:
    """Return the least concave curve above values. (n,), (n,) -> (n,)."""
    hull = [0]
    for k in range(1, len(u)):
        while len(hull) > 1:
            i = hull[-2]
            j = hull[-1]
            if (values[j] - values[i]) * (u[k] - u[i]) <= (values[k] - values[i]) * (u[j] - u[i]):
                hull.pop()
            else:
                break
        hull.append(k)
    return np.interp(u, u[hull], values[hull])


def _smooth_lift(lift: Array, u: Array) -> Array:
    """Return a lift without corners that begins and ends at zero. (n,), (n,) -> (n,)."""
    share_step = (u[-1] - u[0]) / max(len(u) - 1, 1)
    smooth = gaussian_filter1d(
        lift, GROUND_CLEARANCE.edge_smoothing / max(share_step, 1e-6), mode="nearest"
    )
    end_taper = np.clip(np.minimum(u, 1 - u) / GROUND_CLEARANCE.edge_ramp, 0, 1)
    return smooth * end_taper**2 * (3 - 2 * end_taper)


@dataclass(frozen=True)
class HurdleBar:
    """Bar that soles pass over.

    Args:
        is_near: returns whether places (..., 2) [m] are close enough to the bar to count, (...,).
        top: height that soles must reach near the bar [m].
    """

    is_near: Callable[[Array], NDArray[np.bool_]]
    top: float


def raise_over_bars(bars: Sequence[HurdleBar], poses: FootPoses, times: Array) -> Array:
    """Return the height to add to a swing so that its sole passes over all bars [m], shape (n,).

    The height is zero where the swing is high enough already.

    Args:
        bars: bars.
        poses: poses of the foot in the swing.
        times: times from just after the lift to just before the strike [s], shape (n,).
    """
    lift = np.zeros(len(times))
    if not bars:
        return lift
    points = poses.compute_sole_points()  # (n, 3, 3)
    for bar in bars:
        deficit = np.where(bar.is_near(points[..., :2]), bar.top - points[..., 2], 0.0).max(1)
        blocked = np.flatnonzero(deficit > 0)
        if blocked.size:
            lift = np.maximum(
                lift,
                float(deficit.max())
                * _build_plateau(times, float(times[blocked[0]]), float(times[blocked[-1]])),
            )
    return lift


def _build_plateau(times: Array, begin: float, end: float) -> Array:
    """Return a curve that is 1 from begin to end and falls smoothly to 0 on both sides, (n,).

    It is 0 at the first and at the last of the times.
    """
    rise_time, sink_time = (
        max(min(RAMP_TIME, available), 1e-3) for available in (begin - times[0], times[-1] - end)
    )
    return smootherstep(
        np.minimum(
            np.clip(1 - (begin - times) / rise_time, 0, 1),
            np.clip(1 - (times - end) / sink_time, 0, 1),
        )
    )
