"""What bodies on four legs do where their style says nothing else: strides, the rise of the body and of its feet.

Times are in sqrt(h / g), lengths in hip heights h and speeds as Froude numbers F = v^2 / (g h). Told here, below all that goes by
it, since what a clip does is told as a multiple of it.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cumulative_trapezoid

Array = NDArray[np.float64]

STRIDE = (0.70, 1.43, 0.33)     # T = a + b F^-c: fitted to strides of dogs and horses from F = 0.1 to 25
LIFTED = (0.06, 0.12)           # leg lengths that a swinging foot rises at least, and for each leg length of a long swing at most
LONG_SWING = 1.5                # leg lengths of a swing from which on it rises no higher
LEVEL_DUTY = (0.5, 0.62)        # shares of a stride that feet are down, up to where a body bounces, and from where on it goes level
SAMPLES = 240                   # of a stride, over which a bounce is added up


def usual_stride(froude: ArrayLike) -> Array:
    """Time of a stride, sqrt(h / g). (...,) -> (...,)."""
    return np.asarray(STRIDE[0] + STRIDE[1] * np.asarray(froude, float) ** -STRIDE[2])


def usual_lift(length: ArrayLike) -> Array:
    """How high a foot is lifted on a swing of a length, both in leg lengths. (...,) -> (...,)."""
    share = np.minimum(np.asarray(length, float), LONG_SWING) / LONG_SWING
    return np.asarray(LIFTED[0] + (LIFTED[1] - LIFTED[0]) * share)


def bounces(duty: ArrayLike) -> Array:
    """How much of its bounce a body has whose feet are down for a share of the stride, 0 to 1. (...,) -> (...,)."""
    return np.clip((LEVEL_DUTY[1] - np.asarray(duty, float)) / (LEVEL_DUTY[1] - LEVEL_DUTY[0]), 0, 1)


def usual_bounce(phases: Array, duty: float, stride: float) -> float:
    """How much a body rises and falls from lowest to highest, hip heights, under legs that push as a sine each.

    Args:
        phases: of the feet's touch-downs, strides. (4,).
        duty: share of the stride that each is down.
        stride: its time, sqrt(h / g).
    """
    time = np.arange(SAMPLES) / SAMPLES
    on = (time[:, None] - phases) % 1.0 / duty
    pushed = np.where(on < 1, np.sin(np.pi * np.minimum(on, 1)), 0.0).sum(1)
    speed = _summed(pushed / pushed.mean() - 1)
    return float(bounces(duty) * stride**2 * np.ptp(_summed(speed)))


def _summed(values: Array) -> Array:
    """The sum over a cycle, of zero mean. (n,)."""
    whole = cumulative_trapezoid(np.append(values, values[0]), dx=1 / len(values))
    return np.asarray(whole - whole.mean())
