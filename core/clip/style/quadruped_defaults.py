"""What bodies on four legs do where their style says nothing else:
strides, the rise of the body and of its feet.

Times are in sqrt(h / g), lengths in hip heights h and speeds as Froude numbers F = v^2 / (g h).
Told here, below all that goes by it, since what a clip does is told as a multiple of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cumulative_trapezoid

Array = NDArray[np.float64]

# T = a + b F^-c: fitted to strides of dogs and horses from F = 0.1 to 25
STRIDE_TIME_FIT = (0.70, 1.43, 0.33)
# leg lengths that a swinging foot rises at least, and for each leg length of a long swing at most
FOOT_LIFT_RANGE = (0.06, 0.12)
MAX_LIFT_SWING_LENGTH = 1.5  # leg lengths of a swing from which on it rises no higher
# shares of a stride that feet are down, up to where a body bounces, and from where on it goes level
BOUNCE_DUTY_RANGE = (0.5, 0.62)
BOUNCE_SAMPLES = 240  # of a stride, over which a bounce is added up


def predict_stride_time(froude: ArrayLike) -> Array:
    """Time of a stride, sqrt(h / g). (...,) -> (...,)."""
    return np.asarray(
        STRIDE_TIME_FIT[0] + STRIDE_TIME_FIT[1] * np.asarray(froude, float) ** -STRIDE_TIME_FIT[2]
    )


def predict_foot_lift(swing_length: ArrayLike) -> Array:
    """How high a foot is lifted on a swing of a length, both in leg lengths. (...,) -> (...,)."""
    share = (
        np.minimum(np.asarray(swing_length, float), MAX_LIFT_SWING_LENGTH) / MAX_LIFT_SWING_LENGTH
    )
    return np.asarray(FOOT_LIFT_RANGE[0] + (FOOT_LIFT_RANGE[1] - FOOT_LIFT_RANGE[0]) * share)


def compute_bounce_share(duty: ArrayLike) -> Array:
    """How much of its bounce a body has whose feet are down for a share of the stride,
    0 to 1. (...,) -> (...,).
    """
    return np.clip(
        (BOUNCE_DUTY_RANGE[1] - np.asarray(duty, float))
        / (BOUNCE_DUTY_RANGE[1] - BOUNCE_DUTY_RANGE[0]),
        0,
        1,
    )


def predict_bounce(phases: Array, duty: float, stride_time: float) -> float:
    """How much a body rises and falls from lowest to highest, hip heights,
    under legs that push as a sine each.

    Args:
        phases: of the feet's touch-downs, strides. (4,).
        duty: share of the stride that each is down.
        stride_time: its time, sqrt(h / g).
    """
    time = np.arange(BOUNCE_SAMPLES) / BOUNCE_SAMPLES
    contact_phase = (time[:, None] - phases) % 1.0 / duty
    push = np.where(contact_phase < 1, np.sin(np.pi * np.minimum(contact_phase, 1)), 0.0).sum(1)
    speed = _integrate_cycle(push / push.mean() - 1)
    return float(compute_bounce_share(duty) * stride_time**2 * np.ptp(_integrate_cycle(speed)))


def _integrate_cycle(values: Array) -> Array:
    """The sum over a cycle, of zero mean. (n,)."""
    integral = cumulative_trapezoid(np.append(values, values[0]), dx=1 / len(values))
    return np.asarray(integral - integral.mean())
