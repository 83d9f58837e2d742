"""Force curves: clamped cubic B-splines over a window, zero at both ends,
and their exact integrals.

A window is a stretch of time in which one contact point may push. Its curve is sum of B_k(t) c_k, k
= 1..COUNT, with coefficients c_k in body weights; there are fewer of them where many contacts share
the load. Since the basis is positive and sums to at most one, a curve whose coefficients lie in the
friction cone lies in it altogether.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline

Array = NDArray[np.float64]

COEFFICIENT_COUNT = 5  # of coefficients, where nothing else is said
POWER_COUNT = 6  # 0 to 5, that of the double integral


@dataclass(frozen=True)
class _Splines:
    """The splines of a number of coefficients as polynomials."""

    count: int  # of segments + 3 the first and the last coefficient are zero, and left out
    # value, integral and double integral side by side, on each segment by powers of the
    # share of it that lies behind
    segment_polynomials: Array  # (segments DEGREES, 3 count)
    full_integral: Array  # (count,) integrals over all of a window

    def __call__(self, u: Array) -> Array:
        """Value, integral and double integral at shares of a window, all by one product.
        (...,) -> (..., 3, count).
        """
        segments = self.count - 1
        position = segments * u.ravel()
        segment = np.minimum(position.astype(int), segments - 1)
        powers = np.zeros((len(position), segments, POWER_COUNT))
        powers[np.arange(len(position)), segment] = np.vander(
            position - segment, POWER_COUNT, increasing=True
        )
        return (
            powers.reshape(-1, len(self.segment_polynomials)) @ self.segment_polynomials
        ).reshape(u.shape + (3, self.count))


@cache
def _splines(count: int) -> _Splines:
    segments = count - 1
    knots = np.concatenate([np.zeros(3), np.linspace(0, 1, segments + 1), np.ones(3)])
    value = BSpline(knots, np.eye(segments + 3)[:, 1:-1], 3, extrapolate=False)
    polynomials = np.zeros((segments, POWER_COUNT, 3, count))
    for k, spline in enumerate((value, value.antiderivative(1), value.antiderivative(2))):
        for power in range(spline.k + 1):
            polynomials[:, power, k] = spline(np.arange(segments) / segments, power) / (
                factorial(power) * segments**power
            )
    return _Splines(
        count, polynomials.reshape(segments * POWER_COUNT, 3 * count), value.antiderivative(1)(1.0)
    )


@dataclass(frozen=True)
class ForceBasis:
    """The basis of several windows at n times. Each (n, windows, count).

    `integral` and `double_integral` are the integrals and double integrals from the start time on.
    """

    value: Array
    integral: Array
    double_integral: Array


def evaluate_force_basis(
    times: Array, windows: Array, start: float, count: int = COEFFICIENT_COUNT
) -> ForceBasis:
    """Basis values and integrals. Times (n,), windows (w, 2) begin and end,
    integrals from `start` on.
    """
    splines = _splines(count)
    begin = windows[:, 0]
    length = windows[:, 1] - windows[:, 0]
    u = (times[:, None] - begin) / length  # (n, w)
    start_share = np.maximum((start - begin) / length, 0.0)  # (w,)
    shares = np.concatenate([u, start_share[None]])
    evaluated = splines(np.minimum(np.maximum(shares, 0.0), 1.0))  # (n + 1, w, 3, count)
    evaluated[:, :, 2] += np.maximum(shares - 1, 0.0)[..., None] * splines.full_integral
    value = evaluated[:-1, :, 0] * ((u > 0) & (u < 1))[..., None]
    elapsed_share = np.maximum(u, start_share) - start_share  # (n, w)
    integral: Array = evaluated[:-1, :, 1] - evaluated[-1, :, 1]
    double_integral: Array = (
        evaluated[:-1, :, 2] - evaluated[-1, :, 2] - elapsed_share[..., None] * evaluated[-1, :, 1]
    )
    return ForceBasis(value, length[:, None] * integral, length[:, None] ** 2 * double_integral)


def build_difference_penalty(count: int = COEFFICIENT_COUNT) -> Array:
    """Quadratic form of the differences of neighbouring coefficients, the zeros at both ends
    included. (count, count).
    """
    differences = np.diff(
        np.concatenate([np.zeros((1, count)), np.eye(count), np.zeros((1, count))]), axis=0
    )
    return differences.T @ differences


def compute_remaining_share(windows: Array, time: float, count: int = COEFFICIENT_COUNT) -> Array:
    """Share of each coefficient's impulse that comes after a time. (w, 2) -> (w, count)."""
    u = np.clip((time - windows[:, 0]) / (windows[:, 1] - windows[:, 0]), 0, 1)
    splines = _splines(count)
    return np.asarray(1 - splines(u)[:, 1] / splines.full_integral)


def cover_with_windows(begin: float, end: float, max_length: float) -> Array:
    """Windows that cover a stretch of time: one, or several that overlap by half
    where it is long. (w, 2).
    """
    span = end - begin
    if span <= max_length:
        return np.array([[begin, end]])
    count = int(np.ceil(2 * span / max_length)) - 1
    half_length = span / (count + 1)
    return begin + half_length * np.stack([np.arange(count), np.arange(count) + 2.0], -1)
