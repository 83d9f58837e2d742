"""A gait at one speed, for any number of legs: stride, lags and duty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .gait_body import GaitBody
from .gait_names import name_gait

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rhythm:
    """One stride.

    Args:
        body: body with its legs.
        speed: speed [m/s].
        froude: Froude number v^2 / (g h) of the cadence speed.
        stride_time: duration of the stride [s].
        lags: (legs,) delay of the contact of each leg after that of the first hind leg, unwrapped
            so that it changes continuously with the gait [strides].
        duty: share of the stride for which each foot is down.
        passed_transitions: which changes of gait are passed, the memory of the gait law.
    """

    body: GaitBody
    speed: float
    froude: float
    stride_time: float
    lags: Array
    duty: float
    passed_transitions: tuple[bool, ...] = ()

    @property
    def stride_length(self) -> float:
        """Travel of the body in a stride [m]."""
        return self.speed * self.stride_time

    @property
    def phases(self) -> Array:
        """The lags within one stride, from 0 to 1. (legs,)."""
        return np.asarray(np.round(self.lags, 12) % 1.0)

    @property
    def flight_share(self) -> float:
        """Share of a stride in which no foot is down."""
        return compute_flight_share(self.phases, self.duty)

    @property
    def gait_name(self) -> str:
        """Name of the gait; see `name_gait`."""
        return name_gait(self.body, self.phases, self.duty)


def compute_flight_share(phases: Array, duty: float) -> float:
    """Return the share of a stride in which no foot is down. (legs,) -> ().

    Args:
        phases: (legs,) touch-downs of the feet [strides].
        duty: share of the stride for which each foot is down.
    """
    return float(_compute_flights(phases, duty).sum())


def compute_longest_flight(phases: Array, duty: float) -> float:
    """Return the longest single flight of such a stride, as a share of it. (legs,) -> ()."""
    return float(_compute_flights(phases, duty).max())


def _compute_flights(phases: Array, duty: float) -> Array:
    """Return the flight before each touch-down, as a share of the stride. (legs,) -> (legs,)."""
    touch_downs = np.sort(np.asarray(phases) % 1.0)
    return np.asarray(np.maximum(np.diff(np.append(touch_downs, touch_downs[0] + 1.0)) - duty, 0.0))
