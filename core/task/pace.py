"""Speeds over time from shares of a speed along the path, and waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cumulative_trapezoid

from ..errors import TaskError
from .profile import SpeedProfile

Array = NDArray[np.float64]

# Time in which the speed falls to 0 before a wait, and rises again after it [s], one and a half
# steps: a human stops within two.
RAMP_TIME = 0.8
# Minimum share of the speed anywhere on the path, so that the body always arrives.
MIN_SPEED_SHARE = 0.1
# Interval of the speed profile's samples [s]: 24 in a ramp.
SAMPLE_TIME = 1 / 30
# Maximum number of samples over time, that of 100 s, and number of samples along the path.
MAX_SAMPLES = 3000


@dataclass(frozen=True)
class Wait:
    """A stop on the path.

    Args:
        time: at which the body stands [s]; it slows down before.
        seconds: duration of the stand [s].

    Raises:
        TaskError: a number is negative or not finite.
    """

    time: float
    seconds: float

    def __post_init__(self) -> None:
        if not (
            np.isfinite([self.time, self.seconds]).all() and self.time >= 0 and self.seconds >= 0
        ):
            raise TaskError(
                f"The wait of {self.seconds:g} s at {self.time:g} s is not possible; both numbers "
                "must be finite and not negative."
            )


@dataclass(frozen=True)
class Pace:
    """Shares of a speed along the path, and waits.

    Args:
        seconds: length of the clip [s].
        stations: (n,) increasing distances along the path [m].
        shares: (n,) of the speed at the stations, linear between them; at least `MIN_SPEED_SHARE`.
        waits: in any order.
    """

    seconds: float
    stations: ArrayLike = 0.0
    shares: ArrayLike = 1.0
    waits: Sequence[Wait] = ()

    @property
    def is_constant(self) -> bool:
        """Whether the speed is the same everywhere."""
        return not self.waits and bool(np.ptp(np.atleast_1d(self.shares)) < 1e-6)

    @property
    def moving_time(self) -> float:
        """Length of the clip without waits [s], at least 0.1."""
        return max(self.seconds - sum(wait.seconds for wait in self.waits), 0.1)

    def to_speed_profile(self, speed: float) -> SpeedProfile:
        """Return the speed over time for a speed [m/s] at places with a share of 1."""
        shares = np.maximum(np.atleast_1d(np.asarray(self.shares, float)), MIN_SPEED_SHARE)
        if self.is_constant:
            return SpeedProfile(speed * shares[0])
        times = self._make_times()
        gate = self._compute_moving_gate(times)
        # The shares give the time of arrival at each place without waits; a wait delays it.
        stations = np.atleast_1d(np.asarray(self.stations, float))
        distances = np.linspace(
            0.0, max(speed * shares.max() * self.seconds, stations[-1], 1e-3), MAX_SAMPLES
        )
        speeds = np.maximum(speed, 1e-6) * np.interp(distances, stations, shares)
        # Time of arrival without waits [s].
        arrival_times = cumulative_trapezoid(1 / speeds, distances, initial=0.0)
        distance = np.interp(
            cumulative_trapezoid(gate, times, initial=0.0), arrival_times, distances
        )
        return SpeedProfile(np.interp(distance, distances, speeds) * gate, times)

    def _make_times(self) -> Array:
        return np.linspace(
            0.0, self.seconds, int(np.clip(self.seconds / SAMPLE_TIME, 2, MAX_SAMPLES)) + 1
        )

    def _compute_moving_gate(self, times: Array) -> Array:
        """Return 1 where the body moves and 0 where it waits, with ramps between them. (n,)."""
        gate = np.ones(len(times))
        for wait in self.waits:
            # Time to the wait or since its end [s], negative during the wait.
            time_outside = np.maximum(wait.time - times, times - wait.time - wait.seconds)
            gate = np.minimum(gate, np.clip(time_outside / RAMP_TIME, 0.0, 1.0))
        return gate
