"""The way of a foot that comes down and leaves as a whole: a hoof, a paw, a rubber ball, a round base."""
from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..clip.style.quadruped_defaults import usual_lift
from ..geometry import so3
from ..motion.footstep import Footstep
from ..terrain import Ground
from .clearance import ground_under, raise_above
from .foot_path import FootPath, Hold, within_reach

Array = NDArray[np.float64]

EARLY = 2.5               # the less, the sooner a foot is off the ground on its way; over 2 nothing jerks it up
CLEAR = 0.03              # leg lengths over the ground in mid-swing


def held_point(foot: Foot) -> Array:
    """The point that a path places, in the frame of the foot's link: a round foot's middle, a sole's ankle. (3,)."""
    return foot.middle if foot.is_point else np.zeros(3)


def stride_path(times: Array, footsteps: list[Footstep], foot: Foot, ground: Ground, hip: Array, leg: float,
                lift: Array | None = None) -> FootPath:
    """The path of one foot through its footsteps; its origins are places of `held_point`. Beyond the last one it is free.

    Args:
        times: (n,) rising.
        footsteps: of this foot, in order; the first strikes before the first time.
        hip: (n, 3) places of the hip joint.
        leg: how far the leg reaches from the hip to `held_point`, m.
        lift: (n,) multiple of how high feet are lifted; 1 unless told.
    """
    n = len(times)
    path = FootPath(np.full(n, int(Hold.FREE)), np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1)),
                    np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n), np.ones(n))
    for f in footsteps:
        on = (times >= f.strike) & (times <= f.lift)
        path.hold[on] = Hold.BALL if foot.is_point else Hold.FLAT
        path.rotation[on] = path.rest[on] = f.rotation
        path.origin[on] = _rests(f, foot)
        path.heel[on] = f.position + f.rotation @ (foot.heel - foot.centre)
        path.pivot[on] = path.origin[on] if foot.is_point else f.position + f.rotation @ (foot.pivot - foot.centre)
    _fill_swings(path, times, footsteps, foot, ground, leg, np.ones(n) if lift is None else lift)
    swinging = path.hold == Hold.SWING
    path.origin[swinging] = within_reach(path.origin[swinging], hip[swinging], leg)
    return path


def _rests(f: Footstep, foot: Foot) -> Array:
    """Where `held_point` is while a foot rests. (3,)."""
    if foot.is_point:
        return np.asarray(f.position + foot.radius * f.rotation[:, 2])
    return np.asarray(f.position - f.rotation @ foot.centre)


def _fill_swings(path: FootPath, times: Array, footsteps: list[Footstep], foot: Foot, ground: Ground, leg: float,
                 lift: Array) -> None:
    """All swings between footsteps: what one frame needs to know is found for all of them at once."""
    lifts, strikes = np.array([f.lift for f in footsteps[:-1]]), np.array([f.strike for f in footsteps[1:]])
    own = np.searchsorted(lifts, times, side="left") - 1                                    # the last that has begun
    on = np.flatnonzero((own >= 0) & (times < np.append(strikes, -np.inf)[own]))
    if not on.size:
        return
    own = own[on]
    u = (times[on] - lifts[own]) / (strikes[own] - lifts[own])
    smooth = (u**3 * (10 - 15 * u + 6 * u * u))[:, None]
    rests, rotation = np.stack([_rests(f, foot) for f in footsteps]), np.stack([f.rotation for f in footsteps])
    way = rests[1:] - rests[:-1]
    origin = rests[own] + smooth * way[own]
    height = usual_lift(np.linalg.norm(way[:, :2], axis=1) / leg)
    size = max(leg, float(foot.tip[0] - foot.heel[0]))          # a foot longer than its leg would drag, lifted for the leg alone
    origin[:, 2] += lift[on] * size * height[own] * (4 * u * (1 - u)) ** EARLY
    turn = np.stack([so3.log(a.T @ b) for a, b in pairwise(rotation)])
    rest = rotation[own] @ so3.exp(smooth * turn[own])
    points, heights, under = ground_under(ground, foot, origin - rest @ held_point(foot), rest, np.zeros(len(u)))
    for swing in np.split(np.arange(len(own)), np.flatnonzero(np.diff(own)) + 1):
        origin[swing, 2] += raise_above(points[swing], heights[swing], under[swing], u[swing], CLEAR * leg)
    path.hold[on] = Hold.SWING
    path.origin[on], path.rotation[on], path.rest[on] = origin, rest, rest
    path.firm[on] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2
