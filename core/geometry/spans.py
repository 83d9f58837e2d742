"""Spans of consecutive marked entries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def find_spans(marked: NDArray[np.bool_]) -> list[slice]:
    """Return the spans of consecutive true entries of a mask, in order.

    Args:
        marked: mask, shape (n,).
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marked.astype(np.int8), [0]])))
    return [slice(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]
