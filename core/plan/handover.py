"""Times at which one plan takes over from the previous one."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..motion.footstep import Footstep


@dataclass(frozen=True)
class HandoverParameters:
    """When plans begin and end.

    Effects of half and twice of each: docs/dev/parameters.csv. The last three change no motion.
    """

    min_piece_time: float = 0.3  # [s] shortest time between two handovers; quick steps share a plan
    max_piece_time: float = 0.6  # [s] longest time between two handovers
    min_horizon_time: float = 0.9  # [s] shortest horizon; tuned: halved, stairs move by 4 mm
    min_last_piece_time: float = 0.05  # [s] shortest last piece where plans end at a given time
    search_margin: float = 1.0  # [s] beyond the end in which middles of contacts are looked for
    # [s] after a time within which the middle of a contact counts as passed
    passed_margin: float = 0.02


HANDOVER = HandoverParameters()


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
    min_span: float = HANDOVER.min_piece_time,
    max_span: float = HANDOVER.max_piece_time,
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
        *(f.time for f in footsteps if begin < f.time < until + HANDOVER.search_margin),
        until + HANDOVER.min_horizon_time,
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
    spans = [s for s in spans if s.start < until - HANDOVER.min_last_piece_time] or spans[:1]
    return [*spans[:-1], replace(spans[-1], end=until)]


def find_next_middle(footsteps: list[Footstep], time: float) -> float:
    """Return the middle of the first contact after `time`, or the latest handover after it [s]."""
    landing = _find_landing(footsteps, time)
    return time + HANDOVER.max_piece_time if landing is None else footsteps[landing].time


def find_middle_behind_flight(footsteps: list[Footstep], time: float) -> float | None:
    """Return the middle of the contact behind the flight that ends the first contact after `time`.

    How the body turns and rises in a flight is decided in the contact before it, and seen in the
    one behind. In plans that ended in the flight, runs up 20 degrees diverged, every other step
    higher than the one before (test_slopes.py).

    Returns:
        [s]; None without a flight.
    """
    landing = _find_landing(footsteps, time)
    if landing is None:
        return None
    following = _find_landing(footsteps, footsteps[landing].time)
    if following is None:
        return None
    lift = max(f.lift for f in footsteps[landing:following])
    return footsteps[following].time if lift < footsteps[following].strike else None


def _find_landing(footsteps: list[Footstep], time: float) -> int | None:
    """Return the index of the first contact whose middle is after `time` [s]."""
    k = bisect_right(footsteps, time + HANDOVER.passed_margin, key=lambda f: f.time)
    return k if k < len(footsteps) else None
