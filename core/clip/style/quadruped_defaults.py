"""Usual strides of four-legged bodies, and the usual rise of body and feet.

Times are in sqrt(h / g), lengths in hip heights h and speeds as Froude numbers F = v^2 / (g h). The
numbers of a style and of a clip are multiples of these values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cumulative_trapezoid

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StrideTimeFit:
    """Stride time T = a + b F^-c, fitted to strides of dogs and horses from F = 0.1 to 25.

    Source: the recordings of docs/dev/gaits.md, from which its strides differ by at most 7 %.
    """

    a: float = 0.70
    b: float = 1.43
    c: float = 0.33


@dataclass(frozen=True)
class FootLiftParameters:
    """Height to which a foot is lifted, linear in the length of its swing [leg lengths]."""

    # Lift of a foot that is put down where it was: 3 cm of a dog whose legs are 0.5 m
    min_lift: float = 0.06
    max_lift: float = 0.12  # Lift of a foot with a long swing, likewise 6 cm
    # Length of a swing from which on the lift stays the same, that of a trot
    max_swing_length: float = 1.5


@dataclass(frozen=True)
class BounceParameters:
    """Rise and fall of the body, which decreases linearly with the duty."""

    # Duty up to which the body has its full bounce, that of a trot without flight
    min_duty: float = 0.5
    # Duty from which on the body stays level, that of a walk, in which its ends rise in turn
    max_duty: float = 0.62
    # Number of samples of a stride at which forces are integrated. Numerical: 2 ms of half a second
    samples: int = 240


STRIDE_TIME_FIT = StrideTimeFit()
FOOT_LIFT = FootLiftParameters()
BOUNCE = BounceParameters()


def predict_stride_time(froude: ArrayLike) -> Array:
    """Return the stride time at Froude numbers, (...,) -> (...,) [sqrt(h / g)]."""
    fit = STRIDE_TIME_FIT
    return np.asarray(fit.a + fit.b * np.asarray(froude, float) ** -fit.c)


def predict_foot_lift(swing_length: ArrayLike) -> Array:
    """Return the lift of a foot at lengths of its swing, (...,) -> (...,) [leg lengths]."""
    max_length = FOOT_LIFT.max_swing_length
    share = np.minimum(np.asarray(swing_length, float), max_length) / max_length
    return np.asarray(FOOT_LIFT.min_lift + (FOOT_LIFT.max_lift - FOOT_LIFT.min_lift) * share)


def compute_bounce_share(duty: ArrayLike) -> Array:
    """Return the share of the full bounce at duties, from 0 to 1, (...,) -> (...,)."""
    return np.clip(
        (BOUNCE.max_duty - np.asarray(duty, float)) / (BOUNCE.max_duty - BOUNCE.min_duty), 0, 1
    )


def predict_bounce(phases: Array, duty: float, stride_time: float) -> float:
    """Return the height of the bounce, from lowest to highest [hip heights].

    The force of each leg over its contact is half a period of a sine.

    Args:
        phases: (4,) touch-downs of the feet [strides].
        duty: share of the stride for which a foot is down.
        stride_time: time of the stride [sqrt(h / g)].
    """
    time = np.arange(BOUNCE.samples) / BOUNCE.samples
    contact_phase = (time[:, None] - phases) % 1.0 / duty
    push = np.where(contact_phase < 1, np.sin(np.pi * np.minimum(contact_phase, 1)), 0.0).sum(1)
    speed = _integrate_cycle(push / push.mean() - 1)
    return float(compute_bounce_share(duty) * stride_time**2 * np.ptp(_integrate_cycle(speed)))


def _integrate_cycle(values: Array) -> Array:
    """Return the integral over a cycle, with zero mean, (n,)."""
    integral = cumulative_trapezoid(np.append(values, values[0]), dx=1 / len(values))
    return np.asarray(integral - integral.mean())
