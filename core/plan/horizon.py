"""The stretch of time that one plan covers: its contacts, its force windows, and what follows from the forces exactly.

Lengths in metres, times in seconds, forces in body weights, angular momentum in metres times seconds (divided by the weight).
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .external import ExternalForce
from .force_basis import COUNT, force_basis

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Stance:
    """A foot on the ground, or a hand that holds, for the plan. `points` are heel and ball relative to `position`, world axes."""

    step: int                 # index of its footstep
    leg: int
    position: Array           # (3,)
    rotation: Array           # (3, 3) of the sole; its part column is the normal of the friction cone
    points: Array             # (2, 3)
    free: bool                # it may still be shifted
    begin: float
    end: float
    fallen: float = 0.0       # speed at which the body comes down on it out of a flight, m/s
    room: Array | None = None  # (2, 2) the least and the most that it may be shifted along x and y, m; None without a limit
    grip: bool = False


@dataclass(frozen=True)
class State:
    """Where the body is at the start of a plan."""

    com: Array                # (3,)
    velocity: Array           # (3,)
    rotation: Array           # (3, 3)
    momentum: Array           # (3,) angular, about the centre of mass, m s


@dataclass(frozen=True)
class Rollout:
    """What given forces do. n nodes, m = 2 n - 1 nodes and middles in turn."""

    force: Array              # (m, w, 3) of each window, body weights
    com: Array                # (m, 3)
    velocity: Array           # (m, 3)
    momentum: Array           # (m, 3)
    moment: Array             # (m, 3) its rate
    rotation: Array           # (n, 3, 3)
    spin: Array               # (n, 3) angular velocity of the rotation, rad/s
    middle_spin: Array        # (n - 1, 3)
    gap: Array                # (n - 1, 3) by which lifted rotations fail to join, rad


@dataclass(frozen=True)
class Horizon:
    """Contacts and windows of one plan from `start` on, with its nodes.

    `inertia` (m, 3, 3) is the body's inertia in the frame that turns with the plan, divided by the weight (m s^2), and
    `limb_momentum` (m, 3) the angular momentum that its limbs have relative to that frame, m s, at nodes and middles.
    """

    start: float
    nodes: int
    dt: float
    stances: tuple[Stance, ...]
    windows: Array            # (w, 2)
    window_stance: NDArray[np.int64]     # (w,)
    window_point: NDArray[np.int64]      # (w,)
    state: State
    inertia: Array
    limb_momentum: Array
    gravity: float
    external: tuple[ExternalForce, ...] = ()
    roots: Array | None = None      # (s, n, 3) where each stance's limb begins, against the centre of mass at the nodes, m
    count: int = COUNT              # of coefficients of each window

    @cached_property
    def times(self) -> Array:
        """Times of nodes and middles in turn. (m,)."""
        return self.start + 0.5 * self.dt * np.arange(2 * self.nodes - 1, dtype=float)

    @cached_property
    def basis(self) -> tuple[Array, Array, Array]:
        """Value, integral and double integral of each coefficient's curve at nodes and middles. Each (m, count w)."""
        b = force_basis(self.times, self.windows, self.start, self.count)
        m = len(self.times)
        return b.value.reshape(m, -1), b.once.reshape(m, -1), b.twice.reshape(m, -1)

    @cached_property
    def coasting(self) -> tuple[Array, Array]:
        """Centre of mass and velocity that no contact changes, at nodes and middles. (m, 3), (m, 3)."""
        return self.coast(self.times)

    def coast(self, times: Array) -> tuple[Array, Array]:
        """Centre of mass and velocity without contacts: free fall and what pushes do to it. (n,) -> (n, 3), (n, 3)."""
        tau = (times - self.start)[:, None]
        fall = np.array([0.0, 0.0, -self.gravity])
        com = self.state.com + self.state.velocity * tau + 0.5 * fall * tau**2
        velocity = self.state.velocity + fall * tau
        for e in self.external:
            once, twice = e.integrals(times, self.start)
            com, velocity = com + self.gravity * twice, velocity + self.gravity * once
        return com, velocity

    @cached_property
    def external_torque(self) -> Array:
        """Moment of pushes about the centre of mass, at nodes and middles. (m, 3)."""
        return np.sum([e.torque(self.times) for e in self.external], axis=0) if self.external else np.zeros((len(self.times), 3))

    def arms(self, positions: Array) -> Array:
        """Places of the windows' contact points for stance positions (s, 3). (w, 3)."""
        if not self.stances:
            return np.zeros((0, 3))
        return positions[self.window_stance] + self._offsets

    @cached_property
    def _offsets(self) -> Array:
        """Contact points of the windows against the positions of their stances. (w, 3)."""
        return np.stack([s.points for s in self.stances])[self.window_stance, self.window_point]

    def roll_out(self, coefficients: Array, positions: Array, rotation: Array) -> Rollout:
        """Integrate forces: the centre of mass exactly, angular momentum by Simpson's rule.

        Args:
            coefficients: (count w, 3) body weights.
            positions: (s, 3) of the stances.
            rotation: (n, 3, 3) at the nodes; by how much the midpoint rule misses each from the one before is the gap.
        """
        _, once, twice = self.basis
        w, m, g = len(self.windows), len(self.times), self.gravity
        com = self.coasting[0] + g * (twice @ coefficients)
        velocity = self.coasting[1] + g * (once @ coefficients)
        force = np.empty((m, w, 3))
        np.matmul(self._by_window, coefficients.reshape(w, self.count, 3), out=np.swapaxes(force, 0, 1))
        summing = np.empty((w, 3, 6))                                  # the sum of all forces, and their moment about the origin
        summing[..., :3], summing[..., 3:] = np.eye(3), np.swapaxes(so3.hat(self.arms(positions)), 1, 2)
        total = force.reshape(m, -1) @ summing.reshape(-1, 6)
        moment = total[:, 3:] + _times(so3.hat(total[:, :3]), com) + self.external_torque      # (m, 3)
        momentum = self.state.momentum + simpson(moment, self.dt)
        spin = self._spin(rotation, momentum[::2], 0)
        half_way = so3.exp(spin[:-1] * (0.5 * self.dt)) @ rotation[:-1]
        middle = self._spin(half_way, momentum[1::2], 1)
        gap = so3.log(so3.exp(middle * self.dt) @ rotation[:-1] @ np.swapaxes(rotation[1:], 1, 2))
        return Rollout(force, com, velocity, momentum, moment, rotation, spin, middle, gap)

    def world_inertia(self, rotation: Array, offset: int) -> Array:
        """Inertia in world axes at the nodes (offset 0) or the middles (1). (k, 3, 3)."""
        return rotation @ self.inertia[offset::2][:len(rotation)] @ rotation.swapaxes(1, 2)

    def world_inverse(self, rotation: Array, offset: int) -> Array:
        """Its inverse. (k, 3, 3)."""
        return rotation @ self._inverse[offset::2][:len(rotation)] @ rotation.swapaxes(1, 2)

    @cached_property
    def _inverse(self) -> Array:
        return np.linalg.inv(self.inertia)

    @cached_property
    def _by_window(self) -> Array:
        """Values of the basis. (w, m, count)."""
        return np.ascontiguousarray(np.swapaxes(self.basis[0].reshape(len(self.times), len(self.windows), self.count), 0, 1))

    def _spin(self, rotation: Array, momentum: Array, offset: int) -> Array:
        own = momentum - self.limb_momentum[offset::2][:len(momentum)]
        return _times(rotation, _times(self._inverse[offset::2][:len(rotation)], _times(rotation.swapaxes(1, 2), own)))


