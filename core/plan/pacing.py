"""Division of a clip into plans, and the resolution of each plan, by mode of locomotion."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep
from .forces import COEFFICIENT_COUNT, ForceWindow, build_force_windows, cover_with_windows

Array = NDArray[np.float64]


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


@dataclass(frozen=True)
class PacingParameters:
    """Resolution and lookahead of plans.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # [s] longest interval between nodes. tuned: doubled, the error of angular momentum of a dog
    # doubles
    node_spacing: float = 0.025
    lookahead: float = 0.55  # [s] by which a horizon exceeds the handover at least
    # [s] by which a horizon exceeds the handover at most. tuned: halved, a sharp turn moves by
    # 9 cm; doubled, nothing changes
    max_lookahead: float = 0.95
    # [s] by which a horizon exceeds the middle of the contact after the handover. tuned: doubled,
    # feet of a pushed body sink into the ground by 3.9 mm instead of 1.9
    contact_overlap: float = 0.12
    # [s] by which a horizon exceeds the middle of the contact behind a flight. tuned: with 0 runs
    # up 25 degrees diverged, test_slopes.py; with 0.12 knees were 9.1 degrees (root mean square)
    # from those of people at 2.5 m/s, test_human.py
    flight_overlap: float = 0.18
    max_standing_half_window: float = 0.6  # [s] longest half of a force window of a standing body
    # Ratio of the half of a force window to that of its neighbor nearer to a flight. tuned: halved,
    # plans of jumps take over a minute; doubled, poses are 2 degrees farther from the style
    window_growth: float = 1.8
    # Half of the force window next to a flight, as a share of the landing or push-off time. tuned:
    # doubled, pops of jumps are a degree larger
    flight_window_share: float = 0.6
    # [s] longest force window of a grip. tuned: doubled, a body on bars moves by 21 cm
    max_grip_window: float = 1.8
    # [s] by which a horizon exceeds a handover in the middle of a swing on bars
    swing_lookahead: float = 1.3
    stand_lookahead: float = 0.3  # [s] by which a horizon exceeds a handover of a standing body


PACING = PacingParameters()


@dataclass(frozen=True)
class PieceSpan:
    """Interval of one plan and of its horizon."""

    start: float  # [s]
    end: float  # [s] handover to the next plan
    horizon_end: float  # [s]


@dataclass(frozen=True)
class StandTiming:
    """Durations of the landing and the push-off of one stand between jumps."""

    begin: float  # [s] at which the stand begins
    landing: float  # [s] duration
    push_off: float  # [s] duration


@dataclass(frozen=True)
class Pacing:
    """Pacing of stepping bodies: each plan takes over in the middle of a contact."""

    node_spacing: float = PACING.node_spacing  # [s] longest interval between nodes
    # Whether the reference is accurate enough to derive the total force from it
    has_reference_force: bool = False
    coefficient_count: int = COEFFICIENT_COUNT  # per force window

    def build_windows(self, f: Footstep) -> tuple[ForceWindow, ...]:
        """Return the force windows of a footstep."""
        return build_force_windows(f)

    def split_into_pieces(
        self, footsteps: list[Footstep], begin: float, until: float, exact: bool
    ) -> list[PieceSpan]:
        """Divide a stretch of time into plans.

        Args:
            footsteps: in order of their middles.
            begin: [s].
            until: [s] that the last piece reaches or exceeds.
            exact: whether the last piece ends at `until`.
        """
        pieces = []
        for span in split_into_spans(footsteps, begin, until, exact):
            next_contact = find_next_middle(footsteps, span.natural_end)
            behind_flight = find_middle_behind_flight(footsteps, span.natural_end)
            min_end = span.start + HANDOVER.min_horizon_time
            horizon_end = max(
                next_contact + PACING.contact_overlap,
                min_end,
                span.natural_end + PACING.lookahead,
            )
            max_end = max(min_end, span.natural_end + PACING.max_lookahead)
            # A horizon that ended within the contact would be worse than one before it.
            if behind_flight is not None and behind_flight + PACING.flight_overlap <= max_end:
                horizon_end = max(horizon_end, behind_flight + PACING.flight_overlap)
            pieces.append(PieceSpan(span.start, span.end, min(horizon_end, max_end)))
        return pieces


