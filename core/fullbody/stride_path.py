"""The way of a foot that comes down and leaves as a whole: a hoof, a paw, a rubber ball, a round base."""
from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .. import so3
from ..character.character import Foot
from ..motion.footstep import Footstep
from ..terrain import Ground
from .clearance import raise_over
from .foot_path import FootPath, Hold, within_reach

Array = NDArray[np.float64]

LIFTED = (0.06, 0.12)     # leg lengths that a swinging foot rises at least, and for each leg length of a long swing at most
EARLY = 2.5               # the less, the sooner a foot is off the ground on its way; over 2 nothing jerks it up
CLEAR = 0.03              # leg lengths over the ground in mid-swing


def held_point(foot: Foot) -> Array:
    """The point that a path places, in the frame of the foot's link: a round foot's middle, a sole's ankle. (3,)."""
    return foot.middle if foot.is_point else np.zeros(3)


def stride_path(times: Array, footsteps: list[Footstep], foot: Foot, ground: Ground, hip: Array, leg: float) -> FootPath:
    """The path of one foot through its footsteps; its origins are places of `held_point`. Beyond the last one it is free.

    Args:
        times: (n,) rising.
        footsteps: of this foot, in order; the first strikes before the first time.
        hip: (n, 3) places of the hip joint.
        leg: how far the leg reaches from the hip to `held_point`, m.
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
    for a, b in pairwise(footsteps):
        on = (times > a.lift) & (times < b.strike)
        if on.any():
            _fill_swing(path, on, times, a, b, foot, ground, leg)
    swinging = path.hold == Hold.SWING
    path.origin[swinging] = within_reach(path.origin[swinging], hip[swinging], leg)
    return path


def _rests(f: Footstep, foot: Foot) -> Array:
    """Where `held_point` is while a foot rests. (3,)."""
    if foot.is_point:
        return np.asarray(f.position + foot.radius * f.rotation[:, 2])
    return np.asarray(f.position - f.rotation @ foot.centre)


def _fill_swing(path: FootPath, on: NDArray[np.bool_], times: Array, a: Footstep, b: Footstep, foot: Foot, ground: Ground,
                leg: float) -> None:
    u = (times[on] - a.lift) / (b.strike - a.lift)
    smooth = u**3 * (10 - 15 * u + 6 * u * u)
    begin, end = _rests(a, foot), _rests(b, foot)
    origin = begin + smooth[:, None] * (end - begin)
    far = min(float(np.linalg.norm((end - begin)[:2])) / leg, 1.5)
    size = max(leg, float(foot.tip[0] - foot.heel[0]))          # a foot longer than its leg would drag, lifted for the leg alone
    origin[:, 2] += size * (LIFTED[0] + (LIFTED[1] - LIFTED[0]) * far / 1.5) * (4 * u * (1 - u)) ** EARLY
    turn = so3.log(a.rotation.T @ b.rotation)
    rest = a.rotation @ so3.exp(smooth[:, None] * turn)
    link = origin - rest @ held_point(foot)
    origin[:, 2] += raise_over(ground, foot, link, rest, np.zeros(len(u)), u, CLEAR * leg)
    path.hold[on] = Hold.SWING
    path.origin[on], path.rotation[on], path.rest[on] = origin, rest, rest
    path.firm[on] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2
