"""Force curves: clamped cubic B-splines over a window, zero at both ends, and their exact integrals.

A window is a stretch of time in which one contact point may push. Its curve is sum of B_k(t) c_k, k = 1..5, with
coefficients c_k in body weights. Since the basis is positive and sums to at most one, a curve whose coefficients lie in the
friction cone lies in it altogether.
"""
from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline

Array = NDArray[np.float64]

SEGMENTS = 4
COUNT = SEGMENTS + 1          # of coefficients: SEGMENTS + 3 less the first and the last, which are zero
DEGREES = 6           # 0 to 5, that of the double integral

_KNOTS = np.concatenate([np.zeros(3), np.linspace(0, 1, SEGMENTS + 1), np.ones(3)])
_VALUE = BSpline(_KNOTS, np.eye(SEGMENTS + 3)[:, 1:-1], 3, extrapolate=False)
_ONCE = _VALUE.antiderivative(1)
_TWICE = _VALUE.antiderivative(2)
_END_ONCE, _END_TWICE = _ONCE(1.0), _TWICE(1.0)


def _pieces() -> Array:
    """The splines as polynomials: coefficients on each segment by powers of the share of it that lies behind.

    Value, integral and double integral side by side, (SEGMENTS DEGREES, 3 COUNT).
    """
    table = np.zeros((SEGMENTS, DEGREES, 3, COUNT))
    for k, spline in enumerate((_VALUE, _ONCE, _TWICE)):
        for power in range(spline.k + 1):
            table[:, power, k] = spline(np.arange(SEGMENTS) / SEGMENTS, power) / (factorial(power) * SEGMENTS**power)
    return table.reshape(SEGMENTS * DEGREES, 3 * COUNT)


_PIECES = _pieces()


def _splines(u: Array) -> Array:
    """Value, integral and double integral at shares of a window, all by one product. (...,) -> (..., 3, COUNT)."""
    at = SEGMENTS * u.ravel()
    segment = np.minimum(at.astype(int), SEGMENTS - 1)
    powers = np.zeros((len(at), SEGMENTS, DEGREES))
    powers[np.arange(len(at)), segment] = np.vander(at - segment, DEGREES, increasing=True)
    return (powers.reshape(-1, len(_PIECES)) @ _PIECES).reshape(u.shape + (3, COUNT))


@dataclass(frozen=True)
class ForceBasis:
    """The basis of several windows at n times. Each (n, windows, COUNT).

    `once` and `twice` are the integrals and double integrals from the start time on.
    """

    value: Array
    once: Array
    twice: Array


def force_basis(times: Array, windows: Array, start: float) -> ForceBasis:
    """Basis values and integrals. Times (n,), windows (w, 2) begin and end, integrals from `start` on."""
    begin, length = windows[:, 0], windows[:, 1] - windows[:, 0]
    u = (times[:, None] - begin) / length                              # (n, w)
    first = np.maximum((start - begin) / length, 0.0)                  # (w,)
    shares = np.concatenate([u, first[None]])
    found = _splines(np.minimum(np.maximum(shares, 0.0), 1.0))         # (n + 1, w, 3, COUNT)
    found[:, :, 2] += np.maximum(shares - 1, 0.0)[..., None] * _END_ONCE
    value = found[:-1, :, 0] * ((u > 0) & (u < 1))[..., None]
    since = np.maximum(u, first) - first                               # (n, w)
    once: Array = found[:-1, :, 1] - found[-1, :, 1]
    twice: Array = found[:-1, :, 2] - found[-1, :, 2] - since[..., None] * found[-1, :, 1]
    return ForceBasis(value, length[:, None] * once, length[:, None] ** 2 * twice)


def difference_penalty() -> Array:
    """Quadratic form of the differences of neighbouring coefficients, the zeros at both ends included. (COUNT, COUNT)."""
    d = np.diff(np.concatenate([np.zeros((1, COUNT)), np.eye(COUNT), np.zeros((1, COUNT))]), axis=0)
    return d.T @ d


def share_ahead(windows: Array, time: float) -> Array:
    """Share of each coefficient's impulse that comes after a time. (w, 2) -> (w, COUNT)."""
    u = np.clip((time - windows[:, 0]) / (windows[:, 1] - windows[:, 0]), 0, 1)
    return 1 - _ONCE(u) / _END_ONCE


def tile(begin: float, end: float, longest: float) -> Array:
    """Windows that cover a stretch of time: one, or several that overlap by half where it is long. (w, 2)."""
    span = end - begin
    if span <= longest:
        return np.array([[begin, end]])
    count = int(np.ceil(2 * span / longest)) - 1
    half = span / (count + 1)
    return begin + half * np.stack([np.arange(count), np.arange(count) + 2.0], -1)
