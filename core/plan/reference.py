"""Reference of a plan: center of mass and orientation over time (q-bar of Kwon et al. 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3

Array = NDArray[np.float64]

# Interval between samples of a reference [s]
SAMPLE_INTERVAL = 0.01


@dataclass(frozen=True)
class ReferenceSample:
    """Reference at m times."""

    com: Array  # (m, 3) [m]
    velocity: Array  # (m, 3) [m/s]
    force: Array  # (m, 3) [body weights] total contact force that the motion of the CoM requires
    rotation: Array  # (m, 3, 3)
    spin: Array  # (m, 3) [rad/s] angular velocity


@dataclass(frozen=True)
class PlanReference:
    """Reference sampled every `SAMPLE_INTERVAL`."""

    time: Array  # (n,) [s]
    com: Array  # (n, 3) [m]
    yaw: Array  # (n,) [rad] heading, unwrapped
    lean: Array  # (n, 2) [rad] tilt of the upright axis toward the world's x and y
    gravity: float  # [m/s^2]
    # (n,) [rad] forward rotation about the lateral axis, unwrapped, for flips; None for none
    pitch: Array | None = None

    def sample(self, times: Array) -> ReferenceSample:
        """Interpolate the reference linearly at times (m,) [s].

        The orientation is lean, then yaw, then pitch: R = exp([-lean_y, lean_x, 0]) R_z(yaw)
        R_y(pitch). The angular velocity neglects the coupling of lean and yaw, since the lean is
        small.
        """
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
        """All sampled quantities side by side. (n, 17).

        Position, velocity, force, lean, its rate, yaw, its rate, pitch, its rate.
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
