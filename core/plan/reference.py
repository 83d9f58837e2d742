"""What the plan is to stay close to: a course of the centre of mass and a heading, over time."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DT = 0.01             # s between samples


@dataclass(frozen=True)
class PlanReference:
    """Wished-for course over equally spaced moments."""

    time: Array          # (n,)
    com: Array           # (n, 3)
    velocity: Array      # (n, 3)
    force: Array         # (n, 3) that moves the centre of mass so, body weights
    yaw: Array           # (n,) unwrapped
    turn: Array          # (n,) rate of yaw, rad/s

    def at(self, times: Array) -> tuple[Array, Array, Array, Array]:
        """Centre of mass, velocity, yaw and rate of yaw, linear between samples. (m,) -> (m, 3), (m, 3), (m,), (m,)."""
        com, velocity, yaw, turn = (self._sampled(times, what) for what in (self.com, self.velocity, self.yaw, self.turn))
        return com, velocity, yaw, turn

    def force_at(self, times: Array) -> Array:
        """Force on the centre of mass, body weights, linear between samples. (m,) -> (m, 3)."""
        return self._sampled(times, self.force)

    def _sampled(self, times: Array, values: Array) -> Array:
        u = np.clip((times - self.time[0]) / DT, 0, len(self.time) - 1.0001)
        k = u.astype(int)
        share = (u - k).reshape((-1,) + (1,) * (values.ndim - 1))
        return values[k] * (1 - share) + values[k + 1] * share
