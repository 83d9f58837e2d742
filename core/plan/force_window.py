"""Intervals in which a contact point may apply force, and the names by which they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..motion.footstep import Footstep
from .force_basis import cover_with_windows

# Longest force window [s]; a longer stance gets several
MAX_WINDOW_TIME = 1.3


@dataclass(frozen=True)
class ForceWindow:
    """Interval in which one point of a contact may apply force."""

    point: int  # 0 for the heel or a grip, 1 for the ball
    begin: float  # [s]
    end: float  # [s]


@dataclass(frozen=True)
class StepWindows:
    """Force windows of one footstep."""

    step: int  # index of the footstep
    windows: tuple[ForceWindow, ...]


class WindowKey(NamedTuple):
    """Name of a force window."""

    step: int  # index of the footstep
    point: int  # 0 for the heel or a grip, 1 for the ball
    begin: float  # [s]


class PointKey(NamedTuple):
    """Name of a contact point."""

    step: int  # index of the footstep
    point: int  # 0 for the heel or a grip, 1 for the ball


def build_force_windows(f: Footstep) -> tuple[ForceWindow, ...]:
    """Return the force windows of a footstep: of its heel, unless it stays up, and of its ball."""
    first_point = int(f.heel_raise is not None)
    return tuple(
        ForceWindow(point, begin, end)
        for point, span in enumerate((f.heel_span, f.ball_span))
        if point >= first_point
        for begin, end in cover_with_windows(span.begin, span.end, MAX_WINDOW_TIME)
    )
