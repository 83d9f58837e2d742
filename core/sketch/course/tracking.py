"""Simulation of the pendulum along a desired trajectory."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from .pendulum import CartPendulum, PendulumPath

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PathTrackingParameters:
    """Feedback that returns the pendulum to its path."""

    rate: float = 0.9  # Velocity correction per position error [1/s].
    # Largest velocity correction, as a share of the highest target speed.
    max_correction_share: float = 0.3
    min_correction_speed: float = 0.3  # Least speed to which that share applies [m/s].


PATH_TRACKING = PathTrackingParameters()


@dataclass(frozen=True)
class PendulumTargets:
    """Trajectory that the pendulum follows.

    Args:
        positions: (n, 2) desired positions of the center of mass [m].
        velocities: (n + lookahead, 2) desired velocities [m/s].
        lookahead: samples by which the pendulum receives the velocity ahead of time.
    """

    positions: Array
    velocities: Array
    lookahead: int


def simulate_pendulum(
    pendulum: CartPendulum,
    state: Array,
    targets: PendulumTargets,
    sample_count: int,
    prescribed_cart: Array | None = None,
    velocity_steps: Array | None = None,
) -> PendulumPath:
    """Return the motion of the pendulum over n samples.

    Args:
        state: (4, 2) state at the first sample.
        targets: trajectory to follow.
        prescribed_cart: (m, 2) first positions of the cart, regardless of the feedback [m].
        velocity_steps: (n - 1, 2) changes of the velocity of the center of mass between samples
            [m/s].
    """
    prescribed_cart = np.zeros((0, 2)) if prescribed_cart is None else prescribed_cart
    states = np.empty((sample_count, 4, 2))
    cart_velocities = targets.velocities[targets.lookahead :][:sample_count].copy()
    prescribed_forces = np.empty((max(len(prescribed_cart) - 1, 0), 2))
    max_correction = PATH_TRACKING.max_correction_share * max(
        float(np.linalg.norm(targets.velocities, axis=1).max()), PATH_TRACKING.min_correction_speed
    )
    for k in range(sample_count):
        states[k] = state
        correction = PATH_TRACKING.rate * (targets.positions[k] - pendulum.compute_com(state))
        correction_speed = hypot(*correction)
        cart_velocities[k] += (
            correction * (max_correction / correction_speed)
            if correction_speed > max_correction
            else correction
        )
        if k + 1 < len(prescribed_cart):
            step = pendulum.step_cart_to(state, prescribed_cart[k + 1])
            state = step.state
            prescribed_forces[k] = step.force
        else:
            state = pendulum.step(state, cart_velocities[k])
        if velocity_steps is not None and k < len(velocity_steps):
            state = pendulum.add_velocity(state, velocity_steps[k])
    time = np.arange(sample_count, dtype=float) * pendulum.dt
    forces = pendulum.compute_cart_force(states, cart_velocities)
    forces[: len(prescribed_forces)] = prescribed_forces[:sample_count]
    return PendulumPath(
        time,
        states[:, 0],
        pendulum.compute_com(states),
        velocity=pendulum.compute_com_velocity(states),
        force=forces,
    )
