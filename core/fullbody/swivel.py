"""Feet that swivel over their balls, and in the air, after the body that turns.

A path between two footsteps turns a foot from the one to the other as if nothing hung on it. In a tight turn the body is a
quarter turn ahead of the foot it leaves behind; a knee that follows such a foot points into the other leg, or far out.
"""
from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.character import Foot
from ..geometry import so3
from .foot_path import FootPath, Hold

Array = NDArray[np.float64]

INWARD, OUTWARD = np.radians(12), np.radians(28)      # that a foot may be turned against the heading without swivelling
SOFTENED = 0.03       # s over which a swivel sets in
BACK_FROM = 0.45      # share of a swing from which on the foot turns to where it lands


def swivelled(path: FootPath, foot: Foot, side: int, heading: Array, dt: float) -> FootPath:
    """The way of a foot that turns after the body once its heel is up, and until it lands.

    Args:
        side: of the foot, 1 left or -1 right.
        heading: (n,) of the body, rad.
        dt: time between two frames, s.
    """
    share = _share(path.hold)
    # of the sole: a foot that is pitched up has no heading; toes out positive, rad
    out = so3.wrapped(side * (so3.yaw_of(path.rest) - heading))
    need = np.minimum(OUTWARD - out, 0.0) + np.maximum(-INWARD - out, 0.0)
    if not (need * share).any():
        return path
    angle = side * share * gaussian_filter1d(need, SOFTENED / dt, mode="nearest")
    turn = so3.exp(angle[:, None] * path.rest[:, :, 2])
    rotation = turn @ path.rotation
    origin = path.origin + (path.rotation - rotation) @ foot.pivot                        # the pivot stays where it is
    return replace(path, rotation=rotation, rest=turn @ path.rest, origin=origin)


def _share(hold: NDArray[np.int64]) -> Array:
    """How far a foot is free to swivel: not at all while it is flat, fully in the first half of a swing. (n,).

    One that comes down on its ball or leaves from its heel does not swivel over it.
    """
    edges = np.concatenate([[0], np.flatnonzero(np.diff(hold)) + 1, [len(hold)]])
    out = np.zeros(len(hold))
    for begin, end in pairwise(edges):
        u = np.arange(1, end - begin + 1) / (end - begin + 1)
        if hold[begin] == Hold.BALL and not (end < len(hold) and hold[end] == Hold.FLAT):
            out[begin:end] = _rise(u)
        elif hold[begin] == Hold.SWING:
            out[begin:end] = 1.0 - _rise(np.clip((u - BACK_FROM) / (1 - BACK_FROM), 0, 1))
            if begin and hold[begin - 1] == Hold.HEEL:
                out[begin:end] *= _rise(np.clip(u / BACK_FROM, 0, 1))
    return out


def _rise(u: Array) -> Array:
    """From 0 to 1 with calm ends."""
    return np.asarray(u**3 * (10 - 15 * u + 6 * u * u))
