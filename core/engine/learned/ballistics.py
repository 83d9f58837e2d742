"""Make a predicted center of mass obey gravity where no foot touches the ground.

The forces of a prediction follow from its accelerations. A small error of the place is a large one
of the acceleration: an error of 1 mm over 30 ms is one of 0.1 body weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded
from scipy.ndimage import gaussian_filter1d

from ...motion import Footstep

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BallisticsParameters:
    """How closely a center of mass keeps to its prediction and to its accelerations.

    Args:
        time_step: time between the samples of the center of mass [s], so that frames at usual rates
            are samples or between two of them.
        place_rate: frequency below which places are kept rather than accelerations [rad/s]: 2 Hz,
            that of human steps, at which a walk rises and falls.
        flight_weight: weight of the accelerations of a flight, where gravity leaves no choice; in a
            contact it is 1.
        max_force: greatest force [body weights], above the 2.5 to 4 of human runs.
        smoothing: deviation over which forces are smoothed [s], two samples.
    """

    time_step: float = 1 / 120
    place_rate: float = 12.0
    flight_weight: float = 1e3
    max_force: float = 6.0
    smoothing: float = 0.016


BALLISTICS = BallisticsParameters()


@dataclass(frozen=True)
class Surroundings:
    """What acts on a body.

    Args:
        friction: coefficient of friction.
        gravity: gravitational acceleration [m/s^2].
        push: force of pushes [body weights], shape (n, 3).
    """

    friction: float
    gravity: float
    push: Array


def obey_gravity(
    com: Array, times: Array, footsteps: Sequence[Footstep], surroundings: Surroundings
) -> Array:
    """Return a center of mass whose accelerations contacts can cause, shape (n, 3).

    Args:
        com: predicted center of mass [m], shape (n, 3).
        times: times, `BALLISTICS.time_step` apart [s], shape (n,).
        footsteps: contacts.
        surroundings: friction, gravity and pushes.
    """
    dt = BALLISTICS.time_step
    gravity = surroundings.gravity
    push = surroundings.push[1:-1]
    is_flight = find_flights(times, footsteps)[1:-1]
    force = np.diff(com, 2, axis=0) / dt**2 / gravity + [0.0, 0.0, 1.0] - push
    force = gaussian_filter1d(force, BALLISTICS.smoothing / dt, axis=0, mode="nearest")
    force = _limit_force(force, surroundings.friction) * ~is_flight[:, None]
    acceleration = gravity * (force + push - [0.0, 0.0, 1.0])
    weight = np.where(is_flight, BALLISTICS.flight_weight, 1.0)
    # Unknown is the change x of the places: r^4 |x|^2 + w |D x - (a - D c)|^2, with D x the second
    # difference over dt^2.
    missing = weight[:, None] * (acceleration - np.diff(com, 2, axis=0) / dt**2)
    right = np.zeros_like(com)
    right[2:] += missing
    right[1:-1] -= 2 * missing
    right[:-2] += missing
    return np.asarray(com + solveh_banded(_build_band(weight), right * dt**2))


def find_flights(times: Array, footsteps: Sequence[Footstep]) -> NDArray[np.bool_]:
    """Return whether no foot touches the ground, shape (n,)."""
    is_flight = np.ones(len(times), bool)
    for f in footsteps:
        is_flight &= (times < f.strike) | (times > f.lift)
    return is_flight


def _limit_force(force: Array, friction: float) -> Array:
    """Return forces that push, within friction. (n, 3) -> (n, 3), in body weights."""
    limited = force.copy()
    limited[:, 2] = np.clip(force[:, 2], 0.0, BALLISTICS.max_force)
    tangential = np.linalg.norm(force[:, :2], axis=1)
    share = np.minimum(1.0, friction * limited[:, 2] / np.maximum(tangential, 1e-9))
    limited[:, :2] *= share[:, None]
    return limited


def _build_band(weight: Array) -> Array:
    """Return the matrix of the change of places in the upper form of `solveh_banded`.

    Args:
        weight: weight of each acceleration, shape (n - 2,).

    Returns:
        Shape (3, n), multiplied by dt^4.
    """
    n = len(weight) + 2
    band = np.zeros((3, n))
    band[2] = (BALLISTICS.place_rate * BALLISTICS.time_step) ** 4
    band[2, :-2] += weight
    band[2, 1:-1] += 4 * weight
    band[2, 2:] += weight
    band[1, 1:-1] -= 2 * weight
    band[1, 2:] -= 2 * weight
    band[0, 2:] += weight
    return band
