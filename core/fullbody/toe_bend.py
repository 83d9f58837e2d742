"""Bend of the toes of swinging feet: they straighten after the lift and clear the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry.curves import smootherstep
from ..terrain import Ground
from .foot_pose import FootPoses

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ToeBendParameters:
    """Tuned numbers of the bend of toes. Shares are of the duration of the swing."""

    # Share in which the toes straighten after the lift, and bend before the strike. tuned: halved,
    # toes enter the ground by 2 to 4 mm in walks and runs
    straightening_share: float = 0.35
    # Height of the tip above the ground up to which toes bend up [m]. tuned: with 0, toes of slow
    # walks slide by up to 57 mm a frame within 1 cm of the ground; at 0.02 those of a slow
    # character still slide by 4 mm, tests/core/fullbody/test_toes.py
    clearance: float = 0.025
    # Share at both ends in which toes lie as they do at the rests, and share after it over which
    # their height grows. tuned: with a start of 0.04, ankles at 0.86 m/s extend by 12.96 degrees
    # instead of 13.09, measured from heel to ball; test_human.py requires 13
    clearance_start: float = 0.06
    clearance_ramp: float = 0.2


TOE_BEND = ToeBendParameters()


def compute_toe_straightening(u: Array, start_bend: float) -> Array:
    """Return the bend of toes that straighten in the first part of a swing [rad], shape (n,).

    Args:
        u: time as a share of the swing, shape (n,).
        start_bend: bend at the start [rad].
    """
    return start_bend * (1 - smootherstep(np.clip(u / TOE_BEND.straightening_share, 0, 1)))


def compute_toe_rise(ground: Ground, poses: FootPoses, u: Array) -> Array:
    """Return the angle by which toes bend up further in a swing [rad], shape (n,).

    Toes that straighten after the lift would be drawn over the ground. It is 0 without a joint.

    Args:
        poses: poses of the foot, with the bend of straightening toes.
        u: time as a share of the swing, shape (n,).
    """
    foot = poses.foot
    if not foot.has_toe:
        return np.zeros(len(u))
    tip = poses.compute_sole_points()[:, 2]
    height = ground.sample_heights(tip[:, :2])
    share = (np.minimum(u, 1 - u) - TOE_BEND.clearance_start) / TOE_BEND.clearance_ramp
    margin = TOE_BEND.clearance * np.clip(share, 0.0, 1.0)
    missing = np.where(np.isfinite(height), height + margin - tip[:, 2], 0.0)
    return np.asarray(np.clip(missing, 0.0, margin) / np.linalg.norm(foot.tip - foot.pivot))
