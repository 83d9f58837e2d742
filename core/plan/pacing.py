"""How a clip is cut into plans, and how finely each of them is resolved."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep
from .force_basis import COUNT, tile
from .handover import LONGEST_PIECE, SHORTEST_HORIZON, SHORTEST_PIECE, next_middle, takeovers, windows_of

Array = NDArray[np.float64]

NODE = 0.025               # s, the longest spacing of nodes
LOOKAHEAD = 0.55          # s that a horizon reaches past the take-over of the next plan
LONGEST_LOOKAHEAD = 0.95  # s, the most
OVERLAP = 0.12            # s that a horizon reaches past the contact after the next
LONGEST_REST = 0.6        # s of half a force window of a body that stands
GROWTH = 1.8              # of a force window against its neighbour nearer to a flight
FIRST = 0.6               # half of the force window next to a flight, in times of the landing or the push-off
LONGEST_PULL = 1.8        # s of one force window of a grip
SWINGS_ON = 1.3           # s that a horizon reaches past a take-over in the middle of a swing
STANDS_ON = 0.3           # s that a horizon reaches past a take-over in the middle of a stand


@dataclass(frozen=True)
class Pacing:
    """For steps: each plan takes over in the middle of a contact."""

    node: float = NODE        # s, the longest spacing of nodes
    forceful: bool = False    # the wished course says what forces it takes, better than the body's weight does
    count: int = COUNT        # of coefficients of each force window

    def windows(self, f: Footstep) -> list[tuple[int, float, float]]:
        """Point, begin and end of each force window of a footstep."""
        return windows_of(f)

    def pieces(self, footsteps: list[Footstep], begin: float, until: float, exact: bool) -> list[tuple[float, float, float]]:
        """Begin and end of each plan, and how far it looks ahead."""
        out = []
        for span in takeovers(footsteps, begin, until, exact):
            next_, least = next_middle(footsteps, span.natural), span.start + SHORTEST_HORIZON
            horizon_end = max(next_ + OVERLAP, least, span.natural + LOOKAHEAD)
            out.append((span.start, span.end, min(horizon_end, max(least, span.natural + LONGEST_LOOKAHEAD))))
        return out


@dataclass(frozen=True)
class StridePacing(Pacing):
    """For bodies of any number of legs: with so many contacts there is a middle of one at any time.

    Args:
        shortest, longest: s, of a plan until the next one takes over.
        ahead: s that a horizon reaches past that.
    """

    shortest: float = SHORTEST_PIECE
    longest: float = LONGEST_PIECE
    ahead: float = LOOKAHEAD

    def pieces(self, footsteps: list[Footstep], begin: float, until: float, exact: bool) -> list[tuple[float, float, float]]:
        """Begin and end of each plan, and how far it looks ahead."""
        spans = takeovers(footsteps, begin, until, exact, self.shortest, self.longest)
        return [(s.start, s.end, max(s.natural + self.ahead, s.start + SHORTEST_HORIZON)) for s in spans]


@dataclass(frozen=True)
class JumpPacing(Pacing):
    """For jumps: each plan holds a whole jump and takes over where the body stands.

    Args:
        cuts: rising times at which the body stands, s.
        rests: by the time at which a stand begins: how long its landing and its push-off last, s.
    """

    cuts: tuple[float, ...] = ()
    rests: tuple[tuple[float, float, float], ...] = ()

    def windows(self, f: Footstep) -> list[tuple[int, float, float]]:
        """Windows as short as the forces of a landing and a push-off are, longer in between."""
        _, landing, push = min(self.rests, key=lambda rest: abs(rest[0] - f.flat))
        spans = ((0, f.strike, f.heel_off), (1, f.flat, f.lift))
        return [(point, float(a), float(b)) for point, begin, end in spans
                for a, b in graded(begin, end, FIRST * landing, FIRST * push)]

    def pieces(self, footsteps: list[Footstep], begin: float, until: float, exact: bool) -> list[tuple[float, float, float]]:
        """From one cut to the next."""
        times = [begin, *(t for t in self.cuts if t > begin)]
        last = next((k for k, t in enumerate(times) if t >= until), len(times) - 1)
        return [(a, b, b + STANDS_ON) for a, b in pairwise(times[:last + 1])]


@dataclass(frozen=True)
class HangPacing(Pacing):
    """For a body that hangs: a grip has one point, and a plan sees a whole swing ahead.

    Args:
        cuts: rising times at which one plan takes over from another, s.
    """

    forceful: bool = True
    cuts: tuple[float, ...] = ()

    def windows(self, f: Footstep) -> list[tuple[int, float, float]]:
        """Windows that overlap, as short as it takes to hand over the weight."""
        return [(0, float(a), float(b)) for a, b in tile(f.strike, f.lift, LONGEST_PULL)]

    def pieces(self, footsteps: list[Footstep], begin: float, until: float, exact: bool) -> list[tuple[float, float, float]]:
        """From one cut to the next."""
        times = [begin, *(t for t in self.cuts if t > begin + 1e-6)]
        last = next((k for k, t in enumerate(times) if t >= until), len(times) - 1)
        return [(a, b, b + SWINGS_ON) for a, b in pairwise(times[:last + 1])]


def graded(begin: float, end: float, first: float, last: float) -> Array:
    """Windows that overlap by half, their halves growing from both ends of a stretch of time to its middle. (w, 2).

    Args:
        first, last: the halves at the ends, s.
    """
    head, tail = [min(first, LONGEST_REST)], [min(last, LONGEST_REST)]
    while sum(head) + sum(tail) < end - begin:
        own = head if head[-1] <= tail[-1] else tail
        own.append(min(GROWTH * own[-1], LONGEST_REST))
    halves = np.array([*head, *tail[::-1]])
    bounds = begin + (end - begin) * np.concatenate([[0.0], np.cumsum(halves)]) / halves.sum()
    return np.stack([bounds[:-2], bounds[2:]], -1)
