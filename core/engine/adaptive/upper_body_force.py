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
class UpperBodyGains:
    """PD coefficients of the place and the turn of the upper body (6,), and a constant lift [N]."""

    stiffness: Array
    damping: Array
    lift: float

    @staticmethod
    def from_parameters(p: LocomotionParameters) -> UpperBodyGains:
        """Return the coefficients of a controller."""
        return UpperBodyGains(
            np.array([p.body_stiffness] * 3 + [p.body_turn_stiffness] * 3),
            np.array([p.body_damping] * 3 + [p.body_turn_damping] * 3),
            p.body_lift,
        )


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
    gains: UpperBodyGains, views: PhysicsViews, path: BodyPath, tick: int
) -> UpperBodyForce:
    """Return the force that moves the upper body to its path (equations 1 and 2).

    Args:
        gains: of the controller.
        views: of the physics.
        path: planned for this half-cycle.
        tick: control step of the half-cycle.
    """
    rotation = views.body_rotation
    velocity = views.velocity
    relative = path.rotation[tick] @ rotation.T
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = relative.tolist()
    planned = path.angular_velocity[tick]
    error = np.empty(6)
    error[:3] = path.position[tick] - views.body_position
    error[3:] = zy - yz, xz - zx, yx - xy  # sum of the axes' cross products of equation 2
    rate = np.empty(6)
    rate[:3] = path.velocity[tick] - velocity[:3]
    rate[3:] = (xx + yy + zz) * planned - relative @ planned - 2.0 * (rotation @ velocity[3:6])
    wrench = gains.stiffness * error + gains.damping * rate
    wrench[2] += gains.lift
    place = error[:3]
    turn = error[3:]
    tracking = max(float(place @ place) - TRACKING_TOLERANCE, 0.0)
    tracking += max(float(turn @ turn) - TRACKING_TOLERANCE, 0.0)
    return UpperBodyForce(wrench, tracking)
