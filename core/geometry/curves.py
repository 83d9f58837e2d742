"""Smooth ways from one state to another."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .quintic import Quintic

Array = NDArray[np.float64]

Share = Array | np.float64             # of many instants, or of one


def smooth(share: Share | float) -> Array:
    """From 0 to 1 with the share, at rest at both ends."""
    t = within(share)
    return np.asarray((3 - 2 * t) * t * t)


def within(share: Share | float) -> Share:
    """At least 0 and at most 1; numpy takes many times as long for one number."""
    if isinstance(share, float):
        return np.float64(min(max(share, 0.0), 1.0))
    return np.minimum(np.maximum(share, 0.0), 1.0)



def quintic(share: float, lasts: float, begin: Array, end: Array) -> tuple[float, float, float]:
    """Place, velocity and acceleration at a share of the way between two states that do not accelerate; past it the last one.

    Args:
        lasts: s, of the way.
        begin, end: (2,) place and velocity.
    """
    way, t = Quintic((0.0, lasts), [[*begin, 0.0], [*end, 0.0]]), min(share, 1.0) * lasts
    return float(way(t) + (share * lasts - t) * way(t, 1)), float(way(t, 1)), float(way(t, 2))


RISEN, GOES, COMES, SINKS = 0.5, 0.22, 0.85, 0.72     # of the time: foot is up; sets out ahead; is over its place; begins to sink


def stepped(begin: Array, end: Array, top: float, share: float) -> Array:
    """Where a foot is that goes up, ahead and down, by the share of its time that is over. (3,).

    Args:
        begin, end: (3,) m.
        top: m, how high it goes.
    """
    plane = begin[:2] + smooth((share - GOES) / (COMES - GOES)) * (end - begin)[:2]
    up = begin[2] + smooth(share / RISEN) * (top - begin[2])
    return np.append(plane, up + smooth((share - SINKS) / (1 - SINKS)) * (end[2] - top))
