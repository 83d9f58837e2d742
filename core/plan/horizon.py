"""Horizon of one plan: contacts, force windows, and the motion that given forces produce.

The unknowns are the contact forces and the displacements of footsteps. With the force coefficients
c (see `forces`) and gravity g, the center of mass is

    v(t) = v_0 - g t e_z + g sum_k (integral of B_k) c_k
    x(t) = x_0 + v_0 t - g t^2 / 2 e_z + g sum_k (double integral of B_k) c_k

exactly, so the linear part of the equation of motion (Kwon et al. 2020, equation 10) holds at all
times and needs no constraint.

Units: lengths [m], times [s], forces [body weights], angular momentum divided by the weight [m s].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .external import ExternalForce
from .forces import COEFFICIENT_COUNT, ForceBasis, evaluate_force_basis

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanStance:
    """One contact of the plan: a foot on the ground, or a hand that grips."""

    step: int  # index of its footstep
    leg: int  # index of its limb
    position: Array  # (3,) [m]
    rotation: Array  # (3, 3) of the sole; its third column is the normal of the friction cone
    points: Array  # (2, 3) [m] heel and ball relative to `position`, world axes
    is_shiftable: bool  # whether the plan may displace it
    begin: float  # [s]
    end: float  # [s]
    landing_speed: float = 0.0  # [m/s] speed of the fall that ends in this contact
    # (2, 2) [m] lower and upper bounds of its displacement along x and y; None for
    # `PlanLimits.max_shift` alone
    shift_bounds: Array | None = None
    is_grip: bool = False


@dataclass(frozen=True)
class CentroidalState:
    """State of the centroidal model."""

    com: Array  # (3,) [m]
    velocity: Array  # (3,) [m/s]
    rotation: Array  # (3, 3) body to world
    momentum: Array  # (3,) [m s] angular momentum about the CoM over the weight


@dataclass(frozen=True)
class ContactFreeMotion:
    """Motion of the CoM without contact forces: a ballistic curve, changed by pushes."""

    com: Array  # (n, 3) [m]
    velocity: Array  # (n, 3) [m/s]


@dataclass(frozen=True)
class PlanRollout:
    """Motion produced by given forces, at n nodes; m = 2 n - 1 counts nodes and midpoints."""

    force: Array  # (m, w, 3) [body weights] in each window
    com: Array  # (m, 3) [m]
    velocity: Array  # (m, 3) [m/s]
    momentum: Array  # (m, 3) [m s] angular
    moment: Array  # (m, 3) [m] rate of the angular momentum
    rotation: Array  # (n, 3, 3) body to world
    spin: Array  # (n, 3) [rad/s] angular velocity
    midpoint_spin: Array  # (n - 1, 3) [rad/s]
    # (n - 1, 3) [rad] error of the midpoint rule from each rotation to the next
    rotation_gap: Array

    def state_at(self, node: int) -> CentroidalState:
        """Return the state at a node."""
        return CentroidalState(
            self.com[2 * node],
            self.velocity[2 * node],
            self.rotation[node],
            self.momentum[2 * node],
        )


@dataclass(frozen=True)
class Horizon:
    """Contacts and force windows of one plan, with its nodes.

    s stances, w windows with K coefficients each, n nodes, m = 2 n - 1 nodes and midpoints.
    """

    start: float  # [s]
    node_count: int  # n
    dt: float  # [s] between nodes
    stances: tuple[PlanStance, ...]
    windows: Array  # (w, 2) [s] begin and end
    window_stance: NDArray[np.int64]  # (w,) index of the stance
    window_point: NDArray[np.int64]  # (w,) 0 for the heel or a grip, 1 for the ball
    state: CentroidalState  # at the start
    inertia: Array  # (m, 3, 3) [m s^2] in the rotating body frame, divided by the weight
    limb_momentum: Array  # (m, 3) [m s] of the limbs relative to the body frame, world axes
    gravity: float  # [m/s^2]
    external_forces: tuple[ExternalForce, ...] = ()
    # (s, n, 3) [m] root of each stance's limb relative to the CoM at the nodes
    limb_roots: Array | None = None
    coefficient_count: int = COEFFICIENT_COUNT  # K

    @cached_property
    def times(self) -> Array:
        """Times of nodes and midpoints, alternating [s]. (m,)."""
        return self.start + 0.5 * self.dt * np.arange(2 * self.node_count - 1, dtype=float)

    @cached_property
    def basis(self) -> ForceBasis:
        """Force basis at nodes and midpoints. Arrays (m, w K)."""
        return evaluate_force_basis(
            self.times, self.windows, self.start, self.coefficient_count
        ).flatten()

    @cached_property
    def contact_free_motion(self) -> ContactFreeMotion:
        """Contact-free motion at nodes and midpoints. Arrays (m, 3)."""
        return self.integrate_contact_free(self.times)

    def integrate_contact_free(self, times: Array) -> ContactFreeMotion:
        """Integrate gravity and external forces from the start to `times` (n,) [s]."""
        tau = (times - self.start)[:, None]
        gravity_vector = np.array([0.0, 0.0, -self.gravity])
        com = self.state.com + self.state.velocity * tau + 0.5 * gravity_vector * tau**2
        velocity = self.state.velocity + gravity_vector * tau
        for external in self.external_forces:
            impulse = external.integrate_force(times, self.start)
            com = com + self.gravity * impulse.double_integral
            velocity = velocity + self.gravity * impulse.integral
        return ContactFreeMotion(com, velocity)

    @cached_property
    def external_torque(self) -> Array:
        """Moment of pushes about the CoM at nodes and midpoints [body weights m]. (m, 3)."""
        return (
            np.sum([e.torque_at(self.times) for e in self.external_forces], axis=0)
            if self.external_forces
            else np.zeros((len(self.times), 3))
        )

    def place_contact_points(self, positions: Array) -> Array:
        """Return the contact point of each window [m]. (s, 3) stance positions -> (w, 3)."""
        if not self.stances:
            return np.zeros((0, 3))
        return positions[self.window_stance] + self._point_offsets

    @cached_property
    def _point_offsets(self) -> Array:
        """Contact point of each window relative to the position of its stance [m]. (w, 3)."""
        return np.stack([s.points for s in self.stances])[self.window_stance, self.window_point]

    def roll_out(self, coefficients: Array, positions: Array, rotation: Array) -> PlanRollout:
        """Integrate the motion that contact forces produce.

        The CoM is exact. The angular momentum L is integrated with Simpson's rule from

            dL/dt = sum_i (p_i - x) x f_i + external torque

        over the contact points p_i. The angular velocity is I^-1 (L - L_limbs) with the inertia I
        in world axes.

        Args:
            coefficients: (w K, 3) [body weights].
            positions: (s, 3) [m] of the stances.
            rotation: (n, 3, 3) at the nodes. They need not agree with the angular velocity;
                `PlanRollout.rotation_gap` is the mismatch.
        """
        basis = self.basis
        w = len(self.windows)
        m = len(self.times)
        g = self.gravity
        com = self.contact_free_motion.com + g * (basis.double_integral @ coefficients)
        velocity = self.contact_free_motion.velocity + g * (basis.integral @ coefficients)
        force = np.empty((m, w, 3))
        np.matmul(
            self._basis_by_window,
            coefficients.reshape(w, self.coefficient_count, 3),
            out=np.swapaxes(force, 0, 1),
        )
        moment = self._compute_moment(force, com, positions)
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
        """Return the inertia in world axes [m s^2] at the nodes (offset 0) or midpoints (1).

        (k, 3, 3) -> (k, 3, 3).
        """
        return rotation @ self.inertia[offset::2][: len(rotation)] @ rotation.swapaxes(1, 2)

    def inverse_inertia_in_world(self, rotation: Array, offset: int) -> Array:
        """Return the inverse of `inertia_in_world` [1/(m s^2)]. (k, 3, 3) -> (k, 3, 3)."""
        return (
            rotation @ self._inverse_inertia[offset::2][: len(rotation)] @ rotation.swapaxes(1, 2)
        )

    def _compute_moment(self, force: Array, com: Array, positions: Array) -> Array:
        """Return the moment of all forces about the CoM [body weights m]. (m, 3).

        As sum_i p_i x f_i - x x sum_i f_i, whose sums are one matrix product.
        """
        # (w, 3, 6): total force, and its moment about the origin
        wrench_map = np.empty((len(self.windows), 3, 6))
        wrench_map[..., :3] = np.eye(3)
        wrench_map[..., 3:] = np.swapaxes(so3.hat(self.place_contact_points(positions)), 1, 2)
        total_wrench = force.reshape(len(force), -1) @ wrench_map.reshape(-1, 6)
        return np.asarray(
            total_wrench[:, 3:]
            + _multiply(so3.hat(total_wrench[:, :3]), com)
            + self.external_torque
        )

    @cached_property
    def _inverse_inertia(self) -> Array:
        return np.linalg.inv(self.inertia)

    @cached_property
    def _basis_by_window(self) -> Array:
        """Values of the basis by window. (w, m, K)."""
        return np.ascontiguousarray(
            np.swapaxes(
                self.basis.value.reshape(
                    len(self.times), len(self.windows), self.coefficient_count
                ),
                0,
                1,
            )
        )

    def _solve_spin(self, rotation: Array, momentum: Array, offset: int) -> Array:
        """Return the angular velocity R I^-1 R' (L - L_limbs) [rad/s]. (k, 3)."""
        body_momentum = momentum - self.limb_momentum[offset::2][: len(momentum)]
        return _multiply(
            rotation,
            _multiply(
                self._inverse_inertia[offset::2][: len(rotation)],
                _multiply(rotation.swapaxes(1, 2), body_momentum),
            ),
        )


