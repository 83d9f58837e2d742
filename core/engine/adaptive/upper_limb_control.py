"""Control of arms and head in the physics."""

from __future__ import annotations

import mujoco

from .biped_model import BipedModel
from .physics_views import PhysicsViews
from .upper_body_style import UpperBodyAngles
from .upper_limbs import find_rest_angles


def set_rest_angles(
    model: BipedModel, views: PhysicsViews, facing: float, styled: UpperBodyAngles | None
) -> None:
    """Set the angles at which the springs of arms and head rest.

    Args:
        facing: heading that the head looks to [rad].
        styled: angles of a style; None for arms that swing against the legs.
    """
    limbs = model.biped.upper_limbs
    if limbs:
        legs = views.foot_position - views.hip_position
        views.rest_angles[:] = find_rest_angles(
            limbs, views.body_rotation, legs, facing=facing, styled=styled
        )


def place_upper_limbs(model: BipedModel, data: mujoco.MjData) -> None:
    """Write the angles at which the springs of arms and head rest into a pose.

    A body that began with hanging arms would be thrown by springs that spread them.
    """
    joints = model.mujoco.actuator_trnid[:, 0]
    data.qpos[model.mujoco.jnt_qposadr[joints]] = data.ctrl
