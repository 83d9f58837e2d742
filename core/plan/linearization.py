"""What a plan's cost is expanded about, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .horizon import Horizon, PlanRollout, integrate_simpson

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TrackingGoal:
    """Wished course at the nodes, (n, ...)."""

    com: Array
    velocity: Array
    force: Array
    rotation: Array
    spin: Array


@dataclass(frozen=True)
class NominalTrajectory:
    """What the cost is expanded about. Arrays as in `PlanRollout`; `constant` are errors that
    remain at no change at all.
    """

    coefficients: Array  # (count w, 3)
    positions: Array  # (s, 3)
    com: Array  # (m, 3) that the arms are measured from
    force: Array  # (m, w, 3)
    momentum: Array  # (m, 3)
    rotation: Array
    spin: Array
    midpoint_spin: Array
    rotation_gap: Array
    # of the rotation at the first node
    start_error: Array = field(default_factory=lambda: np.zeros(3))
    momentum_error: Array | None = None  # (m, 3) of the momentum

    @staticmethod
    def from_rollout(
        coefficients: Array, positions: Array, rollout: PlanRollout
    ) -> NominalTrajectory:
        """About what the last step came to."""
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
    """About the wished course with the weight borne straight up:
    needs no guess of forces and never misleads.

    Args:
        goal_com: (m, 3) at nodes and middles.
        rotation, spin: (n, ...) at the nodes.
        midpoint_spin: (n - 1, 3).
        total_force: (m, 3) force instead of the weight, where the course itself says well what
            it takes; body weights.
    """
    m = len(h.times)
    w = len(h.windows)
    value, _, _ = h.basis
    active = value.reshape(m, w, h.coefficient_count).sum(2) > 1e-3  # (m, w)
    window_share = active / np.maximum(active.sum(1, keepdims=True), 1)
    support_force = (
        np.tile([0.0, 0.0, 1.0], (m, 1))
        if total_force is None
        else total_force * active.any(1)[:, None]
    )
    positions = np.stack([s.position for s in h.stances])
    inertia = h.inertia_in_world(rotation, 0)
    momentum = np.zeros((m, 3))
    momentum[::2] = (inertia @ spin[..., None])[..., 0] + h.limb_momentum[::2]
    momentum[1::2] = (0.5 * (inertia[1:] + inertia[:-1]) @ midpoint_spin[..., None])[
        ..., 0
    ] + h.limb_momentum[1::2]
    contact_momentum = integrate_simpson(
        np.cross(support_force, h.contact_free_motion[0] - goal_com) + h.external_torque, h.dt
    )
    rotation_gap = so3.log(
        so3.exp(midpoint_spin * h.dt) @ rotation[:-1] @ np.swapaxes(rotation[1:], 1, 2)
    )
    return NominalTrajectory(
        np.zeros((h.coefficient_count * w, 3)),
        positions,
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
