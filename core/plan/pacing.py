"""How a clip is cut into plans, and how finely each of them is resolved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep
from .force_basis import COEFFICIENT_COUNT, cover_with_windows
from .handover import (
    MAX_PIECE_TIME,
    MIN_HORIZON_TIME,
    MIN_PIECE_TIME,
    build_force_windows,
    find_next_middle,
    split_into_spans,
)

Array = NDArray[np.float64]

NODE_SPACING = 0.025  # s, the longest spacing of nodes
LOOKAHEAD = 0.55  # s that a horizon reaches past the take-over of the next plan
MAX_LOOKAHEAD = 0.95  # s, the most
CONTACT_OVERLAP = 0.12  # s that a horizon reaches past the contact after the next
MAX_STANDING_HALF_WINDOW = 0.6  # s of half a force window of a body that stands
WINDOW_GROWTH = 1.8  # of a force window against its neighbour nearer to a flight
# half of the force window next to a flight, in times of the landing or the push-off
FLIGHT_WINDOW_SHARE = 0.6
MAX_GRIP_WINDOW = 1.8  # s of one force window of a grip
SWING_LOOKAHEAD = 1.3  # s that a horizon reaches past a take-over in the middle of a swing
STAND_LOOKAHEAD = 0.3  # s that a horizon reaches past a take-over in the middle of a stand


@dataclass(frozen=True)
class Pacing:
    """For steps: each plan takes over in the middle of a contact."""

    node_spacing: float = NODE_SPACING  # s, the longest spacing of nodes
    # the wished course says what forces it takes, better than the body's weight does
    has_reference_force: bool = False
    coefficient_count: int = COEFFICIENT_COUNT  # of coefficients of each force window

    def build_windows(self, f: Footstep) -> list[tuple[int, float, float]]:
        """Point, begin and end of each force window of a footstep."""
        return build_force_windows(f)

    def split_into_pieces(
        self, footsteps: list[Footstep], begin: float, until: float, exact: bool
    ) -> list[tuple[float, float, float]]:
        """Begin and end of each plan, and how far it looks ahead."""
        pieces = []
        for span in split_into_spans(footsteps, begin, until, exact):
            next_contact = find_next_middle(footsteps, span.natural_end)
            min_end = span.start + MIN_HORIZON_TIME
            horizon_end = max(next_contact + CONTACT_OVERLAP, min_end, span.natural_end + LOOKAHEAD)
            pieces.append(
                (
                    span.start,
                    span.end,
                    min(horizon_end, max(min_end, span.natural_end + MAX_LOOKAHEAD)),
                )
            )
        return pieces


@dataclass(frozen=True)
class StridePacing(Pacing):
    """For bodies of any number of legs: with so many contacts there is a middle of one at any time.

    Args:
        min_piece, max_piece: s, of a plan until the next one takes over.
        lookahead: s that a horizon reaches past that.
    """

    min_piece: float = MIN_PIECE_TIME
    max_piece: float = MAX_PIECE_TIME
    lookahead: float = LOOKAHEAD

    def split_into_pieces(
        self, footsteps: list[Footstep], begin: float, until: float, exact: bool
    ) -> list[tuple[float, float, float]]:
        """Begin and end of each plan, and how far it looks ahead."""
        spans = split_into_spans(
            footsteps, begin, until, exact=exact, min_span=self.min_piece, max_span=self.max_piece
        )
        return [
            (s.start, s.end, max(s.natural_end + self.lookahead, s.start + MIN_HORIZON_TIME))
            for s in spans
        ]


@dataclass(frozen=True)
class JumpPacing(Pacing):
    """For jumps: each plan holds a whole jump and takes over where the body stands.

    Args:
        cut_times: rising times at which the body stands, s.
        stand_timings: by the time at which a stand begins:
            how long its landing and its push-off last, s.
    """

    cut_times: tuple[float, ...] = ()
    stand_timings: tuple[tuple[float, float, float], ...] = ()

    def build_windows(self, f: Footstep) -> list[tuple[int, float, float]]:
        """Windows as short as the forces of a landing and a push-off are, longer in between."""
        _, landing, push_off = min(self.stand_timings, key=lambda rest: abs(rest[0] - f.flat))
        spans = ((0, f.strike, f.heel_off), (1, f.flat, f.lift))
        return [
            (point, float(a), float(b))
            for point, begin, end in spans
            for a, b in build_graded_windows(
                begin, end, FLIGHT_WINDOW_SHARE * landing, FLIGHT_WINDOW_SHARE * push_off
            )
        ]

    def split_into_pieces(
        self, footsteps: list[Footstep], begin: float, until: float, exact: bool
    ) -> list[tuple[float, float, float]]:
        """From one cut to the next."""
        times = [begin, *(t for t in self.cut_times if t > begin)]
        last = next((k for k, t in enumerate(times) if t >= until), len(times) - 1)
        return [(a, b, b + STAND_LOOKAHEAD) for a, b in pairwise(times[: last + 1])]


@dataclass(frozen=True)
class HangPacing(Pacing):
    """For a body that hangs: a grip has one point, and a plan sees a whole swing ahead.

    Args:
        cut_times: rising times at which one plan takes over from another, s.
    """

    has_reference_force: bool = True
    cut_times: tuple[float, ...] = ()

    def build_windows(self, f: Footstep) -> list[tuple[int, float, float]]:
        """Windows that overlap, as short as it takes to hand over the weight."""
        return [
            (0, float(a), float(b))
            for a, b in cover_with_windows(f.strike, f.lift, MAX_GRIP_WINDOW)
        ]

    def split_into_pieces(
        self, footsteps: list[Footstep], begin: float, until: float, exact: bool
    ) -> list[tuple[float, float, float]]:
        """From one cut to the next."""
        times = [begin, *(t for t in self.cut_times if t > begin + 1e-6)]
        last = next((k for k, t in enumerate(times) if t >= until), len(times) - 1)
        return [(a, b, b + SWING_LOOKAHEAD) for a, b in pairwise(times[: last + 1])]


def build_graded_windows(begin: float, end: float, first_half: float, last_half: float) -> Array:
    """Windows that overlap by half, their halves growing from both ends of a stretch of
    time to its middle. (w, 2).

    Args:
        first_half, last_half: the halves at the ends, s.
    """
    head = [min(first_half, MAX_STANDING_HALF_WINDOW)]
    tail = [min(last_half, MAX_STANDING_HALF_WINDOW)]
    while sum(head) + sum(tail) < end - begin:
        shorter_side = head if head[-1] <= tail[-1] else tail
        shorter_side.append(min(WINDOW_GROWTH * shorter_side[-1], MAX_STANDING_HALF_WINDOW))
    halves = np.array([*head, *tail[::-1]])
    bounds = begin + (end - begin) * np.concatenate([[0.0], np.cumsum(halves)]) / halves.sum()
    return np.stack([bounds[:-2], bounds[2:]], -1)
