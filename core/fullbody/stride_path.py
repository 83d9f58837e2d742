"""The way of a foot that comes down and leaves as a whole:
a hoof, a paw, a rubber ball, a round base.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..clip.style.quadruped_defaults import predict_foot_lift
from ..geometry import so3
from ..motion.footstep import Footstep
from ..terrain import Ground
from .clearance import compute_lift, sample_ground
from .foot_path import FootPath, FootSupport, pull_within_reach

Array = NDArray[np.float64]

# the less, the sooner a foot is off the ground on its way; over 2 nothing jerks it up
LIFT_EXPONENT = 2.5
CLEARANCE_SHARE = 0.03  # leg lengths over the ground in mid-swing


def get_tracked_point(foot: Foot) -> Array:
    """The point that a path places, in the frame of the foot's link:
    a round foot's middle, a sole's ankle. (3,).
    """
    return foot.sphere_center if foot.is_point else np.zeros(3)


def build_stride_path(
    times: Array,
    footsteps: list[Footstep],
    foot: Foot,
    ground: Ground,
    hip: Array,
    leg_length: float,
    lift_factor: Array | None = None,
) -> FootPath:
    """The path of one foot through its footsteps; its origins are places of `get_tracked_point`.
    Beyond the last one it is free.

    Args:
        times: (n,) rising.
        footsteps: of this foot, in order; the first strikes before the first time.
        hip: (n, 3) places of the hip joint.
        leg_length: how far the leg reaches from the hip to `get_tracked_point`, m.
        lift_factor: (n,) multiple of how high feet are lifted; 1 unless told.
    """
    n = len(times)
    path = FootPath(
        np.full(n, int(FootSupport.FREE)),
        np.tile(np.eye(3), (n, 1, 1)),
        np.zeros((n, 3)),
        rest_rotation=np.tile(np.eye(3), (n, 1, 1)),
        heel=np.zeros((n, 3)),
        pivot=np.zeros((n, 3)),
        toe_bend=np.zeros(n),
        firmness=np.ones(n),
    )
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
    _fill_swings(
        path,
        times,
        footsteps,
        foot=foot,
        ground=ground,
        leg_length=leg_length,
        lift_factor=np.ones(n) if lift_factor is None else lift_factor,
    )
    swinging = path.support == FootSupport.SWING
    path.origin[swinging] = pull_within_reach(path.origin[swinging], hip[swinging], leg_length)
    return path


def _compute_rest_point(footstep: Footstep, foot: Foot) -> Array:
    """Where `get_tracked_point` is while a foot rests. (3,)."""
    if foot.is_point:
        return np.asarray(footstep.position + foot.radius * footstep.rotation[:, 2])
    return np.asarray(footstep.position - footstep.rotation @ foot.sole_center)


def _fill_swings(
    path: FootPath,
    times: Array,
    footsteps: list[Footstep],
    foot: Foot,
    ground: Ground,
    leg_length: float,
    lift_factor: Array,
) -> None:
    """All swings between footsteps: what one frame needs to know is found
    for all of them at once.
    """
    lifts = np.array([f.lift for f in footsteps[:-1]])
    strikes = np.array([f.strike for f in footsteps[1:]])
    swing_index = np.searchsorted(lifts, times, side="left") - 1  # the last that has begun
    in_swing = np.flatnonzero(
        (swing_index >= 0) & (times < np.append(strikes, -np.inf)[swing_index])
    )
    if not in_swing.size:
        return
    swing_index = swing_index[in_swing]
    u = (times[in_swing] - lifts[swing_index]) / (strikes[swing_index] - lifts[swing_index])
    smooth = (u**3 * (10 - 15 * u + 6 * u * u))[:, None]
    rest_points = np.stack([_compute_rest_point(f, foot) for f in footsteps])
    rotation = np.stack([f.rotation for f in footsteps])
    displacement = rest_points[1:] - rest_points[:-1]
    origin = rest_points[swing_index] + smooth * displacement[swing_index]
    height = predict_foot_lift(np.linalg.norm(displacement[:, :2], axis=1) / leg_length)
    # a foot longer than its leg would drag, lifted for the leg alone
    size = max(leg_length, float(foot.tip[0] - foot.heel[0]))
    origin[:, 2] += (
        lift_factor[in_swing] * size * height[swing_index] * (4 * u * (1 - u)) ** LIFT_EXPONENT
    )
    turns = np.stack([so3.log(a.T @ b) for a, b in pairwise(rotation)])
    rest = rotation[swing_index] @ so3.exp(smooth * turns[swing_index])
    points, heights, origin_height = sample_ground(
        ground, foot, origin - rest @ get_tracked_point(foot), rotation=rest, bend=np.zeros(len(u))
    )
    for swing in np.split(np.arange(len(swing_index)), np.flatnonzero(np.diff(swing_index)) + 1):
        origin[swing, 2] += compute_lift(
            points[swing],
            heights[swing],
            origin_height[swing],
            u=u[swing],
            clearance=CLEARANCE_SHARE * leg_length,
        )
    path.support[in_swing] = FootSupport.SWING
    path.origin[in_swing] = origin
    path.rotation[in_swing] = rest
    path.rest_rotation[in_swing] = rest
    path.firmness[in_swing] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2
