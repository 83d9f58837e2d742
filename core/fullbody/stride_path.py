"""Path of a foot that lands and leaves as a whole, such as a hoof, a paw or a round rubber foot."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..clip.style.quadruped_defaults import predict_foot_lift
from ..geometry import so3
from ..geometry.curves import smootherstep
from ..motion.footstep import Footstep
from ..terrain import Ground
from .clearance import compute_lift, sample_ground
from .foot_path import FootPath, FootSupport
from .foot_pose import FootPoses
from .hip_path import HipPath

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StrideSwingParameters:
    """Shape of the swing of a foot that lands as a whole."""

    # Exponent of the height over the swing. A smaller one lifts the foot sooner; above 2 the
    # acceleration begins at zero. tuned: with a larger one feet slid along the ground for their
    # first centimeter
    lift_exponent: float = 2.5
    # Clearance above the ground in mid-swing, in leg lengths. Doubled, feet of a dog move by 2 cm;
    # halved, nothing changes (docs/dev/parameters.csv)
    clearance_ratio: float = 0.03


STRIDE_SWING = StrideSwingParameters()


def get_tracked_point(foot: Foot) -> Array:
    """Return the point that a path places, in the frame of the foot's link [m], shape (3,).

    It is the center of a round foot and the ankle of a sole.
    """
    return foot.sphere_center if foot.is_point else np.zeros(3)


def build_stride_path(
    footsteps: list[Footstep],
    foot: Foot,
    hip: HipPath,
    ground: Ground,
    lift_factor: Array | None = None,
) -> FootPath:
    """Return the path of one foot through its footsteps.

    Its origins are positions of `get_tracked_point`. After the last footstep the foot is free.

    Args:
        footsteps: footsteps of this foot, in order. The first one strikes before the first time.
        foot: shape of the foot.
        hip: hip of the leg at n times, with the reach up to `get_tracked_point`.
        ground: ground.
        lift_factor: factor of the height of swings, shape (n,). By default 1.
    """
    times = hip.times
    path = FootPath.empty(len(times), FootSupport.FREE)
    for footstep in footsteps:
        in_contact = (times >= footstep.strike) & (times <= footstep.lift)
        path.support[in_contact] = FootSupport.BALL if foot.is_point else FootSupport.FLAT
        path.rotation[in_contact] = path.rest_rotation[in_contact] = footstep.rotation
        path.origin[in_contact] = _compute_rest_point(footstep, foot)
        path.heel[in_contact] = footstep.position + footstep.rotation @ (
            foot.heel - foot.sole_center
        )
        path.pivot[in_contact] = (
            path.origin[in_contact]
            if foot.is_point
            else footstep.position + footstep.rotation @ (foot.pivot - foot.sole_center)
        )
    swings = _StrideSwings.from_footsteps(times, footsteps, foot)
    if swings.frames.size:
        factor = 1.0 if lift_factor is None else lift_factor[swings.frames]
        swings.fill(path, ground, hip.leg_length, factor)
    swinging = path.support == FootSupport.SWING
    path.origin[swinging] = hip.limit_reach(path.origin[swinging], swinging)
    return path


def _compute_rest_point(footstep: Footstep, foot: Foot) -> Array:
    """Return the position of `get_tracked_point` while a foot rests [m], shape (3,)."""
    if foot.is_point:
        return np.asarray(footstep.position + foot.radius * footstep.rotation[:, 2])
    return np.asarray(footstep.position - footstep.rotation @ foot.sole_center)


@dataclass(frozen=True)
class _StrideSwings:
    """All swings of a foot between its footsteps, in k frames."""

    footsteps: list[Footstep]
    foot: Foot
    frames: NDArray[np.int64]  # Indices of the frames in a swing, (k,)
    index: NDArray[np.int64]  # Index of the footstep that each swing begins at, (k,)
    u: Array  # Time as a share of the swing, (k,)

    @staticmethod
    def from_footsteps(times: Array, footsteps: list[Footstep], foot: Foot) -> _StrideSwings:
        """Return the swings at the given times (n,) [s]."""
        lifts = np.array([f.lift for f in footsteps[:-1]])
        strikes = np.array([f.strike for f in footsteps[1:]])
        last_lift = np.searchsorted(lifts, times, side="left") - 1
        frames = np.flatnonzero((last_lift >= 0) & (times < np.append(strikes, -np.inf)[last_lift]))
        index = last_lift[frames]
        u = (times[frames] - lifts[index]) / (strikes[index] - lifts[index])
        return _StrideSwings(footsteps, foot, frames, index=index, u=u)

    def fill(
        self, path: FootPath, ground: Ground, leg_length: float, lift_factor: Array | float
    ) -> None:
        """Write the swings into a path.

        Args:
            path: path of the foot. Written.
            ground: ground.
            leg_length: reach of the leg [m].
            lift_factor: factor of the height of the swings, shape (k,) or a number.
        """
        u = self.u
        index = self.index
        smooth = smootherstep(u)[:, None]
        rest_points = np.stack([_compute_rest_point(f, self.foot) for f in self.footsteps])
        rotation = np.stack([f.rotation for f in self.footsteps])
        displacement = rest_points[1:] - rest_points[:-1]
        origin = rest_points[index] + smooth * displacement[index]
        height = predict_foot_lift(np.linalg.norm(displacement[:, :2], axis=1) / leg_length)
        # A foot longer than its leg would drag if it were lifted in proportion to the leg.
        size = max(leg_length, float(self.foot.tip[0] - self.foot.heel[0]))
        origin[:, 2] += (
            lift_factor * size * height[index] * (4 * u * (1 - u)) ** STRIDE_SWING.lift_exponent
        )
        turns = np.stack([so3.log(a.T @ b) for a, b in pairwise(rotation)])
        rest = rotation[index] @ so3.exp(smooth * turns[index])
        link_origin = origin - rest @ get_tracked_point(self.foot)
        under = sample_ground(ground, FootPoses(self.foot, link_origin, rest, np.zeros(len(u))))
        clearance = STRIDE_SWING.clearance_ratio * leg_length
        for swing in np.split(np.arange(len(index)), np.flatnonzero(np.diff(index)) + 1):
            origin[swing, 2] += compute_lift(under.select(swing), u[swing], clearance)
        path.support[self.frames] = FootSupport.SWING
        path.origin[self.frames] = origin
        path.rotation[self.frames] = rest
        path.rest_rotation[self.frames] = rest
        path.firmness[self.frames] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2
