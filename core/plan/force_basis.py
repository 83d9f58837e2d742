"""Force curves: clamped cubic B-splines over a window, zero at both ends, and their exact integrals.

A window is a stretch of time in which one contact point may push. Its curve is sum of B_k(t) c_k, k = 1..5, with
coefficients c_k in body weights. Since the basis is positive and sums to at most one, a curve whose coefficients lie in the
friction cone lies in it altogether.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline

Array = NDArray[np.float64]

SEGMENTS = 4
COUNT = SEGMENTS + 1          # of coefficients: SEGMENTS + 3 less the first and the last, which are zero

_KNOTS = np.concatenate([np.zeros(3), np.linspace(0, 1, SEGMENTS + 1), np.ones(3)])
_VALUE = BSpline(_KNOTS, np.eye(SEGMENTS + 3)[:, 1:-1], 3, extrapolate=False)
_ONCE = _VALUE.antiderivative(1)
_TWICE = _VALUE.antiderivative(2)
_END_ONCE, _END_TWICE = _ONCE(1.0), _TWICE(1.0)


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
    inside = np.clip(u, 0, 1)
    value = np.where(((u > 0) & (u < 1))[..., None], _VALUE(inside), 0.0)
    once, base = _ONCE(inside), _ONCE(np.minimum(first, 1.0))
    gone = np.maximum(u - 1, 0.0)[..., None]
    twice = _TWICE(inside) + gone * _END_ONCE
    base_twice = _TWICE(np.minimum(first, 1.0)) + np.maximum(first - 1, 0.0)[:, None] * _END_ONCE
    since = np.maximum(u, first) - first                               # (n, w)
    return ForceBasis(value, length[:, None] * (once - base),
                      length[:, None] ** 2 * (twice - base_twice - since[..., None] * base))


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
