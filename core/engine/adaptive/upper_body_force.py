"""Ideal force on the upper body (Wu and Popović 2010, section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .costs import TRACKING_TOLERANCE
from .parameters import LocomotionParameters
from .paths import BodyPath
from .physics_views import PhysicsViews

Array = NDArray[np.float64]


@dataclass(frozen=True)
class UpperBodyForce:
    """Ideal force on the upper body in one instant.

    Args:
        wrench: (6,) force and torque [N], [N m].
        tracking: cost of the errors of its place and of its turn.
    """

    wrench: Array
    tracking: float


def compute_body_force(
    p: LocomotionParameters, views: PhysicsViews, path: BodyPath, tick: int
) -> UpperBodyForce:
    """Return the force that moves the upper body to its path (equations 1 and 2).

    Args:
        p: parameters of the controller.
        views: of the physics.
        path: planned for this half-cycle.
        tick: control step of the half-cycle.
    """
    rotation = views.body_rotation
    error = path.position[tick] - views.body_position
    relative = path.rotation[tick] @ rotation.T
    # Sum of the axes' cross products of equation 2
    turn = np.array(
        [
            relative[2, 1] - relative[1, 2],
            relative[0, 2] - relative[2, 0],
            relative[1, 0] - relative[0, 1],
        ]
    )
    planned = path.angular_velocity[tick]
    trace = relative[0, 0] + relative[1, 1] + relative[2, 2]
    rate = trace * planned - relative @ planned - 2.0 * (rotation @ views.velocity[3:6])
    wrench = np.empty(6)
    wrench[:3] = p.body_stiffness * error + p.body_damping * (
        path.velocity[tick] - views.velocity[:3]
    )
    wrench[2] += p.body_lift
    wrench[3:] = p.body_turn_stiffness * turn + p.body_turn_damping * rate
    tracking = max(float(error @ error) - TRACKING_TOLERANCE, 0.0)
    tracking += max(float(turn @ turn) - TRACKING_TOLERANCE, 0.0)
    return UpperBodyForce(wrench, tracking)
