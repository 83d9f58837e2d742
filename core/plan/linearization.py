"""Tracking goal of a plan, the nominal trajectory about which its cost is expanded, and the steps
by which small changes of a rotation propagate along it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .horizon import Horizon, PlanRollout, integrate_simpson

Array = NDArray[np.float64]

# Bounds of products of rotation steps beyond which their inverses are too inaccurate. Numerical:
# three of sixteen digits are lost.
MIN_DETERMINANT = 1e-3
MAX_GROWTH = 1e3


def are_invertible(products: Array) -> bool:
    """Return whether products of steps (n, 3, 3) can be inverted without loss of accuracy.

    A body that spins fast about a middle axis of inertia is unstable: the products then grow or
    shrink by orders of magnitude over the horizon.
    """
    if not np.isfinite(products).all():
        return False
    determinants = np.abs(np.linalg.det(products))
    return bool(determinants.min() > MIN_DETERMINANT and np.abs(products).max() < MAX_GROWTH)


def solve_recursion(steps: Array, added: Array, start: Array) -> Array:
    """Return theta_k of theta_k+1 = step_k theta_k + added_k, (n, 3, columns).

    Args:
        steps: (n - 1, 3, 3).
        added: (n - 1, 3, columns).
        start: (3,) last column of theta_0; its others are 0.
    """
    theta = np.zeros((len(steps) + 1, *added.shape[1:]))
    theta[0, :, -1] = start
    for k, step in enumerate(steps):
        theta[k + 1] = step @ theta[k] + added[k]
    return theta


@dataclass(frozen=True)
class TrackingGoal:
    """Reference at the n nodes of a horizon."""

    com: Array  # (n, 3) [m]
    velocity: Array  # (n, 3) [m/s]
    force: Array  # (n, 3) [body weights] total contact force
    rotation: Array  # (n, 3, 3)
    spin: Array  # (n, 3) [rad/s] angular velocity


@dataclass(frozen=True)
class NominalTrajectory:
    """Expansion point of the cost. n nodes, m nodes and midpoints, w windows, s stances.

    It may violate the dynamics: `rotation_gap`, `start_error` and `momentum_error` are the errors
    that a step of the expansion removes.
    """

    coefficients: Array  # (w K, 3) [body weights]
    positions: Array  # (s, 3) [m] of the stances
    com: Array  # (m, 3) [m] from which lever arms are measured
    force: Array  # (m, w, 3) [body weights]
    momentum: Array  # (m, 3) [m s] angular
    rotation: Array  # (n, 3, 3)
    spin: Array  # (n, 3) [rad/s]
    midpoint_spin: Array  # (n - 1, 3) [rad/s]
    rotation_gap: Array  # (n - 1, 3) [rad]
    # (3,) [rad] from the rotation at the first node to the actual one
    start_error: Array = field(default_factory=lambda: np.zeros(3))
    # (m, 3) [m s] momentum that the forces give, minus `momentum`; None for no error
    momentum_error: Array | None = None

    @staticmethod
    def from_rollout(
        coefficients: Array, positions: Array, rollout: PlanRollout
    ) -> NominalTrajectory:
        """Return the trajectory of a rollout, the result of the previous step."""
        return NominalTrajectory(
            coefficients,
            positions,
            rollout.com,
            force=rollout.force,
            momentum=rollout.momentum,
            rotation=rollout.rotation,
            spin=rollout.spin,
            midpoint_spin=rollout.midpoint_spin,
            rotation_gap=rollout.rotation_gap,
        )


def nominal_from_reference(
    h: Horizon,
    goal_com: Array,
    rotation: Array,
    spin: Array,
    midpoint_spin: Array,
    total_force: Array | None = None,
) -> NominalTrajectory:
    """Return the reference itself, with the load shared by the active windows, as expansion point.

    It needs no guess of the forces, so it is robust where a warm start is poor.

    Args:
        h: the horizon.
        goal_com: (m, 3) [m] at nodes and midpoints.
        rotation: (n, 3, 3) at the nodes.
        spin: (n, 3) [rad/s] at the nodes.
        midpoint_spin: (n - 1, 3) [rad/s].
        total_force: (m, 3) [body weights] total contact force; None for the weight. Given where the
            reference is accurate enough to derive it.
    """
    m = len(h.times)
    w = len(h.windows)
    active = h.basis.value.reshape(m, w, h.coefficient_count).sum(2) > 1e-3  # (m, w)
    window_share = active / np.maximum(active.sum(1, keepdims=True), 1)
    support_force = (
        np.tile([0.0, 0.0, 1.0], (m, 1))
        if total_force is None
        else total_force * active.any(1)[:, None]
    )
    momentum = _compute_momentum(h, rotation, spin, midpoint_spin)
    contact_momentum = integrate_simpson(
        np.cross(support_force, h.contact_free_motion.com - goal_com) + h.external_torque, h.dt
    )
    rotation_gap = so3.log(
        so3.exp(midpoint_spin * h.dt) @ rotation[:-1] @ np.swapaxes(rotation[1:], 1, 2)
    )
    return NominalTrajectory(
        np.zeros((h.coefficient_count * w, 3)),
        np.stack([s.position for s in h.stances]),
        goal_com,
        force=window_share[..., None] * support_force[:, None],
        momentum=momentum,
        rotation=rotation,
        spin=spin,
        midpoint_spin=midpoint_spin,
        rotation_gap=rotation_gap,
        start_error=so3.log(h.state.rotation @ rotation[0].T),
        momentum_error=h.state.momentum + contact_momentum - momentum,
    )


def _compute_momentum(h: Horizon, rotation: Array, spin: Array, midpoint_spin: Array) -> Array:
    """Return the angular momentum I w + L_limbs at nodes and midpoints [m s]. (m, 3)."""
    inertia = h.inertia_in_world(rotation, 0)
    momentum = np.zeros((len(h.times), 3))
    momentum[::2] = (inertia @ spin[..., None])[..., 0] + h.limb_momentum[::2]
    momentum[1::2] = (0.5 * (inertia[1:] + inertia[:-1]) @ midpoint_spin[..., None])[
        ..., 0
    ] + h.limb_momentum[1::2]
    return momentum
