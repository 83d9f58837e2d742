"""What the free leg of a body that hops does: it swings against the other one, so that trunk and arms need not."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....geometry.planar import axes_of
from ....simulate import Body, Reading

Array = NDArray[np.float64]

AGAINST = 0.7         # of the other foot's distance from the body, that the free one is to its other side
BACK = 0.08           # m behind that
FOLDED = 0.62         # of the leg's length below the hips
ASIDE = 0.02          # m farther from the other leg than the hip


def free_foot(body: Body, now: Reading, stance: int, heading: float) -> tuple[Array, Array]:
    """Where feet in the air are to be, as seen from the centre of mass, and how fast, each (legs, 3); the free one's count.

    Args:
        stance: leg that hops.
        heading: rad, of the body.
    """
    free, axes = 1 - stance, axes_of(heading)                                              # (2, 2) ahead, to the left
    hip = body.character.hips[free] - body.character.hips.mean(0) + body.hips_from_com
    ahead, rate = axes[0] @ (now.feet.place[stance] - now.com)[:2], axes[0] @ (now.feet.velocity[stance, :3] - now.com_velocity)[:2]
    hangs, hanging = np.zeros((2, 3)), np.zeros((2, 3))
    hangs[free, :2] = (-AGAINST * ahead - BACK) * axes[0] + (hip[1] + np.sign(hip[1]) * ASIDE) * axes[1]
    hangs[free, 2] = hip[2] - FOLDED * body.character.leg_length
    hanging[free, :2] = -AGAINST * rate * axes[0]
    return hangs, hanging
