"""Where a motion could not be all that was asked for, and why."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# What gives way, in this order, and what to do about it.
REASONS = {
    "reach": ("a leg would have had to be longer than it is", "slow down, shorten the stride or make the ground less steep"),
    "arm": ("an arm would have had to be longer than it is", "put the rungs nearer together or slow down"),
    "turn": ("no forces would have kept the body from turning", "make turns wider, changes of speed slower or pushes weaker"),
    "miss": ("the body could not follow its plan", "ask for less at once: a slower speed, wider turns or weaker pushes"),
}
CLOSE = 0.1           # s between stretches of one reason that are told as one


@dataclass(frozen=True)
class Easing:
    """A stretch of time in which something gave way, for one of the `REASONS`."""

    begin: float              # s
    end: float
    reason: str

    def text(self) -> str:
        """What happened and what to do, as a note for the user."""
        what, remedy = REASONS[self.reason]
        return f"from {self.begin:.2f} to {self.end:.2f} s {what}; {remedy}"


def stretches(times: NDArray[np.float64], marked: NDArray[np.bool_], reason: str) -> list[Easing]:
    """The stretches in which frames are marked. (n,), (n,)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marked.astype(np.int8), [0]])))
    return [Easing(float(times[a]), float(times[b - 1]), reason) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def joined(easings: Iterable[Easing]) -> tuple[Easing, ...]:
    """Easings in order of time, those of one reason that follow each other closely made one."""
    out: list[Easing] = []
    for e in sorted(easings, key=lambda e: (e.reason, e.begin)):
        if out and out[-1].reason == e.reason and e.begin - out[-1].end < CLOSE:
            out[-1] = Easing(out[-1].begin, max(out[-1].end, e.end), e.reason)
        else:
            out.append(e)
    return tuple(sorted(out, key=lambda e: e.begin))
