"""What became of an attempt to generate the motion of a task."""

from __future__ import annotations

from dataclasses import dataclass

from ...motion import Motion
from ...task import Task
from .judge import Verdict


@dataclass(frozen=True)
class SoundMotion:
    """A motion that can be delivered, with its blemishes in the notes of its report."""

    motion: Motion


@dataclass(frozen=True)
class BrokenMotion:
    """A motion that cannot be delivered.

    Attributes:
        motion: None if the plan failed before there was one.
        verdict: at least one of its flaws is breaking.
        place: (x, y) where the plan failed [m]; None if it has no such place.
    """

    task: Task
    motion: Motion | None
    verdict: Verdict
    place: tuple[float, float] | None = None

    @property
    def time(self) -> float:
        """When the first breaking flaw begins [s]."""
        return self.verdict.breaking[0].time
