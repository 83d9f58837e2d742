"""Where a motion could not be all that was asked for, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# What gives way, in this order, and what to do about it.
VIOLATION_REASONS = {
    "reach": (
        "a leg would have had to be longer than it is",
        "slow down, shorten the stride or make the ground less steep",
    ),
    "arm": (
        "an arm would have had to be longer than it is",
        "put the rungs nearer together or slow down",
    ),
    "turn": (
        "no forces would have kept the body from turning",
        "make turns wider, changes of speed slower or pushes weaker",
    ),
    "miss": (
        "the body could not follow its plan",
        "ask for less at once: a slower speed, wider turns or weaker pushes",
    ),
}
MAX_MERGE_GAP = 0.1  # s between stretches of one reason that are told as one


@dataclass(frozen=True)
class ConstraintViolation:
    """A stretch of time in which something gave way, for one of the `VIOLATION_REASONS`."""

    begin: float  # s
    end: float
    reason: str

    def describe(self) -> str:
        """What happened and what to do, as a note for the user."""
        problem, remedy = VIOLATION_REASONS[self.reason]
        return f"from {self.begin:.2f} to {self.end:.2f} s {problem}; {remedy}"


def find_violations(
    times: NDArray[np.float64], marked: NDArray[np.bool_], reason: str
) -> list[ConstraintViolation]:
    """The stretches in which frames are marked. (n,), (n,)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marked.astype(np.int8), [0]])))
    return [
        ConstraintViolation(float(times[a]), float(times[b - 1]), reason)
        for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]


def merge_violations(violations: Iterable[ConstraintViolation]) -> tuple[ConstraintViolation, ...]:
    """Easings in order of time, those of one reason that follow each other closely made one."""
    merged: list[ConstraintViolation] = []
    for e in sorted(violations, key=lambda e: (e.reason, e.begin)):
        if merged and merged[-1].reason == e.reason and e.begin - merged[-1].end < MAX_MERGE_GAP:
            merged[-1] = ConstraintViolation(merged[-1].begin, max(merged[-1].end, e.end), e.reason)
        else:
            merged.append(e)
    return tuple(sorted(merged, key=lambda e: e.begin))
