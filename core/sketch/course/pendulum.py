"""The inverted pendulum on a cart, balanced by a linear quadratic regulator.

Source: Kwon et al. 2020, section 4.1 and appendix B. The cart has no mass;
its place is the centre of pressure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

Array = NDArray[np.float64]

STATE_COST = (1.0, 4.0, 0.5)  # lean, speed, lean rate
FORCE_COST = 1e-5


@dataclass(frozen=True)
class PendulumPath:
    """A pendulum's way at `count` equally spaced moments."""

    time: Array  # (n,) s
    cart: Array  # (n, 2) m
    com: Array  # (n, 2) m, above the cart and beside it by the lean
    velocity: Array  # (n, 2) of the centre of mass, m/s
    force: Array  # (n, 2) on the cart, as a share of the weight

    def sample(self, time: Array, quantity: str) -> Array:
        """One of the arrays at any times, linear between samples and past the
        ends. (...,) -> (..., 2).
        """
        u = (np.asarray(time, float) - self.time[0]) / (self.time[1] - self.time[0])
        k = np.minimum(np.maximum(u, 0).astype(int), len(self.time) - 2)
        share = (u - k)[..., None]
        values: Array = getattr(self, quantity)
        before = values[k]
        return before + share * (values[k + 1] - before)


class CartPendulum:
    """Discrete pendulum with its gains; both horizontal axes are alike.

    Args:
        height: of the centre of mass above the cart, m.
        gyration: radius of gyration of the body about a horizontal axis, m.
        gravity: m/s^2.
        dt: time step, s.
    """

    def __init__(self, height: float, gyration: float, gravity: float, dt: float) -> None:
        self.height = height
        self.dt = dt
        h = height
        k2 = gyration**2
        # Unit mass, no cart mass: x'' + h a'' = u and h x'' + (h^2 + k^2) a'' = g h a,
        # for cart x, lean a, force u
        inverse = np.linalg.inv(np.array([[1.0, h], [h, h * h + k2]]))
        # state: x, a, x', a'
        drift = np.zeros((4, 4))
        push = np.zeros((4, 1))
        drift[0, 2] = drift[1, 3] = 1.0
        drift[2:, 1] = inverse @ np.array([0.0, gravity * h])
        push[2:, 0] = inverse @ np.array([1.0, 0.0])
        augmented = np.zeros((5, 5))
        augmented[:4, :4] = drift * dt
        augmented[:4, 4:] = push * dt
        step = scipy.linalg.expm(augmented)
        self._a = step[:4, :4]
        self._b = step[:4, 4:]
        # the place of the cart costs nothing
        a = self._a[1:, 1:]
        b = self._b[1:]
        p = scipy.linalg.solve_discrete_are(a, b, np.diag(STATE_COST), np.array([[FORCE_COST]]))
        self._gain = np.linalg.solve(FORCE_COST + b.T @ p @ b, b.T @ p @ a)[0]  # (3,)
        self._closed_loop = self._a.copy()  # the step with the gains in it
        self._closed_loop[:, 1:] -= self._b * self._gain
        self._input_gain = self._b * self._gain[1]
        self._gravity = gravity
        self._gyration = gyration

    def step(self, state: Array, target_velocity: Array) -> Array:
        """State after one time step that aims at a velocity of the cart. (4, 2), (2,) -> (4, 2)."""
        return self._closed_loop @ state + self._input_gain * target_velocity

    def compute_cart_force(self, state: Array, target_velocity: Array) -> Array:
        """Force on the cart in such steps, as a share of the weight.
        (..., 4, 2), (..., 2) -> (..., 2).
        """
        return (self._gain[1] * target_velocity - self._gain @ state[..., 1:, :]) / self._gravity

    def step_cart_to(self, state: Array, cart_target: Array) -> tuple[Array, Array]:
        """State and force after one time step over which the cart goes to a place.
        (4, 2), (2,) -> (4, 2), (2,).
        """
        force = (cart_target - (self._a[:1] @ state)[0]) / self._b[0]
        return self._a @ state + self._b * force, force / self._gravity

    def add_velocity(self, state: Array, velocity_change: Array) -> Array:
        """The state with another velocity of its centre of mass. (4, 2), (2,) -> (4, 2)."""
        new_state = state.copy()
        new_state[3] += velocity_change / self.height
        return new_state

    def make_state(self, cart: Array, cart_velocity: Array, com: Array, velocity: Array) -> Array:
        """The state of a cart at a place with a velocity, and a centre of mass with its
        own. Each (2,) -> (4, 2).
        """
        return np.stack(
            [
                cart,
                (com - cart) / self.height,
                cart_velocity,
                (velocity - cart_velocity) / self.height,
            ]
        )

    def compute_com(self, state: Array) -> Array:
        """Place of the centre of mass. (..., 4, 2) -> (..., 2)."""
        return state[..., 0, :] + self.height * state[..., 1, :]

    def compute_com_velocity(self, state: Array) -> Array:
        """Velocity of the centre of mass. (..., 4, 2) -> (..., 2)."""
        return state[..., 2, :] + self.height * state[..., 3, :]

    @property
    def divergence_rate(self) -> float:
        """Rate at which it falls over a cart that rests, 1/s."""
        return float(np.sqrt(self._gravity * self.height / (self.height**2 + self._gyration**2)))

    @property
    def velocity_lag(self) -> float:
        """By how long the velocity of the cart trails a velocity asked for
        that rises steadily, s.
        """
        closed_loop = self._closed_loop[1:, 1:]
        resolvent = np.linalg.inv(np.eye(3) - closed_loop)
        response = resolvent @ resolvent @ self._input_gain[1:, 0]  # sum of k closed^k b
        return float(response[1] * self.dt)
