"""The stretch of time that one plan covers: its contacts, its force windows, and what follows
from the forces exactly.

Lengths in metres, times in seconds, forces in body weights, angular momentum in metres times
seconds (divided by the weight).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .external import ExternalForce
from .force_basis import COEFFICIENT_COUNT, evaluate_force_basis

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanStance:
    """A foot on the ground, or a hand that holds, for the plan. `points` are heel and ball relative
    to `position`, world axes.
    """

    step: int  # index of its footstep
    leg: int
    position: Array  # (3,)
    rotation: Array  # (3, 3) of the sole; its part column is the normal of the friction cone
    points: Array  # (2, 3)
    is_shiftable: bool  # it may still be shifted
    begin: float
    end: float
    landing_speed: float = 0.0  # speed at which the body comes down on it out of a flight, m/s
    # (2, 2) the least and the most that it may be shifted along x and y, m; None without a limit
    shift_bounds: Array | None = None
    is_grip: bool = False


@dataclass(frozen=True)
class CentroidalState:
    """Where the body is at the start of a plan."""

    com: Array  # (3,)
    velocity: Array  # (3,)
    rotation: Array  # (3, 3)
    momentum: Array  # (3,) angular, about the centre of mass, m s


@dataclass(frozen=True)
class PlanRollout:
    """What given forces do. n nodes, m = 2 n - 1 nodes and middles in turn."""

    force: Array  # (m, w, 3) of each window, body weights
    com: Array  # (m, 3)
    velocity: Array  # (m, 3)
    momentum: Array  # (m, 3)
    moment: Array  # (m, 3) its rate
    rotation: Array  # (n, 3, 3)
    spin: Array  # (n, 3) angular velocity of the rotation, rad/s
    midpoint_spin: Array  # (n - 1, 3)
    rotation_gap: Array  # (n - 1, 3) by which lifted rotations fail to join, rad


@dataclass(frozen=True)
class Horizon:
    """Contacts and windows of one plan from `start` on, with its nodes.

    `inertia` (m, 3, 3) is the body's inertia in the frame that turns with the plan, divided by the
    weight (m s^2), and `limb_momentum` (m, 3) the angular momentum that its limbs have relative to
    that frame, m s, at nodes and middles.
    """

    start: float
    node_count: int
    dt: float
    stances: tuple[PlanStance, ...]
    windows: Array  # (w, 2)
    window_stance: NDArray[np.int64]  # (w,)
    window_point: NDArray[np.int64]  # (w,)
    state: CentroidalState
    inertia: Array
    limb_momentum: Array
    gravity: float
    external_forces: tuple[ExternalForce, ...] = ()
    # (s, n, 3) where each stance's limb begins, against the centre of mass at the nodes, m
    limb_roots: Array | None = None
    coefficient_count: int = COEFFICIENT_COUNT  # of coefficients of each window

    @cached_property
    def times(self) -> Array:
        """Times of nodes and middles in turn. (m,)."""
        return self.start + 0.5 * self.dt * np.arange(2 * self.node_count - 1, dtype=float)

    @cached_property
    def basis(self) -> tuple[Array, Array, Array]:
        """Value, integral and double integral of each coefficient's curve at nodes and
        middles. Each (m, count w).
        """
        basis_values = evaluate_force_basis(
            self.times, self.windows, self.start, self.coefficient_count
        )
        m = len(self.times)
        return (
            basis_values.value.reshape(m, -1),
            basis_values.integral.reshape(m, -1),
            basis_values.double_integral.reshape(m, -1),
        )

    @cached_property
    def contact_free_motion(self) -> tuple[Array, Array]:
        """Centre of mass and velocity that no contact changes,
        at nodes and middles. (m, 3), (m, 3).
        """
        return self.integrate_contact_free(self.times)

    def integrate_contact_free(self, times: Array) -> tuple[Array, Array]:
        """Centre of mass and velocity without contacts: free fall and what pushes do to it.
        (n,) -> (n, 3), (n, 3).
        """
        tau = (times - self.start)[:, None]
        gravity_vector = np.array([0.0, 0.0, -self.gravity])
        com = self.state.com + self.state.velocity * tau + 0.5 * gravity_vector * tau**2
        velocity = self.state.velocity + gravity_vector * tau
        for external in self.external_forces:
            integral, double_integral = external.integrals_at(times, self.start)
            com = com + self.gravity * double_integral
            velocity = velocity + self.gravity * integral
        return com, velocity

    @cached_property
    def external_torque(self) -> Array:
        """Moment of pushes about the centre of mass, at nodes and middles. (m, 3)."""
        return (
            np.sum([e.torque_at(self.times) for e in self.external_forces], axis=0)
            if self.external_forces
            else np.zeros((len(self.times), 3))
        )

    def place_contact_points(self, positions: Array) -> Array:
        """Places of the windows' contact points for stance positions (s, 3). (w, 3)."""
        if not self.stances:
            return np.zeros((0, 3))
        return positions[self.window_stance] + self._point_offsets

    @cached_property
    def _point_offsets(self) -> Array:
        """Contact points of the windows against the positions of their stances. (w, 3)."""
        return np.stack([s.points for s in self.stances])[self.window_stance, self.window_point]

    def roll_out(self, coefficients: Array, positions: Array, rotation: Array) -> PlanRollout:
        """Integrate forces: the centre of mass exactly, angular momentum by Simpson's rule.

        Args:
            coefficients: (count w, 3) body weights.
            positions: (s, 3) of the stances.
            rotation: (n, 3, 3) at the nodes; by how much the midpoint rule misses each from
                the one before is the gap.
        """
        _, integral, double_integral = self.basis
        w = len(self.windows)
        m = len(self.times)
        g = self.gravity
        com = self.contact_free_motion[0] + g * (double_integral @ coefficients)
        velocity = self.contact_free_motion[1] + g * (integral @ coefficients)
        force = np.empty((m, w, 3))
        np.matmul(
            self._basis_by_window,
            coefficients.reshape(w, self.coefficient_count, 3),
            out=np.swapaxes(force, 0, 1),
        )
        wrench_map = np.empty((w, 3, 6))  # the sum of all forces, and their moment about the origin
        wrench_map[..., :3] = np.eye(3)
        wrench_map[..., 3:] = np.swapaxes(so3.hat(self.place_contact_points(positions)), 1, 2)
        total_wrench = force.reshape(m, -1) @ wrench_map.reshape(-1, 6)
        # (m, 3)
        moment = (
            total_wrench[:, 3:]
            + _multiply(so3.hat(total_wrench[:, :3]), com)
            + self.external_torque
        )
        momentum = self.state.momentum + integrate_simpson(moment, self.dt)
        spin = self._solve_spin(rotation, momentum[::2], 0)
        midpoint_rotation = so3.exp(spin[:-1] * (0.5 * self.dt)) @ rotation[:-1]
        midpoint_spin = self._solve_spin(midpoint_rotation, momentum[1::2], 1)
        rotation_gap = so3.log(
            so3.exp(midpoint_spin * self.dt) @ rotation[:-1] @ np.swapaxes(rotation[1:], 1, 2)
        )
        return PlanRollout(
            force,
            com,
            velocity,
            momentum=momentum,
            moment=moment,
            rotation=rotation,
            spin=spin,
            midpoint_spin=midpoint_spin,
            rotation_gap=rotation_gap,
        )

    def inertia_in_world(self, rotation: Array, offset: int) -> Array:
        """Inertia in world axes at the nodes (offset 0) or the middles (1). (k, 3, 3)."""
        return rotation @ self.inertia[offset::2][: len(rotation)] @ rotation.swapaxes(1, 2)

    def inverse_inertia_in_world(self, rotation: Array, offset: int) -> Array:
        """Its inverse. (k, 3, 3)."""
        return (
            rotation @ self._inverse_inertia[offset::2][: len(rotation)] @ rotation.swapaxes(1, 2)
        )

    @cached_property
    def _inverse_inertia(self) -> Array:
        return np.linalg.inv(self.inertia)

    @cached_property
    def _basis_by_window(self) -> Array:
        """Values of the basis. (w, m, count)."""
        return np.ascontiguousarray(
            np.swapaxes(
                self.basis[0].reshape(len(self.times), len(self.windows), self.coefficient_count),
                0,
                1,
            )
        )

    def _solve_spin(self, rotation: Array, momentum: Array, offset: int) -> Array:
        body_momentum = momentum - self.limb_momentum[offset::2][: len(momentum)]
        return _multiply(
            rotation,
            _multiply(
                self._inverse_inertia[offset::2][: len(rotation)],
                _multiply(rotation.swapaxes(1, 2), body_momentum),
            ),
        )


