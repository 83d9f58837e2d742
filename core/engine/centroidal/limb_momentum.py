"""Inertia and limb momentum that a pass over the full body shows, for the plan of the next pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, filtfilt

from ...character.kinematic_model import KinematicModel
from ...fullbody.targets import BodyTargets
from ...geometry import so3
from ...plan.body import CentroidalBody

Array = NDArray[np.float64]

# Cutoff frequency of the low-pass filter of the limb momentum [Hz], several times that of strides.
# Half of it moves a run by 1 cm, and twice by 2 mm
MOMENTUM_CUTOFF_HZ = 10.0
# Largest cutoff frequency as a share of the Nyquist frequency, for low frame rates
MAX_CUTOFF_SHARE = 0.8


@dataclass(frozen=True)
class BodyRotation:
    """Rotation of the body as a whole at n times.

    Args:
        rotation: rotation matrices, shape (n, 3, 3).
        spin: angular velocity halfway between the times [rad/s], shape (n - 1, 3).
    """

    rotation: Array
    spin: Array

    @staticmethod
    def from_rotations(times: Array, rotation: Array) -> BodyRotation:
        """Return the rotation with the spin that follows from its differences."""
        return BodyRotation(
            rotation,
            so3.log(rotation[1:] @ np.swapaxes(rotation[:-1], 1, 2)) / np.diff(times)[:, None],
        )


class PriorMotion(Protocol):
    """Motion of the full body before a pass: that of an earlier pass, or of an existing motion."""

    @property
    def times(self) -> Array:
        """Equally spaced times [s], shape (n,)."""
        ...

    @property
    def poses(self) -> Array:
        """Poses, shape (n, nq)."""
        ...

    @property
    def frame(self) -> BodyRotation:
        """Rotation of the body as a whole, in which the poses were planned."""
        ...

    def compute_offsets(self, targets: BodyTargets) -> Array:
        """Return the deviation from reference poses, for m frames of targets, shape (m, nv)."""
        ...


@dataclass(frozen=True)
class PassResult:
    """Full body of an earlier pass at n times.

    Args:
        times: equally spaced times [s], shape (n,).
        poses: solved poses, shape (n, nq).
        offsets: deviation from the reference poses of that pass, shape (n, nv).
        frame: rotation of the body as a whole.
    """

    times: Array
    poses: Array
    offsets: Array
    frame: BodyRotation

    def compute_offsets(self, targets: BodyTargets) -> Array:
        """Return the offsets at the times of m frames of targets, shape (m, nv)."""
        return _make_row_interpolator(self.times, self.offsets)(targets.time)


def estimate_moving_body(
    model: KinematicModel, gravity: float, prior: PriorMotion
) -> CentroidalBody:
    """Return the inertia in the frame of the body and the momentum of limbs relative to it.

    Gravity in [m/s^2]. The limb momentum is low-pass filtered.
    """
    times = prior.times
    poses = prior.poses
    frame = prior.frame
    centroidal = model.compute_centroidal_dynamics(poses)
    dt = times[1] - times[0]
    velocity = model.difference(poses[:-1], poses[1:]) / dt
    mean_map = 0.5 * (centroidal.angular_map[1:] + centroidal.angular_map[:-1])
    momentum = (mean_map @ velocity[..., None])[..., 0]  # (n - 1, 3), halfway between frames
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
    cutoff = min(MOMENTUM_CUTOFF_HZ / (0.5 * fps), MAX_CUTOFF_SHARE)
    b, a = butter(2, cutoff)
    # A clip of few frames is shorter than what the filter adds at each end by default.
    return filtfilt(b, a, values, axis=0, padlen=min(3 * len(a), len(values) - 1))


def _make_row_interpolator(times: Array, values: Array) -> Callable[[Array], Array]:
    """Return a function that interpolates rows linearly and holds the first and the last row.

    It takes m times and returns shape (m, ...).
    """

    def evaluate(t: Array) -> Array:
        u = np.clip((t - times[0]) / (times[1] - times[0]), 0, len(times) - 1.000001)
        k = u.astype(int)
        share = (u - k).reshape((-1,) + (1,) * (values.ndim - 1))
        return values[k] * (1 - share) + values[k + 1] * share

    return evaluate
