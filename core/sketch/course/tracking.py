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
    """Feedback that returns the pendulum to its path.

    Half or twice of each moves a pushed body by at most 9 cm (docs/dev/parameters.csv).
    """

    # Velocity correction per position error [1/s]. Guarded by the tests that scripts/mutations.py
    # names
    rate: float = 0.9
    # Largest velocity correction, as a share of the highest target speed.
    max_correction_share: float = 0.3
    min_correction_speed: float = 0.3  # Least speed to which that share applies [m/s].


PATH_TRACKING = PathTrackingParameters()

# Samples that are simulated at once, as long as no correction is limited
BLOCK_SIZE = 32


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
    is_pushed = velocity_steps is not None
    steps = np.zeros((sample_count, 2))
    if velocity_steps is not None:
        steps[: len(velocity_steps)] = velocity_steps[:sample_count]
    tracker = _Tracker.from_targets(pendulum, state, targets, sample_count, prescribed_cart)
    for first in range(0, sample_count, BLOCK_SIZE):
        last = min(first + BLOCK_SIZE, sample_count)
        if not is_pushed and first + 1 >= len(prescribed_cart) and tracker.track_block(first, last):
            continue
        for k in range(first, last):
            tracker.step(k, prescribed_cart, steps[k])
    states = tracker.states
    forces = pendulum.compute_cart_force(states, tracker.cart_velocities)
    forces[: len(tracker.prescribed_forces)] = tracker.prescribed_forces[:sample_count]
    return PendulumPath(
        np.arange(sample_count, dtype=float) * pendulum.dt,
        states[:, 0],
        pendulum.compute_com(states),
        velocity=pendulum.compute_com_velocity(states),
        force=forces,
    )


@dataclass
class _Tracker:
    """Simulation of a pendulum, sample after sample.

    Args:
        pendulum: the pendulum.
        state: (4, 2) state at the next sample.
        targets: trajectory to follow.
        states: (n, 4, 2) states so far.
        cart_velocities: (n, 2) velocities that the cart is to have: the desired ones, with the
            feedback on the position added so far [m/s].
        prescribed_forces: (m, 2) forces on the cart at the samples whose next place of the cart is
            given.
        max_correction: largest velocity correction [m/s].
    """

    pendulum: CartPendulum
    state: Array
    targets: PendulumTargets
    states: Array
    cart_velocities: Array
    prescribed_forces: Array
    max_correction: float

    @staticmethod
    def from_targets(
        pendulum: CartPendulum,
        state: Array,
        targets: PendulumTargets,
        sample_count: int,
        prescribed_cart: Array,
    ) -> _Tracker:
        """Return the simulation before its first sample."""
        fastest = float(np.linalg.norm(targets.velocities, axis=1).max())
        return _Tracker(
            pendulum,
            state,
            targets,
            states=np.empty((sample_count, 4, 2)),
            cart_velocities=targets.velocities[targets.lookahead :][:sample_count].copy(),
            prescribed_forces=np.empty((max(len(prescribed_cart) - 1, 0), 2)),
            max_correction=PATH_TRACKING.max_correction_share
            * max(fastest, PATH_TRACKING.min_correction_speed),
        )

    def track_block(self, first: int, last: int) -> bool:
        """Add the samples from `first` to `last` at once if no correction among them is limited.

        Returns:
            Whether they were added.
        """
        part = slice(first, last)
        places = self.targets.positions[part]
        states = self.pendulum.track(
            self.state, places, self.cart_velocities[part], PATH_TRACKING.rate
        )
        correction = PATH_TRACKING.rate * (places - self.pendulum.compute_com(states[:-1]))
        if (np.hypot(correction[:, 0], correction[:, 1]) > self.max_correction).any():
            return False
        self.states[part] = states[:-1]
        self.cart_velocities[part] += correction
        self.state = states[-1]
        return True

    def step(self, k: int, prescribed_cart: Array, velocity_step: Array) -> None:
        """Add sample k.

        Args:
            k: number of the sample.
            prescribed_cart: (m, 2) first positions of the cart, regardless of the feedback [m].
            velocity_step: (2,) change of the velocity after it [m/s].
        """
        state = self.state
        self.states[k] = state
        correction = PATH_TRACKING.rate * (
            self.targets.positions[k] - self.pendulum.compute_com(state)
        )
        correction_speed = hypot(*correction)
        if correction_speed > self.max_correction:
            correction = correction * (self.max_correction / correction_speed)
        self.cart_velocities[k] += correction
        if k + 1 < len(prescribed_cart):
            step = self.pendulum.step_cart_to(state, prescribed_cart[k + 1])
            state = step.state
            self.prescribed_forces[k] = step.force
        else:
            state = self.pendulum.step(state, self.cart_velocities[k])
        if velocity_step.any():
            state = self.pendulum.add_velocity(state, velocity_step)
        self.state = state
