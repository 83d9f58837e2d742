"""Recursive filters of second order over time.

`scipy.signal` has them too, but importing it takes a quarter of the start of a planning process.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Values that continue a series at each end, as a multiple of the number of coefficients
PADDING_RATIO = 3


@dataclass(frozen=True)
class SecondOrderFilter:
    """Filter a0 y[n] + a1 y[n-1] + a2 y[n-2] = b0 x[n] + b1 x[n-1] + b2 x[n-2].

    Args:
        input_weights: (3,) b.
        output_weights: (3,) a.
    """

    input_weights: Array
    output_weights: Array

    @classmethod
    def low_pass(cls, cutoff: float) -> SecondOrderFilter:
        """Return Butterworth's low-pass filter, by the bilinear transform of its poles.

        Args:
            cutoff: frequency at which the power is halved, as a share of the Nyquist frequency.
        """
        analog_poles = -np.exp(1j * np.pi * np.array([-1, 1]) / 4)
        rate = 4.0
        warped_cutoff = rate * np.tan(np.pi * cutoff / 2)
        poles = warped_cutoff * analog_poles
        gain = warped_cutoff**2 * np.real(1 / np.prod(rate - poles))
        return cls(
            gain * np.array([1.0, 2.0, 1.0]), np.real(np.poly((rate + poles) / (rate - poles)))
        )

    def apply(self, values: Array, state: Array | None = None) -> Array:
        """Return filtered values, (n, ...).

        Args:
            values: (n, ...), one after another in time.
            state: (2, ...) of the filter before them; None for rest.
        """
        columns = np.reshape(values, (len(values), -1)).T
        states = np.zeros((2, len(columns))) if state is None else np.reshape(state, (2, -1))
        pairs = zip(columns.tolist(), states.T.tolist(), strict=True)
        filtered = [self._apply_to_column(column, before) for column, before in pairs]
        return np.array(filtered).T.reshape(values.shape)

    def apply_in_both_directions(self, values: Array) -> Array:
        """Return values that are filtered forward, then backward in time, without a delay.

        The series is continued at each end by its point reflection, or as far as it reaches.
        """
        padding = min(PADDING_RATIO * len(self.output_weights), len(values) - 1)
        before = 2 * values[:1] - values[padding:0:-1]
        after = 2 * values[-1:] - values[-2 : -(padding + 2) : -1]
        forward = self._apply_settled(np.concatenate([before, values, after]))
        both = self._apply_settled(forward[::-1])[::-1]
        return both[padding : len(both) - padding]

    def _apply_settled(self, values: Array) -> Array:
        """Return filtered values of a filter that has settled at the first one."""
        b = self.input_weights / self.output_weights[0]
        a = self.output_weights / self.output_weights[0]
        excess = b - b.sum() / a.sum() * a
        settled = np.cumsum(excess[::-1])[::-1][1:]
        return self.apply(values, np.multiply.outer(settled, values[0]))

    def _apply_to_column(self, values: list[float], state: list[float]) -> list[float]:
        """Return filtered values of a single series (transposed direct form II)."""
        a0 = self.output_weights[0]
        b0, b1, b2 = (self.input_weights / a0).tolist()
        a1, a2 = (self.output_weights[1:] / a0).tolist()
        first, second = state
        out = []
        for x in values:
            y = first + b0 * x
            first = second + x * b1 - y * a1
            second = x * b2 - y * a2
            out.append(y)
        return out
