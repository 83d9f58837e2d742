"""Swinging feet raised over bars, such as those of hurdles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry.curves import smootherstep
from .foot_pose import FootPoses

Array = NDArray[np.float64]

RAMP_TIME = 0.16  # Time in which a swing rises before a bar, and in which it sinks after it [s]


@dataclass(frozen=True)
class HurdleBar:
    """Bar that soles pass over.

    Args:
        is_near: returns whether places (..., 2) [m] are close enough to the bar to count, (...,).
        top: height that soles must reach near the bar [m].
    """

    is_near: Callable[[Array], NDArray[np.bool_]]
    top: float


def raise_over_bars(bars: Sequence[HurdleBar], poses: FootPoses, times: Array) -> Array:
    """Return the height to add to a swing so that its sole passes over all bars [m], shape (n,).

    The height is zero where the swing is high enough already.

    Args:
        bars: bars.
        poses: poses of the foot in the swing.
        times: times from just after the lift to just before the strike [s], shape (n,).
    """
    lift = np.zeros(len(times))
    if not bars:
        return lift
    points = poses.compute_sole_points()  # (n, 3, 3)
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
    """Return a curve that is 1 from begin to end and falls smoothly to 0 on both sides, (n,).

    It is 0 at the first and at the last of the times.
    """
    rise_time, sink_time = (
        max(min(RAMP_TIME, available), 1e-3) for available in (begin - times[0], times[-1] - end)
    )
    return smootherstep(
        np.minimum(
            np.clip(1 - (begin - times) / rise_time, 0, 1),
            np.clip(1 - (times - end) / sink_time, 0, 1),
        )
    )