def _times(matrices: Array, vectors: Array) -> Array:
    """(n, 3, 3), (n, 3) -> (n, 3)."""
    product: Array = (matrices @ vectors[..., None])[..., 0]
    return product


def simpson(rate: Array, dt: float) -> Array:
    """Integral from the first node of a rate at nodes and middles in turn; cubic between nodes. (m, ...) -> (m, ...)."""
    return ((dt * _weights(len(rate))) @ rate.reshape(len(rate), -1)).reshape(rate.shape)


@lru_cache(maxsize=64)
def _weights(m: int) -> Array:
    """Integrals at nodes and middles of the rate at each of them, for nodes that are 1 apart. (m, m).

    As a product with a matrix the rule takes half the time that its sums do.
    """
    a, b, c = (np.eye(m)[start:stop:2] / 24 for start, stop in ((0, -2), (1, None), (2, None)))
    out = np.zeros((m, m))
    out[2::2] = np.cumsum(4 * (a + c) + 16 * b, axis=0)
    out[1::2] = out[:-2:2] + (5 * a + 8 * b - c)
    return out


def turning(h: Horizon, coefficients: Array, positions: Array) -> Rollout:
    """What forces do to a body that turns as they turn it."""
    rotation = np.tile(h.state.rotation, (h.nodes, 1, 1))
    for _ in range(3):                              # the inertia turns with the body; that settles at once
        out = h.roll_out(coefficients, positions, rotation)
        rotation = so3.products(so3.exp(out.middle_spin * h.dt)) @ h.state.rotation
    return out
