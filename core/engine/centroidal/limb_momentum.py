"""What one pass over a clip shows, and the next one plans with: how the inertia changes, and what
momentum the limbs have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, filtfilt

from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ...plan.body import CentroidalBody

Array = NDArray[np.float64]

# limbs' momentum is smoothed above this before the plan takes it as given
MOMENTUM_CUTOFF_HZ = 10.0


@dataclass(frozen=True)
class PassResult:
    """The full body of a pass at n times."""

    times: Array  # (n,) equally spaced
    poses: Array  # (n, nq)
    offsets: Array  # (n, nv) from the poses that it was to have

    def offsets_at(self, times: Array) -> Array:
        """How far off it was at any times. (m,) -> (m, nv)."""
        return _make_row_interpolator(self.times, self.offsets)(times)


@dataclass(frozen=True)
class BodyRotation:
    """How the body as a whole is turned at n times."""

    rotation: Array  # (n, 3, 3)
    spin: Array  # (n - 1, 3) half-way between them, rad/s

    @staticmethod
    def from_rotations(times: Array, rotation: Array) -> BodyRotation:
        """A frame whose spin its rotations tell."""
        return BodyRotation(
            rotation,
            so3.log(rotation[1:] @ np.swapaxes(rotation[:-1], 1, 2)) / np.diff(times)[:, None],
        )


def estimate_moving_body(
    model: KinematicModel, gravity: float, result: PassResult, frame: BodyRotation
) -> CentroidalBody:
    """Inertia in the plan's frame and momentum of the limbs against it, over time.

    Args:
        gravity: m/s^2.
        frame: in which the poses were drawn, at the same times.
    """
    times = result.times
    poses = result.poses
    centroidal = model.compute_centroidal_dynamics(poses)
    dt = times[1] - times[0]
    velocity = model.difference(poses[:-1], poses[1:]) / dt
    mean_map = 0.5 * (centroidal.angular_map[1:] + centroidal.angular_map[:-1])
    momentum = (mean_map @ velocity[..., None])[..., 0]  # (n - 1, 3) at half frames
    inertia = np.swapaxes(frame.rotation, 1, 2) @ centroidal.inertia @ frame.rotation
    midpoint_times = 0.5 * (times[1:] + times[:-1])
    frame_momentum = (
        0.5 * (centroidal.inertia[1:] + centroidal.inertia[:-1]) @ frame.spin[..., None]
    )[..., 0]
    limb_momentum = _low_pass(momentum - frame_momentum, 1 / dt)
    return CentroidalBody(
        model.character.mass,
        gravity,
        _make_row_interpolator(times, inertia),
        _make_row_interpolator(midpoint_times, limb_momentum),
    )


def _low_pass(values: Array, fps: float) -> Array:
    cutoff = min(MOMENTUM_CUTOFF_HZ / (0.5 * fps), 0.8)
    return filtfilt(*butter(2, cutoff), values, axis=0)


def _make_row_interpolator(times: Array, values: Array) -> Callable[[Array], Array]:
    """Linear interpolation of rows; the last row holds on. (n,) -> (n, ...)."""

    def evaluate(t: Array) -> Array:
        u = np.clip((t - times[0]) / (times[1] - times[0]), 0, len(times) - 1.000001)
        k = u.astype(int)
        share = (u - k).reshape((-1,) + (1,) * (values.ndim - 1))
        return values[k] * (1 - share) + values[k + 1] * share

    return evaluate
