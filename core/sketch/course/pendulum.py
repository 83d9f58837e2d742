"""The inverted pendulum on a cart, balanced by a linear quadratic regulator.

Source: Kwon et al. 2020, section 4.1 and appendix B. The cart is massless; its position is the
center of pressure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RegulatorCosts:
    """Weights of the linear quadratic regulator that balances the pendulum.

    Half or twice of each moves a body on stairs by at most 3 cm (docs/dev/parameters.csv). The last
    one only keeps the problem definite.
    """

    lean: float = 1.0  # Cost of the lean.
    speed: float = 4.0  # Cost of the speed error of the cart.
    lean_rate: float = 0.5  # Cost of the lean rate.
    force: float = 1e-5  # Cost of the force on the cart.


REGULATOR_COSTS = RegulatorCosts()


@dataclass(frozen=True)
class PendulumPath:
    """Trajectory of the pendulum at n equally spaced times.

    Args:
        time: (n,) [s].
        cart: (n, 2) position of the cart [m].
        com: (n, 2) horizontal position of the center of mass [m].
        velocity: (n, 2) velocity of the center of mass [m/s].
        force: (n, 2) force on the cart, as a share of the weight.
    """

    time: Array
    cart: Array
    com: Array
    velocity: Array
    force: Array

    def sample(self, time: Array, quantity: str) -> Array:
        """Return a quantity at any times. (...,) -> (..., 2).

        Values are interpolated linearly, and extrapolated past the ends.

        Args:
            quantity: name of a field other than `time`.
        """
        u = (np.asarray(time, float) - self.time[0]) / (self.time[1] - self.time[0])
        k = np.minimum(np.maximum(u, 0).astype(int), len(self.time) - 2)
        share = (u - k)[..., None]
        values: Array = getattr(self, quantity)
        before = values[k]
        return before + share * (values[k + 1] - before)


@dataclass(frozen=True)
class CartStep:
    """Result of one time step of the pendulum.

    Args:
        state: (4, 2) state after the step.
        force: (2,) force on the cart during the step, as a share of the weight.
    """

    state: Array
    force: Array


class CartPendulum:
    """Pendulum in discrete time with its feedback gains.

    The two horizontal axes are independent and alike. The state (4, 2) holds per axis the cart
    position, the lean, and the rates of both.

    Args:
        height: height of the center of mass above the cart [m].
        gyration: radius of gyration of the body about a horizontal axis [m].
        gravity: gravitational acceleration [m/s^2].
        dt: time step [s].
    """

    def __init__(self, height: float, gyration: float, gravity: float, dt: float) -> None:
        self.height = height
        self.dt = dt
        h = height
        k2 = gyration**2
        # Unit mass, massless cart: x'' + h a'' = u and h x'' + (h^2 + k^2) a'' = g h a,
        # for cart position x, lean a and force u
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
        # The position of the cart has no cost
        a = self._a[1:, 1:]
        b = self._b[1:]
        p = scipy.linalg.solve_discrete_are(
            a,
            b,
            np.diag((REGULATOR_COSTS.lean, REGULATOR_COSTS.speed, REGULATOR_COSTS.lean_rate)),
            np.array([[REGULATOR_COSTS.force]]),
        )
        self._gain = np.linalg.solve(REGULATOR_COSTS.force + b.T @ p @ b, b.T @ p @ a)[0]  # (3,)
        self._closed_loop = self._a.copy()  # one step under feedback
        self._closed_loop[:, 1:] -= self._b * self._gain
        self._input_gain = self._b * self._gain[1]
        self._responses: dict[tuple[float, int], Array] = {}
        self._gravity = gravity
        self._gyration = gyration

    def step(self, state: Array, target_velocity: Array) -> Array:
        """Return the state after one time step toward a cart velocity. (4, 2), (2,) -> (4, 2)."""
        return self._closed_loop @ state + self._input_gain * target_velocity

    def track(self, state: Array, positions: Array, velocities: Array, rate: float) -> Array:
        """Return the states at n samples and after them, with feedback on the position.

        In each step the center of mass gains a velocity toward its place, which is `rate` times the
        distance.

        Args:
            state: (4, 2) state at the first sample.
            positions: (n, 2) desired positions of the center of mass [m].
            velocities: (n, 2) desired velocities [m/s].
            rate: velocity per distance [1/s].

        Returns:
            Shape (n + 1, 4, 2).
        """
        n = len(positions)
        response = self._compute_response(rate, n)
        inputs = np.concatenate([state, velocities + rate * positions])
        return np.asarray((response @ inputs).reshape(n + 1, 4, 2))

    def _compute_response(self, rate: float, count: int) -> Array:
        """Return the map from a state and n inputs to the states, shape (4 (n + 1), 4 + n)."""
        if (rate, count) not in self._responses:
            com = np.array([1.0, self.height, 0.0, 0.0])
            step = self._closed_loop - rate * self._input_gain * com
            out = np.zeros((count + 1, 4, 4 + count))
            out[0, :, :4] = np.eye(4)
            for k in range(count):
                out[k + 1] = step @ out[k]
                out[k + 1, :, 4 + k] += self._input_gain[:, 0]
            self._responses[rate, count] = out.reshape(4 * (count + 1), 4 + count)
        return self._responses[rate, count]

    def compute_cart_force(self, state: Array, target_velocity: Array) -> Array:
        """Return the force on the cart in such a step, as a share of the weight.

        (..., 4, 2), (..., 2) -> (..., 2).
        """
        return (self._gain[1] * target_velocity - self._gain @ state[..., 1:, :]) / self._gravity

    def step_cart_to(self, state: Array, cart_target: Array) -> CartStep:
        """Return the result of one time step that moves the cart to a place. (4, 2), (2,)."""
        force = (cart_target - (self._a[:1] @ state)[0]) / self._b[0]
        return CartStep(self._a @ state + self._b * force, force / self._gravity)

    def add_velocity(self, state: Array, velocity_change: Array) -> Array:
        """Return the state after a sudden change of the velocity of the center of mass. (4, 2).

        Args:
            state: (4, 2).
            velocity_change: (2,) [m/s].
        """
        new_state = state.copy()
        new_state[3] += velocity_change / self.height
        return new_state

    def make_state(self, cart: Array, cart_velocity: Array, com: Array, velocity: Array) -> Array:
        """Return the state for given positions and velocities of cart and center of mass. (4, 2).

        Args:
            cart: (2,) position of the cart [m].
            cart_velocity: (2,) its velocity [m/s].
            com: (2,) position of the center of mass [m].
            velocity: (2,) its velocity [m/s].
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
        """Return the horizontal position of the center of mass [m]. (..., 4, 2) -> (..., 2)."""
        return state[..., 0, :] + self.height * state[..., 1, :]

    def compute_com_velocity(self, state: Array) -> Array:
        """Return the velocity of the center of mass [m/s]. (..., 4, 2) -> (..., 2)."""
        return state[..., 2, :] + self.height * state[..., 3, :]

    @property
    def divergence_rate(self) -> float:
        """Rate at which the lean grows over a resting cart [1/s]."""
        return float(np.sqrt(self._gravity * self.height / (self.height**2 + self._gyration**2)))

    @property
    def velocity_lag(self) -> float:
        """Delay of the velocity of the cart behind a target velocity that rises steadily [s]."""
        closed_loop = self._closed_loop[1:, 1:]
        resolvent = np.linalg.inv(np.eye(3) - closed_loop)
        response = resolvent @ resolvent @ self._input_gain[1:, 0]  # sum of k closed^k b
        return float(response[1] * self.dt)
