"""The times of contacts that best keep stride, lags and lengths: a small least-squares problem with residuals in metres.

Source: Kwon et al. 2020, equations 1 to 4, with the pairs of appendix G told as lags from leg to leg.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from ..course.progress import Way
from ..gait.gait_body import GaitBody

Array = NDArray[np.float64]
Index = NDArray[np.int64]

WEIGHTS = {"stride_time": 2.0, "stride_length": 10.0, "lag_length": 20.0, "lag_time": 20.0, "anchor": 1e3}
ITERATIONS = 8
CLOSE = 1e-5        # strides by which no contact moves any more when the solution is found
BOLDEST = 0.2       # strides that a contact moves in one iteration at most


@dataclass(frozen=True)
class StrideProblem:
    """Contacts t (strides, legs) of which only times are unknown: places follow from the body's way.

    Args:
        guess: times to begin with, s. (strides, legs).
        lags: asked for, in strides, after the first leg. (strides, legs).
        stride_time: asked for from each contact to the next of its leg, s. (strides - 1, legs).
        anchored: contacts that stay where they are. (strides, legs).
    """

    body: GaitBody
    way: Way
    guess: Array
    lags: Array
    stride_time: Array
    anchored: NDArray[np.bool_]


def fit_strides(p: StrideProblem) -> Array:
    """The times of all contacts, s, by Gauss-Newton on a banded system. (strides, legs)."""
    strides, legs = p.guess.shape
    number = np.arange(strides * legs).reshape(strides, legs)
    before, tied = ties(p.body)
    speed = np.maximum(p.way.at(0.5 * (p.guess[1:] + p.guess[:-1]), "speed"), p.way.creep)
    length = speed * p.stride_time
    lags, long = p.lags[:, tied] - p.lags[:, before], np.concatenate([length, length[-1:]])[:, before]
    time = _Pairs.of(number[:-1], number[1:], p.stride_time, WEIGHTS["stride_time"] * speed**2)            # equation 1
    ahead = _Pairs.of(number[:-1], number[1:], length, WEIGHTS["stride_length"])                            # equation 3
    spread = _Pairs.of(number[:, before], number[:, tied], lags * long, WEIGHTS["lag_length"])             # equation 4
    later = _Pairs.of(number[:, before], number[:, tied], lags, WEIGHTS["lag_time"] * long**2)             # equation 2
    held, typical = np.flatnonzero(p.anchored), float(np.median(p.stride_time))
    t = p.guess.ravel().copy()
    for _ in range(ITERATIONS):
        crept = p.way.at(t, "crept")
        rate = np.maximum(p.way.at(t, "speed"), p.way.creep)
        band, slope = np.zeros((legs + 1, t.size)), np.zeros(t.size)
        time.add(band, slope, t, np.ones_like(t))
        ahead.add(band, slope, crept, rate)
        spread.add(band, slope, crept, rate)
        later.add(band, slope, p.way.at(t, "turns"), p.way.at(t, "rate"))
        stiff = WEIGHTS["anchor"] * p.way.creep**2
        band[legs, held] += stiff
        slope[held] += stiff * (t - p.guess.ravel())[held]
        step = np.clip(-solveh_banded(band, slope, check_finite=False), -BOLDEST * typical, BOLDEST * typical)
        t += step
        if np.abs(step).max() < CLOSE * typical:
            break
    return t.reshape(strides, legs)


def ties(body: GaitBody) -> tuple[Index, Index]:
    """Pairs of legs that are tied by a lag: the feet of a row, and the first feet of rows that follow each other. Two (ties,)."""
    order = sorted(range(len(body.legs)), key=lambda k: (body.row[k], body.second[k]))
    first: dict[int, int] = {}
    pairs = []
    for k in order:
        row = int(body.row[k])
        if row in first:
            pairs.append((first[row], k))
        else:
            first[row] = k
            if row:
                pairs.append((first[row - 1], k))
    table = np.array(pairs, int).reshape(-1, 2)
    return table[:, 0], table[:, 1]


@dataclass(frozen=True)
class _Pairs:
    """Residuals sqrt(weight) (f(b) - f(a) - asked) between contacts with numbers a < b or b < a."""

    a: Index            # (m,)
    b: Index            # (m,)
    asked: Array        # (m,)
    weight: Array       # (m,)

    @classmethod
    def of(cls, a: Index, b: Index, asked: Array, weight: Array | float) -> _Pairs:
        """Pairs from arrays of one shape."""
        return cls(a.ravel(), b.ravel(), asked.ravel(), np.broadcast_to(weight, a.shape).ravel())

    def add(self, band: Array, slope: Array, value: Array, rate: Array) -> None:
        """Add to an upper banded normal matrix (legs + 1, n) and its right side (n,), of f's values and derivatives (n,)."""
        a, b, n = self.a, self.b, slope.size
        both, rates = np.concatenate([a, b]), np.concatenate([-rate[a], rate[b]])
        off = np.tile(self.weight * (value[b] - value[a] - self.asked), 2)
        slope += np.bincount(both, off * rates, n)
        band[-1] += np.bincount(both, np.tile(self.weight, 2) * rates**2, n)
        low, high = np.minimum(a, b), np.maximum(a, b)
        flat = (len(band) - 1 - (high - low)) * n + high
        band += np.bincount(flat, -self.weight * rate[a] * rate[b], band.size).reshape(band.shape)
