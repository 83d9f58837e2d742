"""Control of arms and head in the physics."""

from __future__ import annotations

from .biped_model import BipedModel
from .physics_views import PhysicsViews
from .upper_limbs import find_rest_angles


def set_rest_angles(model: BipedModel, views: PhysicsViews, facing: float) -> None:
    """Set the angles at which the springs of arms and head rest.

    Args:
        facing: heading that the head looks to [rad].
    """
    limbs = model.biped.upper_limbs
    if limbs:
        legs = views.foot_position - views.hip_position
        views.rest_angles[:] = find_rest_angles(limbs, views.body_rotation, legs, facing)
