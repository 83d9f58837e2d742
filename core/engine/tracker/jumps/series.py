"""Run a body that jumps and record its states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..biped import CENTER
from ..simulation import SIMULATION
from .jumper import Jumper, JumpStage, JumpState

Array = NDArray[np.float64]

# Longest time of a jump [s].
MAX_JUMP_TIME = 1.5
# Jumps at the begin of a series that are not counted in its speed.
FIRST_JUMPS = 2


@dataclass(frozen=True)
class JumpSeries:
    """States of a body that jumps.

    Args:
        jumper: body.
        states: successive states.
        is_fallen: whether the last one is a fall.
    """

    jumper: Jumper
    states: tuple[JumpState, ...]
    is_fallen: bool

    @property
    def jumps(self) -> int:
        """Number of landings."""
        return self.states[-1].jumps

    @cached_property
    def time(self) -> Array:
        """Times of the states [s], shape (n,)."""
        return np.array([s.time for s in self.states])

    @cached_property
    def coordinates(self) -> Array:
        """Coordinates of the biped, shape (n, 9)."""
        return np.stack([s.q for s in self.states])

    @cached_property
    def com(self) -> Array:
        """Center of mass, forward and up [m], shape (n, 2)."""
        biped = self.jumper.biped
        center = biped.locate(self.coordinates, biped.points[[CENTER]])[:, 0]
        return np.stack([center.real, center.imag], -1)

    @cached_property
    def stage(self) -> NDArray[np.int64]:
        """Contacts, values of `JumpStage`, shape (n,)."""
        return np.array([int(s.stage) for s in self.states])

    @cached_property
    def rates(self) -> Array:
        """Rates of the phase at the begin of each jump [m/s], (jumps,)."""
        start = self.jumper.goal.curves.start
        out: list[float] = []
        before = None
        for state in self.states:
            if state.stage != JumpStage.FLAT:
                before = -np.inf
                continue
            seen = self.jumper.observe(state)
            is_new = len(out) <= state.jumps
            if is_new and (before is None or before < start <= seen.phase):
                out.append(seen.rate)
            before = seen.phase
        return np.array(out)

    @property
    def _landings(self) -> NDArray[np.int64]:
        jumps = np.array([s.jumps for s in self.states])
        return (np.flatnonzero(np.diff(jumps)) + 1)[FIRST_JUMPS:]

    @property
    def length(self) -> float:
        """Mean length of a jump [m]; NaN for a series that is too short."""
        return _average_change(self.com[self._landings, 0])

    @property
    def seconds(self) -> float:
        """Mean time of a jump [s]; NaN for a series that is too short."""
        return _average_change(self.time[self._landings])

    @property
    def air_seconds(self) -> float:
        """Mean time of a flight [s]; NaN for a series that is too short."""
        in_air = SIMULATION.time_step * np.cumsum(self.stage == JumpStage.AIR)
        return _average_change(in_air[self._landings])

    @property
    def speed(self) -> float:
        """Mean speed [m/s]; NaN for a series that is too short."""
        return self.length / self.seconds


def _average_change(values: Array) -> float:
    return float((values[-1] - values[0]) / (len(values) - 1)) if len(values) > 1 else float("nan")


def record_jumps(jumper: Jumper, start: JumpState, count: int) -> JumpSeries:
    """Return the series until a body has landed a number of times, or fallen."""
    limit = start.time + MAX_JUMP_TIME * count
    return _record(jumper, start, lambda state: state.jumps >= count or state.time > limit)


def record_jump_time(
    jumper: Jumper,
    start: JumpState,
    seconds: float,
    progress: Callable[[float], None] = lambda share: None,
) -> JumpSeries:
    """Return the series until a time, or until the body falls.

    Args:
        jumper: body.
        start: its first state.
        seconds: time at which the series ends [s].
        progress: called with the share of the time that is done.
    """

    def is_over(state: JumpState) -> bool:
        progress(float(np.clip(state.time / seconds, 0.0, 1.0)))
        return state.time > seconds

    return _record(jumper, start, is_over)


def _record(
    jumper: Jumper,
    start: JumpState,
    is_over: Callable[[JumpState], bool],
) -> JumpSeries:
    states = [start]
    while not (is_over(states[-1]) or jumper.is_fallen(states[-1])):
        states.append(jumper.advance(states[-1]))
    return JumpSeries(jumper, tuple(states), jumper.is_fallen(states[-1]))
