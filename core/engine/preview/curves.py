"""Smooth ways from one state to another."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def smooth(share: float) -> float:
    """From 0 to 1 with the share, at rest at both ends."""
    s = float(np.clip(share, 0.0, 1.0))
    return (3 - 2 * s) * s * s


def quintic(share: float, lasts: float, begin: Array, end: Array) -> tuple[float, float, float]:
    """Place, velocity and acceleration at a share of the way between two states that do not accelerate; past it the last one.

    Args:
        lasts: s, of the way.
        begin, end: (2,) place and velocity.
    """
    s = min(share, 1.0)
    place, speed, change, last = begin[0], begin[1] * lasts, end[0] - begin[0], end[1] * lasts
    c3, c4, c5 = 10 * change - 6 * speed - 4 * last, -15 * change + 8 * speed + 7 * last, 6 * change - 3 * speed - 3 * last
    at = place + ((c5 * s + c4) * s + c3) * s**3 + speed * s
    rate = speed + ((5 * c5 * s + 4 * c4) * s + 3 * c3) * s**2
    gain = ((20 * c5 * s + 12 * c4) * s + 6 * c3) * s
    return float(at + (share - s) * rate), float(rate / lasts), float(gain / lasts**2)


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
