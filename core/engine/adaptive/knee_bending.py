"""Torques that bend knees which are too straight (Wu and Popović 2010, appendix B)."""

from __future__ import annotations

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
    arms = views.hip_position - views.foot_position
    distances = np.sqrt((arms * arms).sum(1))
    excess = distances - (planned * arms).sum(1) / distances
    if excess.max() <= 0:
        return None
    bending = np.zeros(len(model.max_torque))
    bending[model.knees - 6] = (
        model.knee_signs
        * gain
        * np.cos(views.pose[views.knee_coordinates])
        * np.maximum(excess, 0.0)
    )
    return bending
