"""When one plan takes over from another, and when each point of a foot may push."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep
from .force_basis import cover_with_windows

Array = NDArray[np.float64]

MIN_PIECE_TIME = 0.3  # s before which no plan takes over: quick steps share one
MAX_PIECE_TIME = 0.6  # s after which the next plan takes over at the latest
MIN_HORIZON_TIME = 0.9  # s
MAX_WINDOW_TIME = 1.3  # s of one force window; a longer stance gets several
MIN_LAST_PIECE_TIME = 0.05  # s of the last piece where plans end at a given time


def build_force_windows(f: Footstep) -> list[tuple[int, float, float]]:
    """Point, begin and end of each window of a footstep:
    of its heel, if it comes down, and of its ball.
    """
    spans = [(point, *span) for point, span in enumerate(f.contact_spans)][
        f.heel_raise is not None :
    ]
    return [
        (point, *window)
        for point, begin, end in spans
        for window in cover_with_windows(begin, end, MAX_WINDOW_TIME)
    ]


@dataclass(frozen=True)
class PlanSpan:
    """What one plan is to cover: to `natural_end` its own successor would take
    over, at `end` one does.
    """

    start: float
    end: float
    natural_end: float


def split_into_spans(
    footsteps: list[Footstep],
    begin: float,
    until: float,
    exact: bool,
    min_span: float = MIN_PIECE_TIME,
    max_span: float = MAX_PIECE_TIME,
) -> list[PlanSpan]:
    """Spans of the plans from `begin` to `until` or a little later:
    they begin and end at middles of contacts.

    Args:
        exact: the last one ends at `until` itself. Until then it is the plan
            that it would be anyway.
        min_span, max_span: s, of a span.
    """
    boundaries = [begin]
    for middle in [
        *(f.time for f in footsteps if begin < f.time < until + 1.0),
        until + MIN_HORIZON_TIME,
    ]:
        gap = middle - boundaries[-1]
        if gap > min_span:
            parts = int(np.ceil(gap / max_span))
            boundaries += list(boundaries[-1] + gap * np.arange(1, parts + 1) / parts)
    spans = [
        PlanSpan(a, b, b)
        for a, b in pairwise(boundaries[: max(int(np.searchsorted(boundaries, until)) + 1, 2)])
    ]
    if not exact:
        return spans
    spans = [s for s in spans if s.start < until - MIN_LAST_PIECE_TIME] or spans[:1]
    return [*spans[:-1], replace(spans[-1], end=until)]


def find_next_middle(footsteps: list[Footstep], time: float) -> float:
    """Middle of the first contact after a time, or LONGEST_PIECE later."""
    k = bisect_right(footsteps, time + 0.02, key=lambda f: f.time)
    return footsteps[k].time if k < len(footsteps) else time + MAX_PIECE_TIME
