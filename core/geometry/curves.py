"""Smooth curves from one state to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .quintic import Quintic

Array = NDArray[np.float64]

Share = Array | np.float64  # Shares of a duration at many instants, or at one.


def smoothstep(share: Share | float) -> Array:
    """Return the cubic from 0 to 1 with zero slope at both ends, for shares from 0 to 1."""
    t = clamp_share(share)
    return np.asarray((3 - 2 * t) * t * t)


def smootherstep(share: Array) -> Array:
    """Return the quintic from 0 to 1 with zero slope and curvature at both ends.

    Shares beyond 0 to 1 are not limited.
    """
    return np.asarray(share**3 * (10 - 15 * share + 6 * share * share))


def fade_offset(share: Array, offset: Array, slope: Array) -> Array:
    """Return the quartic that begins with an offset and its slope, and fades to zero.

    Slope and curvature are zero at its end, too. The arguments broadcast. Shares beyond 0 to 1 are
    not limited.

    Args:
        share: of the duration of the fade.
        offset: value at the begin, in any unit.
        slope: derivative by the share at the begin, in the same unit.
    """
    return np.asarray((1 - share) ** 3 * (offset + share * (3 * offset + slope)))


def clamp_share(share: Share | float) -> Share:
    """Return shares limited to 0 to 1. A single number avoids the overhead of numpy."""
    if isinstance(share, float):
        return np.float64(min(max(share, 0.0), 1.0))
    return np.minimum(np.maximum(share, 0.0), 1.0)


@dataclass(frozen=True)
class CurvePoint:
    """Position [m], velocity [m/s] and acceleration [m/s^2] of a curve at one time."""

    position: float
    velocity: float
    acceleration: float


def evaluate_quintic(share: float, duration: float, begin: Array, end: Array) -> CurvePoint:
    """Return the point at a share of the duration of a quintic between two states.

    The acceleration is zero at both ends. After the end the velocity stays constant.

    Args:
        share: of the duration; above 1 after the end.
        duration: [s].
        begin, end: (2,) position [m] and velocity [m/s].
    """
    curve = Quintic((0.0, duration), [[*begin, 0.0], [*end, 0.0]])
    t = min(share, 1.0) * duration
    return CurvePoint(
        float(curve(t) + (share * duration - t) * curve(t, 1)),
        float(curve(t, 1)),
        float(curve(t, 2)),
    )


@dataclass(frozen=True)
class StepPathTiming:
    """Shares of a step's duration at which the parts of a foot's path begin and end."""

    rise_end: float = 0.5  # The foot is at its top height.
    advance_start: float = 0.22  # The horizontal motion begins.
    advance_end: float = 0.85  # The foot is above its new place.
    sink_start: float = 0.72  # The descent begins.


STEP_PATH = StepPathTiming()


def evaluate_step_path(begin: Array, end: Array, top: float, share: float) -> Array:
    """Return the place of a foot that moves up, ahead and down. (3,) [m].

    Args:
        begin, end: (3,) [m].
        top: maximum height [m].
        share: of the step's duration that is over.
    """
    timing = STEP_PATH
    advance = (share - timing.advance_start) / (timing.advance_end - timing.advance_start)
    horizontal = begin[:2] + smoothstep(advance) * (end - begin)[:2]
    up = begin[2] + smoothstep(share / timing.rise_end) * (top - begin[2])
    sink = (share - timing.sink_start) / (1 - timing.sink_start)
    return np.append(horizontal, up + smoothstep(sink) * (end[2] - top))
