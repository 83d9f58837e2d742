"""Violations: intervals in which a motion relaxes a constraint, and the reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry.spans import find_spans


@dataclass(frozen=True)
class ViolationReason:
    """Why a constraint was relaxed.

    Args:
        problem: what the motion could not do.
        remedy: what the user can change.
    """

    problem: str
    remedy: str


# Reasons by key, in the order in which constraints are relaxed. The keys are stored in reports.
VIOLATION_REASONS = {
    "reach": ViolationReason(
        "a leg would have had to be longer than it is",
        "slow down, shorten the stride or make the ground less steep",
    ),
    "arm": ViolationReason(
        "an arm would have had to be longer than it is",
        "put the rungs nearer together or slow down",
    ),
    "turn": ViolationReason(
        "no forces could keep the body from turning",
        "make turns wider, changes of speed slower or pushes weaker",
    ),
    "miss": ViolationReason(
        "the body could not follow its plan",
        "reduce the demands: a slower speed, wider turns or weaker pushes",
    ),
}
# Greatest gap between violations that are merged [s]: a fault that vanishes for so short a time is
# the same one to a viewer
MAX_MERGE_GAP = 0.1


@dataclass(frozen=True)
class ConstraintViolation:
    """An interval in which a constraint was relaxed.

    Args:
        begin: [s].
        end: [s].
        reason: a key of `VIOLATION_REASONS`.
    """

    begin: float
    end: float
    reason: str

    def describe(self) -> str:
        """Return the problem and its remedy, for the user."""
        reason = VIOLATION_REASONS[self.reason]
        return f"from {self.begin:.2f} to {self.end:.2f} s {reason.problem}; {reason.remedy}"


def find_violations(
    times: NDArray[np.float64], marked: NDArray[np.bool_], reason: str
) -> list[ConstraintViolation]:
    """Return the intervals of marked frames.

    Args:
        times: (n,) of the frames [s].
        marked: (n,) frames in which the constraint was relaxed.
    """
    return [
        ConstraintViolation(float(times[span][0]), float(times[span][-1]), reason)
        for span in find_spans(marked)
    ]


def merge_violations(violations: Iterable[ConstraintViolation]) -> tuple[ConstraintViolation, ...]:
    """Return violations in order of time, with close ones of the same reason merged."""
    merged: list[ConstraintViolation] = []
    for e in sorted(violations, key=lambda e: (e.reason, e.begin)):
        if merged and merged[-1].reason == e.reason and e.begin - merged[-1].end < MAX_MERGE_GAP:
            merged[-1] = ConstraintViolation(merged[-1].begin, max(merged[-1].end, e.end), e.reason)
        else:
            merged.append(e)
    return tuple(sorted(merged, key=lambda e: e.begin))
