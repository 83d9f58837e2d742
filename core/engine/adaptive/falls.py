"""Bodies that have fallen."""

from __future__ import annotations

import math

from .biped_model import BipedModel
from .height_field import EndlessField
from .physics_views import PhysicsViews

# Height of the upper body above the ground, as a share of that in the neutral pose, below which a
# body has fallen, and the least cosine of its tilt
MIN_HEIGHT_SHARE = 0.6
MIN_UPRIGHT = 0.4


def is_down(model: BipedModel, views: PhysicsViews, ground: EndlessField | None) -> bool:
    """Return whether a body has fallen.

    Args:
        ground: None for a plane at height 0.
    """
    if not math.isfinite(sum(views.pose.tolist())):
        return True
    x, y, z = views.body_position.tolist()
    level = 0.0 if ground is None else float(ground.sample(x, y))
    return bool(
        z - level < MIN_HEIGHT_SHARE * model.biped.upper_body.center[2]
        or views.body_rotation[2, 2] < MIN_UPRIGHT
    )
