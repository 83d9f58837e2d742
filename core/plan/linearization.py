"""What a plan's cost is expanded about, and what it is compared with."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .horizon import Horizon, Rollout, simpson

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Goal:
    """Wished course at the nodes, (n, ...)."""

    com: Array
    velocity: Array
    force: Array
    rotation: Array
    spin: Array


@dataclass(frozen=True)
class Base:
    """What the cost is expanded about. Arrays as in `Rollout`; `constant` are errors that remain at no change at all."""

    coefficients: Array                 # (count w, 3)
    positions: Array                    # (s, 3)
    com: Array                          # (m, 3) that the arms are measured from
    force: Array                        # (m, w, 3)
    momentum: Array                     # (m, 3)
    rotation: Array
    spin: Array
    middle_spin: Array
    gap: Array
    start_error: Array = field(default_factory=lambda: np.zeros(3))     # of the rotation at the first node
    momentum_error: Array | None = None                                 # (m, 3) of the momentum

    @staticmethod
    def of(coefficients: Array, positions: Array, out: Rollout) -> Base:
        """About what the last step came to."""
        return Base(coefficients, positions, out.com, out.force, out.momentum, out.rotation, out.spin, out.middle_spin, out.gap)


def reference_base(h: Horizon, goal_com: Array, rotation: Array, spin: Array, middle_spin: Array,
                   total: Array | None = None) -> Base:
    """About the wished course with the weight borne straight up: needs no guess of forces and never misleads.

    Args:
        goal_com: (m, 3) at nodes and middles.
        rotation, spin: (n, ...) at the nodes.
        middle_spin: (n - 1, 3).
        total: (m, 3) force instead of the weight, where the course itself says well what it takes; body weights.
    """
    m, w = len(h.times), len(h.windows)
    value, _, _ = h.basis
    active = value.reshape(m, w, h.count).sum(2) > 1e-3                                     # (m, w)
    share = active / np.maximum(active.sum(1, keepdims=True), 1)
    borne = np.tile([0.0, 0.0, 1.0], (m, 1)) if total is None else total * active.any(1)[:, None]
    positions = np.stack([s.position for s in h.stances])
    inertia = h.world_inertia(rotation, 0)
    momentum = np.zeros((m, 3))
    momentum[::2] = (inertia @ spin[..., None])[..., 0] + h.limb_momentum[::2]
    momentum[1::2] = (0.5 * (inertia[1:] + inertia[:-1]) @ middle_spin[..., None])[..., 0] + h.limb_momentum[1::2]
    constant = simpson(np.cross(borne, h.coasting[0] - goal_com) + h.external_torque, h.dt)
    gap = so3.log(so3.exp(middle_spin * h.dt) @ rotation[:-1] @ np.swapaxes(rotation[1:], 1, 2))
    return Base(np.zeros((h.count * w, 3)), positions, goal_com, share[..., None] * borne[:, None], momentum, rotation, spin,
                middle_spin, gap, start_error=so3.log(h.state.rotation @ rotation[0].T),
                momentum_error=h.state.momentum + constant - momentum)
