"""Spans of marked entries."""

import numpy as np
import pytest
from footfall.core.geometry.spans import find_spans


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("", []),
        ("...", []),
        ("xxx", [slice(0, 3)]),
        ("x..xx.x", [slice(0, 1), slice(3, 5), slice(6, 7)]),
    ],
)
def test_spans_are_those_of_consecutive_marks(marked: str, expected: list[slice]) -> None:
    assert find_spans(np.array([mark == "x" for mark in marked], bool)) == expected
