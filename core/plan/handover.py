"""When one plan takes over from another, and when each point of a foot may push."""
from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep
from .force_basis import tile

Array = NDArray[np.float64]

SHORTEST_PIECE = 0.3      # s before which no plan takes over: quick steps share one
LONGEST_PIECE = 0.6       # s after which the next plan takes over at the latest
SHORTEST_HORIZON = 0.9    # s
LONGEST_WINDOW = 1.3      # s of one force window; a longer stance gets several
LEAST_PIECE = 0.05        # s of the last piece where plans end at a given time


def windows_of(f: Footstep) -> list[tuple[int, float, float]]:
    """Point, begin and end of each window of a footstep: of its heel, if it comes down, and of its ball."""
    spans = [(point, *span) for point, span in enumerate(f.spans)][f.raised is not None:]
    return [(point, *window) for point, begin, end in spans for window in tile(begin, end, LONGEST_WINDOW)]


@dataclass(frozen=True)
class Span:
    """What one plan is to cover: to `natural` its own successor would take over, at `end` one does."""

    start: float
    end: float
    natural: float


def takeovers(footsteps: list[Footstep], begin: float, until: float, exact: bool, shortest: float = SHORTEST_PIECE,
              longest: float = LONGEST_PIECE) -> list[Span]:
    """Spans of the plans from `begin` to `until` or a little later: they begin and end at middles of contacts.

    Args:
        exact: the last one ends at `until` itself. Until then it is the plan that it would be anyway.
        shortest, longest: s, of a span.
    """
    out = [begin]
    for m in [*(f.time for f in footsteps if begin < f.time < until + 1.0), until + SHORTEST_HORIZON]:
        gap = m - out[-1]
        if gap > shortest:
            parts = int(np.ceil(gap / longest))
            out += list(out[-1] + gap * np.arange(1, parts + 1) / parts)
    spans = [Span(a, b, b) for a, b in pairwise(out[:max(int(np.searchsorted(out, until)) + 1, 2)])]
    if not exact:
        return spans
    spans = [s for s in spans if s.start < until - LEAST_PIECE] or spans[:1]
    return [*spans[:-1], replace(spans[-1], end=until)]


def next_middle(footsteps: list[Footstep], time: float) -> float:
    """Middle of the first contact after a time, or LONGEST_PIECE later."""
    k = bisect_right(footsteps, time + 0.02, key=lambda f: f.time)
    return footsteps[k].time if k < len(footsteps) else time + LONGEST_PIECE
