"""Times at which one plan takes over from the previous one."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..motion.footstep import Footstep

# Shortest time between two handovers [s]; quick steps share a plan
MIN_PIECE_TIME = 0.3
# Longest time between two handovers [s]
MAX_PIECE_TIME = 0.6
# Shortest horizon [s]
MIN_HORIZON_TIME = 0.9
# Shortest last piece [s] where plans end at a given time
MIN_LAST_PIECE_TIME = 0.05
# Time beyond the end in which middles of contacts are looked for [s]
SEARCH_MARGIN = 1.0
# Contacts whose middle is less than this after a time count as passed [s]
PASSED_MARGIN = 0.02


@dataclass(frozen=True)
class PlanSpan:
    """Interval that one plan covers."""

    start: float  # [s]
    end: float  # [s] handover to the next plan
    natural_end: float  # [s] handover if the motion went on; differs at an exact end only


def split_into_spans(
    footsteps: list[Footstep],
    begin: float,
    until: float,
    exact: bool,
    min_span: float = MIN_PIECE_TIME,
    max_span: float = MAX_PIECE_TIME,
) -> list[PlanSpan]:
    """Divide a stretch of time into plans that begin and end at middles of contacts.

    Args:
        footsteps: in order of their middles.
        begin: [s].
        until: [s] that the last span reaches or exceeds.
        exact: whether the last span ends at `until`. This does not change the spans before it.
        min_span: [s] shortest span.
        max_span: [s] longest span; longer ones are divided equally.
    """
    boundaries = [begin]
    for middle in [
        *(f.time for f in footsteps if begin < f.time < until + SEARCH_MARGIN),
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
    """Return the middle of the first contact after `time`, or `time` + `MAX_PIECE_TIME` [s]."""
    k = bisect_right(footsteps, time + PASSED_MARGIN, key=lambda f: f.time)
    return footsteps[k].time if k < len(footsteps) else time + MAX_PIECE_TIME
