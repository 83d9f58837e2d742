"""What the plan is to stay close to: a course of the centre of mass and a heading, over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3

Array = NDArray[np.float64]

SAMPLE_INTERVAL = 0.01  # s between samples


@dataclass(frozen=True)
class ReferenceSample:
    """A wished-for course at m times."""

    com: Array  # (m, 3)
    velocity: Array  # (m, 3)
    force: Array  # (m, 3) that moves the centre of mass so, body weights
    rotation: Array  # (m, 3, 3)
    spin: Array  # (m, 3) rad/s


@dataclass(frozen=True)
class PlanReference:
    """Wished-for course over equally spaced moments."""

    time: Array  # (n,)
    com: Array  # (n, 3)
    yaw: Array  # (n,) unwrapped
    lean: Array  # (n, 2) of the upright axis, along the world's x and y, rad
    gravity: float  # m/s^2
    # (n,) turned forward about the axis from side to side, unwrapped: flips
    pitch: Array | None = None

    def sample(self, times: Array) -> ReferenceSample:
        """The course at any times, linear between samples. (m,)."""
        u = np.clip((times - self.time[0]) / SAMPLE_INTERVAL, 0, len(self.time) - 1.0001)
        k = u.astype(int)
        before = self._columns[k]
        after = self._columns[k + 1]
        interpolated = before + (u - k)[:, None] * (after - before)  # (m, 17)
        lean = interpolated[:, 9:11]
        lean_rate = interpolated[:, 11:13]
        yaw, yaw_rate, pitch, pitch_rate = interpolated[:, 13:].T
        spin = np.column_stack([-lean_rate[:, 1], lean_rate[:, 0], yaw_rate])
        rotation = so3.exp(
            np.column_stack([-lean[:, 1], lean[:, 0], np.zeros(len(lean))])
        ) @ so3.rotation_about("z", yaw)
        if self.pitch is not None:
            spin += pitch_rate[:, None] * rotation[:, :, 1]
            rotation = rotation @ so3.rotation_about("y", pitch)
        return ReferenceSample(
            interpolated[:, :3],
            interpolated[:, 3:6],
            interpolated[:, 6:9],
            rotation=rotation,
            spin=spin,
        )

    @cached_property
    def _columns(self) -> Array:
        """All that is sampled, side by side: place, velocity, force, lean and its rate, then yaw,
        pitch and theirs. (n, 17).
        """
        velocity = np.gradient(self.com, SAMPLE_INTERVAL, axis=0)
        force = np.gradient(velocity, SAMPLE_INTERVAL, axis=0) / self.gravity + np.array(
            [0.0, 0.0, 1.0]
        )
        pitch = np.zeros_like(self.time) if self.pitch is None else self.pitch
        return np.column_stack(
            [
                self.com,
                velocity,
                force,
                self.lean,
                np.gradient(self.lean, SAMPLE_INTERVAL, axis=0),
                self.yaw,
                np.gradient(self.yaw, SAMPLE_INTERVAL),
                pitch,
                np.gradient(pitch, SAMPLE_INTERVAL),
            ]
        )
