"""Smooth ways from one state to another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .quintic import Quintic

Array = NDArray[np.float64]

Share = Array | np.float64  # of many instants, or of one


def smoothstep(share: Share | float) -> Array:
    """From 0 to 1 with the share, at rest at both ends."""
    t = clamp_share(share)
    return np.asarray((3 - 2 * t) * t * t)


def clamp_share(share: Share | float) -> Share:
    """At least 0 and at most 1; numpy takes many times as long for one number."""
    if isinstance(share, float):
        return np.float64(min(max(share, 0.0), 1.0))
    return np.minimum(np.maximum(share, 0.0), 1.0)


def evaluate_quintic(
    share: float, duration: float, begin: Array, end: Array
) -> tuple[float, float, float]:
    """Place, velocity and acceleration at a share of the way between two states that do not
    accelerate; past it the last one.

    Args:
        duration: s, of the way.
        begin, end: (2,) place and velocity.
    """
    curve = Quintic((0.0, duration), [[*begin, 0.0], [*end, 0.0]])
    t = min(share, 1.0) * duration
    return (
        float(curve(t) + (share * duration - t) * curve(t, 1)),
        float(curve(t, 1)),
        float(curve(t, 2)),
    )


# of the time: foot is up; sets out ahead; is over its place; begins to sink
RISE_END_SHARE = 0.5
ADVANCE_START_SHARE = 0.22
ADVANCE_END_SHARE = 0.85
SINK_START_SHARE = 0.72


def evaluate_step_path(begin: Array, end: Array, top: float, share: float) -> Array:
    """Where a foot is that goes up, ahead and down, by the share of its time that is over. (3,).

    Args:
        begin, end: (3,) m.
        top: m, how high it goes.
    """
    horizontal = (
        begin[:2]
        + smoothstep((share - ADVANCE_START_SHARE) / (ADVANCE_END_SHARE - ADVANCE_START_SHARE))
        * (end - begin)[:2]
    )
    up = begin[2] + smoothstep(share / RISE_END_SHARE) * (top - begin[2])
    return np.append(
        horizontal,
        up + smoothstep((share - SINK_START_SHARE) / (1 - SINK_START_SHARE)) * (end[2] - top),
    )
