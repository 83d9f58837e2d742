"""What the plan is to stay close to: a course of the centre of mass and a heading, over time."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .. import so3

Array = NDArray[np.float64]

DT = 0.01             # s between samples


@dataclass(frozen=True)
class Wished:
    """A wished-for course at m times."""

    com: Array           # (m, 3)
    velocity: Array      # (m, 3)
    force: Array         # (m, 3) that moves the centre of mass so, body weights
    rotation: Array      # (m, 3, 3)
    spin: Array          # (m, 3) rad/s


@dataclass(frozen=True)
class PlanReference:
    """Wished-for course over equally spaced moments."""

    time: Array          # (n,)
    com: Array           # (n, 3)
    yaw: Array           # (n,) unwrapped
    lean: Array          # (n, 2) of the upright axis, along the world's x and y, rad
    gravity: float       # m/s^2
    pitch: Array | None = None     # (n,) turned forward about the axis from side to side, unwrapped: flips

    def at(self, times: Array) -> Wished:
        """The course at any times, linear between samples. (m,)."""
        lean, rate = self._sampled(times, self.lean), self._sampled(times, self._lean_rate)
        yaw = self._sampled(times, self.yaw)
        tilt = np.column_stack([-lean[:, 1], lean[:, 0], np.zeros(len(lean))])
        spin = np.column_stack([-rate[:, 1], rate[:, 0], self._sampled(times, self._turn)])
        rotation = so3.exp(tilt) @ so3.about("z", yaw)
        if self.pitch is not None:
            spin += self._sampled(times, self._flip_rate)[:, None] * rotation[:, :, 1]
            rotation = rotation @ so3.about("y", self._sampled(times, self.pitch))
        return Wished(self._sampled(times, self.com), self._sampled(times, self._velocity), self._sampled(times, self._force),
                      rotation, spin)

    @cached_property
    def _velocity(self) -> Array:
        return np.asarray(np.gradient(self.com, DT, axis=0))

    @cached_property
    def _force(self) -> Array:
        return np.gradient(self._velocity, DT, axis=0) / self.gravity + np.array([0.0, 0.0, 1.0])

    @cached_property
    def _turn(self) -> Array:
        return np.asarray(np.gradient(self.yaw, DT))

    @cached_property
    def _flip_rate(self) -> Array:
        return np.gradient(np.zeros_like(self.time) if self.pitch is None else self.pitch, DT)

    @cached_property
    def _lean_rate(self) -> Array:
        return np.asarray(np.gradient(self.lean, DT, axis=0))

    def _sampled(self, times: Array, values: Array) -> Array:
        u = np.clip((times - self.time[0]) / DT, 0, len(self.time) - 1.0001)
        k = u.astype(int)
        share = (u - k).reshape((-1,) + (1,) * (values.ndim - 1))
        return values[k] * (1 - share) + values[k + 1] * share
