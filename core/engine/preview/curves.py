"""Smooth ways from one state to another."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...fullbody.quintic import Quintic
from ...simulate.swinging import smooth

Array = NDArray[np.float64]


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
