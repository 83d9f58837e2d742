"""Cases of a test that the usual run leaves out, since they are like others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def mark_exhaustive(cases: Iterable[Any], is_usual: Callable[[Any], bool]) -> list[Any]:
    """Return cases as parameters, all but the usual ones marked `exhaustive`.

    Args:
        cases: values of the parameters of a test; tuples for several parameters.
        is_usual: returns whether a case is part of the usual run.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if is_usual(case) else pytest.mark.exhaustive,
        )
        for case in cases
    ]
