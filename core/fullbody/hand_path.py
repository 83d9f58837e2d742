"""The way of each hand: where it holds, and between two holds down off the one,
past the body and up to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep

Array = NDArray[np.float64]

DIP_SHARE = 0.22  # share of the arm's length by which a hand sinks between two rungs, elbow bent
OUTWARD_SHARE = 0.18  # the same outward, round the head
FORWARD_DELAY = 0.12  # share of a swing by which the hand goes ahead later than it sinks


@dataclass(frozen=True)
class HandPath:
    """The grip of one hand at n times, world axes, metres."""

    is_holding: NDArray[np.bool_]  # (n,) it holds
    place: Array  # (n, 3) of the grip, wished for; where it holds, there it is
    # (n,) how firmly a free hand is held to its path: 1 at both ends, 0 in the middle
    firmness: Array


def build_hand_path(times: Array, grips: list[Footstep], side: int, arm_length: float) -> HandPath:
    """The path of one hand through its grips.

    Args:
        times: (n,) rising.
        grips: of this hand, in order; the first begins before the first time,
            the last ends after the last.
        side: of the hand, 1 left or -1 right.
        arm_length: length of the arm from the shoulder to the grip, m.
    """
    n = len(times)
    path = HandPath(np.zeros(n, bool), np.zeros((n, 3)), np.ones(n))
    for grip in grips:
        selected = (times >= grip.strike) & (times <= grip.lift)
        path.is_holding[selected] = True
        path.place[selected] = grip.position
    for a, b in pairwise(grips):
        selected = (times > a.lift) & (times < b.strike)
        u = (times[selected] - a.lift) / (b.strike - a.lift)
        bump = (64 * (u * (1 - u)) ** 3)[:, None]
        across = 0.5 * (a.rotation[:, 1] + b.rotation[:, 1])
        detour = side * OUTWARD_SHARE * arm_length * across - DIP_SHARE * arm_length * np.array(
            [0.0, 0.0, 1.0]
        )
        path.place[selected] = (
            a.position
            + _smootherstep(u - FORWARD_DELAY * 4 * u * (1 - u))[:, None]
            * (b.position - a.position)
            + bump * detour
        )
        path.firmness[selected] = np.abs(2 * u - 1) ** 2
    return path


def _smootherstep(u: Array) -> Array:
    """From 0 to 1 without speed or acceleration at either end. (n,)."""
    return u**3 * (10 - 15 * u + 6 * u * u)
