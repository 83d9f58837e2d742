"""Smooth curves from one state to another, and piecewise quintic curves through given states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# Map from value and first and second derivative at u = 0, and the same at u = 1, to the
# coefficients of 1, u, ... u^5.
_POWERS = np.array(
    [
        [1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 0, 0.5, 0, 0, 0],
        [-10, -6, -1.5, 10, -4, 0.5],
        [15, 8, 1.5, -15, 7, -1],
        [-6, -3, -0.5, 6, -3, 0.5],
    ]
)


class Quintic:
    """A curve of one quintic polynomial between each two knots.

    Beyond the ends the first and the last polynomial continue.

    Args:
        knots: (k + 1,) increasing times [s].
        derivatives: (k + 1, 3) or (k + 1, 3, d) value and first and second time derivative at each
            knot.
    """

    def __init__(self, knots: Sequence[float], derivatives: ArrayLike) -> None:
        self._knots = np.asarray(knots, float)
        values = np.asarray(derivatives, float)
        self._spans = np.diff(self._knots)
        flat = values.reshape(len(values), 3, -1)
        scale = self._spans[:, None] ** np.arange(3)  # Derivatives with respect to u.
        # (k, 6, d)
        ends = np.concatenate([flat[:-1] * scale[:, :, None], flat[1:] * scale[:, :, None]], 1)
        powers = np.swapaxes(_POWERS @ ends, 0, 1)
        self._powers = powers.reshape((6, len(self._spans)) + values.shape[2:])  # (6, k, ...)

    def evaluate_at(self, time: float) -> Array:
        """Return value and first derivative of a curve of numbers at one time [s], shape (2,)."""
        knots = self._knots
        k = min(max(int(knots.searchsorted(time, "right")) - 1, 0), len(self._spans) - 1)
        span = float(self._spans[k])
        u = (time - float(knots[k])) / span
        a, b, c, d, e, f = self._powers[:, k].tolist()
        value = a + u * (b + u * (c + u * (d + u * (e + u * f))))
        slope = b + u * (2 * c + u * (3 * d + u * (4 * e + u * 5 * f)))
        return np.array([value, slope / span])

    def __call__(self, times: ArrayLike, derivative: int = 0) -> Array:
        """Return the value or a derivative of order 1 or 2 at times [s].

        (...,) -> (...,) or (..., d).
        """
        t = np.asarray(times, float)
        k = np.minimum(
            np.maximum(self._knots.searchsorted(t, "right") - 1, 0), len(self._spans) - 1
        )
        span = self._spans[k]
        u = (t - self._knots[k]) / span
        c = self._powers[:, k]  # (6, ...)
        if c.ndim > t.ndim + 1:
            u = u[..., None]
            span = span[..., None]
        if derivative == 0:
            return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))))
        if derivative == 1:
            return (c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5])))) / span
        return (2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5]))) / span**2


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
    """Shares of a step's duration at which the parts of a foot's path begin and end.

    The foot rises before it moves ahead, and is over its new place before it comes down, so that it
    passes the edges of stairs.
    """

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
