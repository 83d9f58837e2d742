"""What engines have in common: drivers, commands, clocks."""
from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ..errors import TaskError
from ..motion import Motion
from ..sketch.sketch import FASTEST
from ..task import KeptStep, Push, SpeedProfile


@dataclass
class Clock:
    """Computing time by stage, s."""

    seconds: dict[str, float] = field(default_factory=lambda: {"sketch": 0.0, "plan": 0.0, "fullbody": 0.0, "simulate": 0.0})

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what is done within to a stage."""
        begin = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - begin


class Drives(Protocol):
    """A body that goes on as hands mean it to, part after part."""

    range: Range

    def advance(self, meant: Wishes) -> Motion:
        """The next part towards what is meant."""
        ...

    def take_back(self) -> None:
        """Be where it was before the last part."""
        ...

LIVE = "live"             # in a report stands for the engine: no task makes such a motion again
SLOWEST = 0.075           # v / sqrt(g l): slower than that a session's steps are no steps
TURN = np.radians(32)     # by which the direction turns in half a cycle, at most
ASIDE = 0.27              # of the weight, that steps push aside in a turn, at most
FASTER, SLOWER = 0.35, 0.2          # v / sqrt(g l) by which the speed changes in half a cycle, at most


@dataclass(frozen=True)
class Range:
    """Speeds in m/s that a body can be driven at."""

    slowest: float
    fastest: float

    @staticmethod
    def of(leg_length: float, gravity: float) -> Range:
        """The range of legs of a length in m under a gravity in m/s^2."""
        unit = float(np.sqrt(gravity * leg_length))
        return Range(SLOWEST * unit, FASTEST * unit)


@dataclass(frozen=True)
class Wishes:
    """What is wished for from now on. Pushes begin now, whatever their time; footsteps that are kept have the session's."""

    speed: float                      # m/s
    direction: float = 0.0            # rad, of the way in the world
    pushes: tuple[Push, ...] = ()
    kept: tuple[KeptStep, ...] = ()

    def __post_init__(self) -> None:
        SpeedProfile(self.speed)      # says what is wrong with it
        if not np.isfinite(self.direction):
            raise TaskError("The direction is not a finite number; give it in radians.")