def _multiply(matrices: Array, vectors: Array) -> Array:
    """Multiply each matrix by its vector. (n, 3, 3), (n, 3) -> (n, 3)."""
    product: Array = (matrices @ vectors[..., None])[..., 0]
    return product


def integrate_simpson(rate: Array, dt: float) -> Array:
    """Integrate a rate given at nodes and midpoints from the first node on. (m, ...) -> (m, ...).

    Piecewise: the rate is the parabola through each two nodes and their midpoint.

    Args:
        rate: (m, ...) values at nodes and midpoints, alternating.
        dt: [s] between nodes.
    """
    return ((dt * _simpson_weights(len(rate))) @ rate.reshape(len(rate), -1)).reshape(rate.shape)


@lru_cache(maxsize=64)
def _simpson_weights(m: int) -> Array:
    """Return the matrix that integrates a rate at nodes and midpoints 1 and 1/2 apart. (m, m).

    The product with a matrix takes half the time of the sums.
    """
    a, b, c = (np.eye(m)[start:stop:2] / 24 for start, stop in ((0, -2), (1, None), (2, None)))
    weights = np.zeros((m, m))
    weights[2::2] = np.cumsum(4 * (a + c) + 16 * b, axis=0)
    weights[1::2] = weights[:-2:2] + (5 * a + 8 * b - c)
    return weights


def roll_out_freely(h: Horizon, coefficients: Array, positions: Array) -> PlanRollout:
    """Integrate the motion that contact forces produce, with the rotation that follows from them.

    Args:
        h: the horizon.
        coefficients: (w K, 3) [body weights].
        positions: (s, 3) [m] of the stances.
    """
    rotation = np.tile(h.state.rotation, (h.node_count, 1, 1))
    # Fixed-point iteration: the inertia rotates with the body, and a few passes suffice
    for _ in range(3):
        rollout = h.roll_out(coefficients, positions, rotation)
        rotation = so3.cumulative_products(so3.exp(rollout.midpoint_spin * h.dt)) @ h.state.rotation
    return rollout
