"""Swinging feet led over bars."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from .clearance import sole_points

Array = NDArray[np.float64]

RAMP = 0.16           # s over which a swing is raised before a bar, and sinks again behind it


@dataclass(frozen=True)
class Bar:
    """What a sole must be above.

    Args:
        near: tells of places (..., 2) whether they are so close to the bar that they count.
        top: height to be above, m.
    """

    near: Callable[[Array], NDArray[np.bool_]]
    top: float


def hop_over(bars: Sequence[Bar], foot: Foot, times: Array, origin: Array, rotation: Array, bend: Array) -> Array:
    """Height to add to a swing so that its sole passes over all bars: as much as is missing, up before them and down behind.

    Unlike ground, a bar asks for nothing where the swing is high enough by itself.

    Args:
        times: (n,) s, from just after the foot's lift to just before its strike.
        origin, rotation, bend: (n, ...) of the foot in the swing.

    Returns:
        (n,) m.
    """
    lift = np.zeros(len(times))
    if not bars:
        return lift
    points = sole_points(foot, origin, rotation, bend)                                     # (n, 3, 3)
    for bar in bars:
        short = np.where(bar.near(points[..., :2]), bar.top - points[..., 2], 0.0).max(1)
        on = np.flatnonzero(short > 0)
        if on.size:
            lift = np.maximum(lift, float(short.max()) * _plateau(times, float(times[on[0]]), float(times[on[-1]])))
    return lift


def _plateau(times: Array, begin: float, end: float) -> Array:
    """1 from begin to end, smoothly down to 0 on both sides, and 0 at the first and the last of the times. (n,)."""
    up, down = (max(min(RAMP, room), 1e-3) for room in (begin - times[0], times[-1] - end))
    u = np.minimum(np.clip(1 - (begin - times) / up, 0, 1), np.clip(1 - (times - end) / down, 0, 1))
    return np.asarray(u**3 * (10 - 15 * u + 6 * u * u))