@dataclass(frozen=True)
class StridePacing(Pacing):
    """Pacing of bodies with any number of legs, where some contact is in its middle at any time."""

    min_piece: float = HANDOVER.min_piece_time  # [s] shortest time between handovers
    max_piece: float = HANDOVER.max_piece_time  # [s] longest time between handovers
    lookahead: float = PACING.lookahead  # [s] by which a horizon exceeds the handover

    def split_into_pieces(
        self, footsteps: list[Footstep], begin: float, until: float, exact: bool
    ) -> list[PieceSpan]:
        """Divide a stretch of time into plans with a constant lookahead (see `Pacing`)."""
        spans = split_into_spans(
            footsteps, begin, until, exact=exact, min_span=self.min_piece, max_span=self.max_piece
        )
        return [
            PieceSpan(
                s.start,
                s.end,
                max(s.natural_end + self.lookahead, s.start + HANDOVER.min_horizon_time),
            )
            for s in spans
        ]


@dataclass(frozen=True)
class JumpPacing(Pacing):
    """Pacing of jumps: each plan holds a whole jump and takes over while the body stands."""

    cut_times: tuple[float, ...] = ()  # [s] increasing, at which the body stands
    stand_timings: tuple[StandTiming, ...] = ()

    def build_windows(self, f: Footstep) -> tuple[ForceWindow, ...]:
        """Return windows that are short near landing and push-off and longer in between."""
        timing = min(self.stand_timings, key=lambda stand: abs(stand.begin - f.flat))
        spans = ((0, f.strike, f.heel_off), (1, f.flat, f.lift))
        return tuple(
            ForceWindow(point, float(a), float(b))
            for point, begin, end in spans
            for a, b in build_graded_windows(
                begin,
                end,
                PACING.flight_window_share * timing.landing,
                PACING.flight_window_share * timing.push_off,
            )
        )

    def split_into_pieces(
        self, footsteps: list[Footstep], begin: float, until: float, exact: bool
    ) -> list[PieceSpan]:
        """Return the intervals between cuts (see `Pacing`)."""
        times = [begin, *(t for t in self.cut_times if t > begin)]
        return _split_at(times, until, PACING.stand_lookahead)


@dataclass(frozen=True)
class HangPacing(Pacing):
    """Pacing of hanging bodies: a grip has one contact point, and a plan covers a whole swing."""

    has_reference_force: bool = True
    cut_times: tuple[float, ...] = ()  # [s] increasing, at which plans take over

    def build_windows(self, f: Footstep) -> tuple[ForceWindow, ...]:
        """Return windows that overlap by half, short enough to hand over the weight."""
        return tuple(
            ForceWindow(0, float(a), float(b))
            for a, b in cover_with_windows(f.strike, f.lift, PACING.max_grip_window)
        )

    def split_into_pieces(
        self, footsteps: list[Footstep], begin: float, until: float, exact: bool
    ) -> list[PieceSpan]:
        """Return the intervals between cuts (see `Pacing`)."""
        times = [begin, *(t for t in self.cut_times if t > begin + 1e-6)]
        return _split_at(times, until, PACING.swing_lookahead)


def _split_at(times: list[float], until: float, lookahead: float) -> list[PieceSpan]:
    """Return the intervals between `times` [s] up to the first one at or after `until` [s].

    Args:
        times: increasing.
        until: [s].
        lookahead: [s] by which each horizon exceeds its interval.
    """
    last = next((k for k, t in enumerate(times) if t >= until), len(times) - 1)
    return [PieceSpan(a, b, b + lookahead) for a, b in pairwise(times[: last + 1])]


def build_graded_windows(begin: float, end: float, first_half: float, last_half: float) -> Array:
    """Cover an interval with windows that overlap by half and grow from both ends to the middle.

    Args:
        begin: [s].
        end: [s].
        first_half: [s] half of the first window, before all are scaled to fit the interval.
        last_half: [s] half of the last window, likewise.

    Returns:
        (w, 2) [s] begin and end of each window.
    """
    longest = PACING.max_standing_half_window
    head = [min(first_half, longest)]
    tail = [min(last_half, longest)]
    while sum(head) + sum(tail) < end - begin:
        shorter_side = head if head[-1] <= tail[-1] else tail
        shorter_side.append(min(PACING.window_growth * shorter_side[-1], longest))
    halves = np.array([*head, *tail[::-1]])
    bounds = begin + (end - begin) * np.concatenate([[0.0], np.cumsum(halves)]) / halves.sum()
    return np.stack([bounds[:-2], bounds[2:]], -1)
