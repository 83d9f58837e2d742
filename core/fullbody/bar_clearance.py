"""Swinging feet led over bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from .clearance import place_sole_points

Array = NDArray[np.float64]

RAMP_TIME = 0.16  # s over which a swing is raised before a bar, and sinks again behind it


@dataclass(frozen=True)
class HurdleBar:
    """What a sole must be above.

    Args:
        is_near: tells of places (..., 2) whether they are so close to the bar that they count.
        top: height to be above, m.
    """

    is_near: Callable[[Array], NDArray[np.bool_]]
    top: float


def raise_over_bars(
    bars: Sequence[HurdleBar], foot: Foot, times: Array, origin: Array, rotation: Array, bend: Array
) -> Array:
    """Height to add to a swing so that its sole passes over all bars: as much as is missing, up
    before them and down behind.

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
    points = place_sole_points(foot, origin, rotation, bend)  # (n, 3, 3)
    for bar in bars:
        deficit = np.where(bar.is_near(points[..., :2]), bar.top - points[..., 2], 0.0).max(1)
        blocked = np.flatnonzero(deficit > 0)
        if blocked.size:
            lift = np.maximum(
                lift,
                float(deficit.max())
                * _build_plateau(times, float(times[blocked[0]]), float(times[blocked[-1]])),
            )
    return lift


def _build_plateau(times: Array, begin: float, end: float) -> Array:
    """1 from begin to end, smoothly down to 0 on both sides,
    and 0 at the first and the last of the times. (n,).
    """
    rise_time, sink_time = (
        max(min(RAMP_TIME, available), 1e-3) for available in (begin - times[0], times[-1] - end)
    )
    u = np.minimum(
        np.clip(1 - (begin - times) / rise_time, 0, 1), np.clip(1 - (times - end) / sink_time, 0, 1)
    )
    return np.asarray(u**3 * (10 - 15 * u + 6 * u * u))
