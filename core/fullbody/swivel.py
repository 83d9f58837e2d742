"""Feet that swivel over their balls, and in the air, after the body that turns.

A path between two footsteps turns a foot from the one to the other as if nothing hung on it. In a
tight turn the body is a quarter turn ahead of the foot it leaves behind; a knee that follows such a
foot points into the other leg, or far out.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.character import Foot
from ..geometry import so3
from .foot_path import FootPath, FootSupport

Array = NDArray[np.float64]

# that a foot may be turned against the heading without swivelling
MAX_TOE_IN = np.radians(12)
MAX_TOE_OUT = np.radians(28)

SMOOTHING_TIME = 0.03  # s over which a swivel sets in
TURN_BACK_SHARE = 0.45  # share of a swing from which on the foot turns to where it lands


def swivel_path(path: FootPath, foot: Foot, side: int, heading: Array, dt: float) -> FootPath:
    """The way of a foot that turns after the body once its heel is up, and until it lands.

    Args:
        side: of the foot, 1 left or -1 right.
        heading: (n,) of the body, rad.
        dt: time between two frames, s.
    """
    share = _compute_swivel_share(path.support)
    # of the sole: a foot that is pitched up has no heading; toes out positive, rad
    toe_out = so3.wrap_angle(side * (so3.yaw_from_matrix(path.rest_rotation) - heading))
    excess = np.minimum(MAX_TOE_OUT - toe_out, 0.0) + np.maximum(-MAX_TOE_IN - toe_out, 0.0)
    if not (excess * share).any():
        return path
    angle = side * share * gaussian_filter1d(excess, SMOOTHING_TIME / dt, mode="nearest")
    turn = so3.exp(angle[:, None] * path.rest_rotation[:, :, 2])
    rotation = turn @ path.rotation
    origin = path.origin + (path.rotation - rotation) @ foot.pivot  # the pivot stays where it is
    return replace(path, rotation=rotation, rest_rotation=turn @ path.rest_rotation, origin=origin)


def _compute_swivel_share(support: NDArray[np.int64]) -> Array:
    """How far a foot is free to swivel: not at all while it is flat,
    fully in the first half of a swing. (n,).

    One that comes down on its ball or leaves from its heel does not swivel over it.
    """
    edges = np.concatenate([[0], np.flatnonzero(np.diff(support)) + 1, [len(support)]])
    swivel_share = np.zeros(len(support))
    for begin, end in pairwise(edges):
        u = np.arange(1, end - begin + 1) / (end - begin + 1)
        if support[begin] == FootSupport.BALL and not (
            end < len(support) and support[end] == FootSupport.FLAT
        ):
            swivel_share[begin:end] = _smootherstep(u)
        elif support[begin] == FootSupport.SWING:
            swivel_share[begin:end] = 1.0 - _smootherstep(
                np.clip((u - TURN_BACK_SHARE) / (1 - TURN_BACK_SHARE), 0, 1)
            )
            if begin and support[begin - 1] == FootSupport.HEEL:
                swivel_share[begin:end] *= _smootherstep(np.clip(u / TURN_BACK_SHARE, 0, 1))
    return swivel_share


def _smootherstep(u: Array) -> Array:
    """From 0 to 1 with calm ends."""
    return np.asarray(u**3 * (10 - 15 * u + 6 * u * u))
