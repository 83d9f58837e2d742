"""A gait at one speed, for any number of legs: stride, lags and the share
of it that feet are down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .gait_body import GaitBody
from .gait_names import name_gait

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rhythm:
    """What one stride is like.

    `lags` tell by how many strides each leg's contact comes after that of the first hind leg,
    unwrapped, so that they change without a jump as the gait does. `passed_transitions` is the
    memory of a law: which changes of gait lie behind.
    """

    body: GaitBody
    speed: float  # m/s
    froude: float  # v^2 / (g h) of the pace that the stride keeps up with
    stride_time: float  # s
    lags: Array  # (legs,) strides
    duty: float  # share of a stride that each foot is down
    passed_transitions: tuple[bool, ...] = ()

    @property
    def stride_length(self) -> float:
        """What the body travels in a stride, m."""
        return self.speed * self.stride_time

    @property
    def phases(self) -> Array:
        """The lags within one stride, 0 to 1. (legs,)."""
        return np.asarray(np.round(self.lags, 12) % 1.0)

    @property
    def flight_share(self) -> float:
        """Share of a stride in which no foot is down."""
        return compute_flight_share(self.phases, self.duty)

    @property
    def gait_name(self) -> str:
        """What the gait is called; see `name_gait`."""
        return name_gait(self.body, self.phases, self.duty)


def compute_flight_share(phases: Array, duty: float) -> float:
    """Share of a stride in which no foot is down, of feet that come down at `phases` and stay
    for `duty`. (legs,) -> ().
    """
    return float(_compute_flights(phases, duty).sum())


def compute_longest_flight(phases: Array, duty: float) -> float:
    """The longest single flight of such a stride, as a share of it. (legs,) -> ()."""
    return float(_compute_flights(phases, duty).max())


def _compute_flights(phases: Array, duty: float) -> Array:
    touch_downs = np.sort(np.asarray(phases) % 1.0)
    return np.asarray(np.maximum(np.diff(np.append(touch_downs, touch_downs[0] + 1.0)) - duty, 0.0))
