"""What one pass over a clip shows, and the next one plans with: how the inertia changes, and what momentum the limbs have."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, filtfilt

from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ...plan.body import Body

Array = NDArray[np.float64]

SMOOTH_HZ = 10.0      # limbs' momentum is smoothed above this before the plan takes it as given


@dataclass(frozen=True)
class Found:
    """The full body of a pass at n times."""

    times: Array              # (n,) equally spaced
    poses: Array              # (n, nq)
    away: Array               # (n, nv) from the poses that it was to have

    def away_at(self, times: Array) -> Array:
        """How far off it was at any times. (m,) -> (m, nv)."""
        return _over_time(self.times, self.away)(times)


@dataclass(frozen=True)
class Frame:
    """How the body as a whole is turned at n times."""

    rotation: Array           # (n, 3, 3)
    spin: Array               # (n - 1, 3) half-way between them, rad/s

    @staticmethod
    def of(times: Array, rotation: Array) -> Frame:
        """A frame whose spin its rotations tell."""
        return Frame(rotation, so3.log(rotation[1:] @ np.swapaxes(rotation[:-1], 1, 2)) / np.diff(times)[:, None])


def body_in_motion(model: KinematicModel, gravity: float, found: Found, frame: Frame) -> Body:
    """Inertia in the plan's frame and momentum of the limbs against it, over time.

    Args:
        gravity: m/s^2.
        frame: in which the poses were drawn, at the same times.
    """
    times, poses = found.times, found.poses
    c = model.centroidal(poses)
    dt = times[1] - times[0]
    step = model.difference(poses[:-1], poses[1:]) / dt
    middle = 0.5 * (c.angular_map[1:] + c.angular_map[:-1])
    momentum = (middle @ step[..., None])[..., 0]                                           # (n - 1, 3) at half frames
    inertia = np.swapaxes(frame.rotation, 1, 2) @ c.inertia @ frame.rotation
    half = 0.5 * (times[1:] + times[:-1])
    carried = (0.5 * (c.inertia[1:] + c.inertia[:-1]) @ frame.spin[..., None])[..., 0]
    own = _smoothed(momentum - carried, 1 / dt)
    return Body(model.character.mass, gravity, _over_time(times, inertia), _over_time(half, own))


def _smoothed(values: Array, fps: float) -> Array:
    cut = min(SMOOTH_HZ / (0.5 * fps), 0.8)
    return filtfilt(*butter(2, cut), values, axis=0)


def _over_time(times: Array, values: Array) -> Callable[[Array], Array]:
    """Linear interpolation of rows; the last row holds on. (n,) -> (n, ...)."""
    def at(t: Array) -> Array:
        u = np.clip((t - times[0]) / (times[1] - times[0]), 0, len(times) - 1.000001)
        k = u.astype(int)
        share = (u - k).reshape((-1,) + (1,) * (values.ndim - 1))
        return values[k] * (1 - share) + values[k + 1] * share
    return at
