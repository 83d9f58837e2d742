"""Curves through given values, rates and second rates: one polynomial of fifth degree between neighbours."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# coefficients of u^3, u^4 and u^5 from what the lower three leave at u = 1: value, rate, second rate
_HIGHER = np.array([[10.0, -4.0, 0.5], [-15.0, 7.0, -1.0], [6.0, -3.0, 0.5]])


class Quintic:
    """A smooth curve; beyond its ends it goes on as it is there.

    Args:
        knots: (k + 1,) rising times, s.
        given: value, rate and second rate at each knot, (k + 1, 3) or (k + 1, 3, d).
    """

    def __init__(self, knots: Sequence[float], given: ArrayLike) -> None:
        self._knots, at = np.asarray(knots, float), np.asarray(given, float)
        self._spans = np.diff(self._knots)
        scale = (self._spans[:, None] ** np.arange(3)).reshape((-1, 3) + (1,) * (at.ndim - 2))
        start, end = at[:-1] * scale, at[1:] * scale                                       # by u = 0 ... 1 within a span
        value, rate, second = start[:, 0], start[:, 1], start[:, 2]
        left = np.stack([end[:, 0] - value - rate - 0.5 * second, end[:, 1] - rate - second, end[:, 2] - second], 1)
        higher = np.einsum("ij,kj...->ki...", _HIGHER, left)
        self._powers = np.concatenate([np.stack([value, rate, 0.5 * second], 1), higher], 1)     # (k, 6, ...)

    def __call__(self, times: ArrayLike, derivative: int = 0) -> Array:
        """The curve, or its rate (derivative 1). (...,) -> (...,) or (..., d)."""
        t = np.asarray(times, float)
        k = np.clip(np.searchsorted(self._knots, t, side="right") - 1, 0, len(self._spans) - 1)
        span = self._spans[k]
        u, c = (t - self._knots[k]) / span, np.moveaxis(self._powers[k], t.ndim, 0)       # (6, ...)
        if c.ndim > t.ndim + 1:
            u, span = u[..., None], span[..., None]
        if derivative == 0:
            return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))))
        return (c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5])))) / span
