"""Speeds over time of who goes faster here and slower there, or waits on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cumulative_trapezoid

from ..errors import TaskError
from .speed import SpeedProfile

Array = NDArray[np.float64]

RAMP_TIME = 0.8  # s in which somebody comes to a halt, or is at speed again
# share of the speed that any place of a path has at least: nobody stops for ever
MIN_SPEED_SHARE = 0.1
SAMPLE_TIME = 1 / 30  # s between two moments
MAX_SAMPLES = 3000  # moments


@dataclass(frozen=True)
class Wait:
    """A stop on the way.

    Args:
        time: at which the body stands, s; it slows down before.
        seconds: for which it stands.

    Raises:
        TaskError: a number that is negative or not finite.
    """

    time: float
    seconds: float

    def __post_init__(self) -> None:
        if not (
            np.isfinite([self.time, self.seconds]).all() and self.time >= 0 and self.seconds >= 0
        ):
            raise TaskError(
                f"The wait of {self.seconds:g} s at {self.time:g} s cannot be; both numbers must "
                "be finite and not negative."
            )


@dataclass(frozen=True)
class Pace:
    """How fast somebody goes where and when, as shares of a speed.

    Args:
        seconds: of the clip.
        stations: rising distances along the path, m.
        shares: of the speed there, (n,), at least a tenth; straight in between.
            None for all of it everywhere.
        waits: in any order.
    """

    seconds: float
    stations: ArrayLike = 0.0
    shares: ArrayLike = 1.0
    waits: Sequence[Wait] = ()

    @property
    def is_constant(self) -> bool:
        """Whether it is one speed all the way."""
        return not self.waits and bool(np.ptp(np.atleast_1d(self.shares)) < 1e-6)

    @property
    def moving_time(self) -> float:
        """Seconds of the clip in which nobody waits; at least a tenth."""
        return max(self.seconds - sum(wait.seconds for wait in self.waits), 0.1)

    def to_speed_profile(self, speed: float) -> SpeedProfile:
        """The profile of somebody whose speed is this in m/s where its share is 1."""
        shares = np.maximum(np.atleast_1d(np.asarray(self.shares, float)), MIN_SPEED_SHARE)
        if self.is_constant:
            return SpeedProfile(speed * shares[0])
        times = self._make_times()
        gate = self._compute_moving_gate(times)
        # shares tell the time that each place takes; waits stretch that time
        stations = np.atleast_1d(np.asarray(self.stations, float))
        distances = np.linspace(
            0.0, max(speed * shares.max() * self.seconds, stations[-1], 1e-3), MAX_SAMPLES
        )
        speeds = np.maximum(speed, 1e-6) * np.interp(distances, stations, shares)
        arrival_times = cumulative_trapezoid(1 / speeds, distances, initial=0.0)  # s without waits
        distance = np.interp(
            cumulative_trapezoid(gate, times, initial=0.0), arrival_times, distances
        )
        return SpeedProfile(np.interp(distance, distances, speeds) * gate, times)

    def _make_times(self) -> Array:
        return np.linspace(
            0.0, self.seconds, int(np.clip(self.seconds / SAMPLE_TIME, 2, MAX_SAMPLES)) + 1
        )

    def _compute_moving_gate(self, times: Array) -> Array:
        """1 where it goes, 0 where it waits. (n,)."""
        gate = np.ones(len(times))
        for wait in self.waits:
            # s to the wait, below 0 in it
            time_outside = np.maximum(wait.time - times, times - wait.time - wait.seconds)
            gate = np.minimum(gate, np.clip(time_outside / RAMP_TIME, 0.0, 1.0))
        return gate
