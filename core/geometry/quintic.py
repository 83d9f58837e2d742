"""Piecewise quintic curves through given values and first and second derivatives."""

from __future__ import annotations

from collections.abc import Sequence

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

    def __call__(self, times: ArrayLike, derivative: int = 0) -> Array:
        """Return the value or a derivative of order 1 or 2 at times [s].

        (...,) -> (...,) or (..., d).
        """
        t = np.asarray(times, float)
        k = np.clip(np.searchsorted(self._knots, t, side="right") - 1, 0, len(self._spans) - 1)
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
