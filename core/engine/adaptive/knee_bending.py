"""Torques that bend knees which are too straight (Wu and Popović 2010, appendix B)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .biped_model import BipedModel
from .physics_views import PhysicsViews

Array = NDArray[np.float64]


def bend_straight_knees(
    model: BipedModel, views: PhysicsViews, planned: Array, gain: float
) -> Array | None:
    """Return the torques (joints,) [N m] that bend knees, or None if there are none.

    Args:
        planned: (2, 3) from the planned ankles to the planned hips [m].
        gain: torque by the excess of the distance between hip and ankle [N].
    """
    legs = views.hip_position - views.foot_position
    excesses = [
        _measure_excess(leg, goal)
        for leg, goal in zip(legs.tolist(), planned.tolist(), strict=True)
    ]
    if max(excesses) <= 0.0:
        return None
    bending = np.zeros(len(model.max_torque))
    for k, excess in enumerate(excesses):
        if excess > 0.0:
            angle = views.pose[views.knee_coordinates[k]]
            bending[model.knees[k] - 6] = model.knee_signs[k] * gain * math.cos(angle) * excess
    return bending


def _measure_excess(leg: list[float], planned: list[float]) -> float:
    """Return by how much a leg is longer than planned, along itself [m].

    Plain numbers take a third of the time of arrays with three.

    Args:
        leg: (3,) from ankle to hip [m].
        planned: (3,) the same as planned [m].
    """
    x, y, z = leg
    length = math.sqrt(x * x + y * y + z * z)
    return length - (planned[0] * x + planned[1] * y + planned[2] * z) / length
