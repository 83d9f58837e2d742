"""The way of each hand: where it holds, and between two holds down off the one, past the body and up to the other."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep

Array = NDArray[np.float64]

DIP = 0.22            # share of the arm's length by which a hand sinks between two rungs, elbow bent
OUT = 0.18            # the same outward, round the head
LATE = 0.12           # share of a swing by which the hand goes ahead later than it sinks


@dataclass(frozen=True)
class HandPath:
    """The grip of one hand at n times, world axes, metres."""

    hold: NDArray[np.bool_]       # (n,) it holds
    place: Array                  # (n, 3) of the grip, wished for; where it holds, there it is
    firm: Array                   # (n,) how firmly a free hand is held to its path: 1 at both ends, 0 in the middle


def hand_path(times: Array, grips: list[Footstep], side: int, arm: float) -> HandPath:
    """The path of one hand through its grips.

    Args:
        times: (n,) rising.
        grips: of this hand, in order; the first begins before the first time, the last ends after the last.
        side: of the hand, 1 left or -1 right.
        arm: length of the arm from the shoulder to the grip, m.
    """
    n = len(times)
    path = HandPath(np.zeros(n, bool), np.zeros((n, 3)), np.ones(n))
    for g in grips:
        on = (times >= g.strike) & (times <= g.lift)
        path.hold[on], path.place[on] = True, g.position
    for a, b in pairwise(grips):
        on = (times > a.lift) & (times < b.strike)
        u = (times[on] - a.lift) / (b.strike - a.lift)
        bow = (64 * (u * (1 - u)) ** 3)[:, None]
        across = 0.5 * (a.rotation[:, 1] + b.rotation[:, 1])
        aside = side * OUT * arm * across - DIP * arm * np.array([0.0, 0.0, 1.0])
        path.place[on] = a.position + _smooth(u - LATE * 4 * u * (1 - u))[:, None] * (b.position - a.position) + bow * aside
        path.firm[on] = np.abs(2 * u - 1) ** 2
    return path


def _smooth(u: Array) -> Array:
    """From 0 to 1 without speed or acceleration at either end. (n,)."""
    return u**3 * (10 - 15 * u + 6 * u * u)