def _multiply(matrices: Array, vectors: Array) -> Array:
    """(n, 3, 3), (n, 3) -> (n, 3)."""
    product: Array = (matrices @ vectors[..., None])[..., 0]
    return product


def integrate_simpson(rate: Array, dt: float) -> Array:
    """Integral from the first node of a rate at nodes and middles in turn;
    cubic between nodes. (m, ...) -> (m, ...).
    """
    return ((dt * _simpson_weights(len(rate))) @ rate.reshape(len(rate), -1)).reshape(rate.shape)


@lru_cache(maxsize=64)
def _simpson_weights(m: int) -> Array:
    """Integrals at nodes and middles of the rate at each of them,
    for nodes that are 1 apart. (m, m).

    As a product with a matrix the rule takes half the time that its sums do.
    """
    a, b, c = (np.eye(m)[start:stop:2] / 24 for start, stop in ((0, -2), (1, None), (2, None)))
    weights = np.zeros((m, m))
    weights[2::2] = np.cumsum(4 * (a + c) + 16 * b, axis=0)
    weights[1::2] = weights[:-2:2] + (5 * a + 8 * b - c)
    return weights


def roll_out_freely(h: Horizon, coefficients: Array, positions: Array) -> PlanRollout:
    """What forces do to a body that turns as they turn it."""
    rotation = np.tile(h.state.rotation, (h.node_count, 1, 1))
    for _ in range(3):  # the inertia turns with the body; that settles at once
        rollout = h.roll_out(coefficients, positions, rotation)
        rotation = so3.cumulative_products(so3.exp(rollout.midpoint_spin * h.dt)) @ h.state.rotation
    return rollout
