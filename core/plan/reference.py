"""What the plan is to stay close to: a course of the centre of mass and a heading, over time."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3

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
        u = np.clip((times - self.time[0]) / DT, 0, len(self.time) - 1.0001)
        k = u.astype(int)
        before, after = self._course[k], self._course[k + 1]
        at = before + (u - k)[:, None] * (after - before)                                   # (m, 17)
        lean, rate, (yaw, turn, pitch, flip) = at[:, 9:11], at[:, 11:13], at[:, 13:].T
        spin = np.column_stack([-rate[:, 1], rate[:, 0], turn])
        rotation = so3.exp(np.column_stack([-lean[:, 1], lean[:, 0], np.zeros(len(lean))])) @ so3.about("z", yaw)
        if self.pitch is not None:
            spin += flip[:, None] * rotation[:, :, 1]
            rotation = rotation @ so3.about("y", pitch)
        return Wished(at[:, :3], at[:, 3:6], at[:, 6:9], rotation, spin)

    @cached_property
    def _course(self) -> Array:
        """All that is sampled, side by side: place, velocity, force, lean and its rate, then yaw, pitch and theirs. (n, 17)."""
        velocity = np.gradient(self.com, DT, axis=0)
        force = np.gradient(velocity, DT, axis=0) / self.gravity + np.array([0.0, 0.0, 1.0])
        pitch = np.zeros_like(self.time) if self.pitch is None else self.pitch
        return np.column_stack([self.com, velocity, force, self.lean, np.gradient(self.lean, DT, axis=0),
                                self.yaw, np.gradient(self.yaw, DT), pitch, np.gradient(pitch, DT)])
