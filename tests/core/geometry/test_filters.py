"""Recursive filters are those of `scipy.signal`."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.geometry.filters import SecondOrderFilter
from scipy.signal import butter, filtfilt, lfilter


@pytest.mark.parametrize("count", [1, 2, 8, 200])
@pytest.mark.parametrize("cutoff", [0.02, 0.3, 0.8])
def test_low_pass_in_both_directions(cutoff: float, count: int) -> None:
    values = np.random.default_rng(count).standard_normal((count, 3))
    expected = filtfilt(*butter(2, cutoff), values, axis=0, padlen=min(9, count - 1))
    filtered = SecondOrderFilter.low_pass(cutoff).apply_in_both_directions(values)
    np.testing.assert_allclose(filtered, expected, rtol=1e-12, atol=1e-12)


def test_filter_from_rest() -> None:
    values = np.random.default_rng(1).standard_normal(50)
    b, a = np.array([0.3, 0.1, -0.2]), np.array([1.4, -2.2, 1.0])
    filtered = SecondOrderFilter(b, a).apply(values)
    np.testing.assert_allclose(filtered, lfilter(b, a, values), rtol=1e-12)
