"""Feet that swivel on their balls, and in the air, to follow a body that turns.

The path between two footsteps turns a foot from one heading to the other, whatever the body does.
In a tight turn the body is up to a quarter turn ahead of the trailing foot. The knee above such a
foot would point into the other leg or far outward.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.character import Foot
from ..geometry import so3
from ..geometry.curves import smootherstep
from .foot_path import FootPath, FootSupport

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SwivelParameters:
    """When and how far feet swivel."""

    # Largest inward angle of a foot to the heading without a swivel [rad]
    max_toe_in: float = float(np.radians(12))
    # Largest outward angle of a foot to the heading without a swivel [rad]. tuned: shins went into
    # each other in tight turns, test_legs_that_pass_fast_or_in_a_tight_turn_hardly_touch
    max_toe_out: float = float(np.radians(28))
    # Standard deviation of the smoothing of the angle [s]. Half or twice moves a sharp turn by at
    # most 1 cm (docs/dev/parameters.csv)
    smoothing_time: float = 0.03
    # Share of a swing after which the foot turns back to the heading of its footstep. tuned:
    # doubled, pops of a sharp turn are 19 degrees instead of 3.7
    turn_back_share: float = 0.45


SWIVEL = SwivelParameters()


def swivel_path(path: FootPath, foot: Foot, side: int, heading: Array, dt: float) -> FootPath:
    """Return a foot path that follows the turn of the body from its heel-off to its strike.

    Args:
        path: path of the foot at n times.
        foot: shape of the foot.
        side: side of the foot, 1 for left or -1 for right.
        heading: heading of the body [rad], shape (n,).
        dt: time between two frames [s].
    """
    share = _compute_swivel_share(path.support)
    # Heading of the sole at rest, as that of a pitched foot is not defined. Outward is positive.
    toe_out = so3.wrap_angle(side * (so3.yaw_from_matrix(path.rest_rotation) - heading))
    excess = np.minimum(SWIVEL.max_toe_out - toe_out, 0.0) + np.maximum(
        -SWIVEL.max_toe_in - toe_out, 0.0
    )
    if not (excess * share).any():
        return path
    angle = side * share * gaussian_filter1d(excess, SWIVEL.smoothing_time / dt, mode="nearest")
    turn = so3.exp(angle[:, None] * path.rest_rotation[:, :, 2])
    rotation = turn @ path.rotation
    origin = path.origin + (path.rotation - rotation) @ foot.pivot  # The pivot does not move.
    return replace(path, rotation=rotation, rest_rotation=turn @ path.rest_rotation, origin=origin)


def _compute_swivel_share(support: NDArray[np.int64]) -> Array:
    """Return how far a foot is free to swivel, from 0 while it is flat to 1 in early swing, (n,).

    A foot that lands on its ball or leaves from its heel does not swivel during that contact.
    """
    edges = np.concatenate([[0], np.flatnonzero(np.diff(support)) + 1, [len(support)]])
    swivel_share = np.zeros(len(support))
    for begin, end in pairwise(edges):
        u = np.arange(1, end - begin + 1) / (end - begin + 1)
        if support[begin] == FootSupport.BALL and not (
            end < len(support) and support[end] == FootSupport.FLAT
        ):
            swivel_share[begin:end] = smootherstep(u)
        elif support[begin] == FootSupport.SWING:
            start = SWIVEL.turn_back_share
            swivel_share[begin:end] = 1.0 - smootherstep(np.clip((u - start) / (1 - start), 0, 1))
            if begin and support[begin - 1] == FootSupport.HEEL:
                swivel_share[begin:end] *= smootherstep(np.clip(u / start, 0, 1))
    return swivel_share
