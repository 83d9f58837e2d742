"""Selection of some of many similar cases, which the usual run of the tests is limited to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

T = TypeVar("T")


def mark_exhaustive(cases: Iterable[T], is_usual: Callable[[int, T], bool]) -> list[ParameterSet]:
    """Return cases as parameters, all but the usual ones marked `exhaustive`.

    Args:
        cases: values of the parameters of a test; tuples for several parameters.
        is_usual: whether the case with an index is part of the usual run.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if is_usual(index, case) else pytest.mark.exhaustive,
        )
        for index, case in enumerate(cases)
    ]
