"""What the free leg of a body that hops does: it swings against the other one, so that
trunk and arms need not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....geometry.planar import heading_axes
from ....simulate import BodyState, SimulatedBody

Array = NDArray[np.float64]

# of the other foot's distance from the body, that the free one is to its other side
COUNTER_SWING_RATIO = 0.7
BACKWARD_OFFSET = 0.08  # m behind that
FOLDED_LENGTH_RATIO = 0.62  # of the leg's length below the hips
LATERAL_OFFSET = 0.02  # m farther from the other leg than the hip


def compute_free_foot_motion(
    body: SimulatedBody, now: BodyState, stance_leg: int, heading: float
) -> tuple[Array, Array]:
    """Where feet in the air are to be, as seen from the centre of mass, and how fast, each
    (legs, 3); the free one's count.

    Args:
        stance_leg: leg that hops.
        heading: rad, of the body.
    """
    free_leg = 1 - stance_leg
    axes = heading_axes(heading)  # (2, 2) ahead, to the left
    hip = (
        body.character.hip_positions[free_leg]
        - body.character.hip_positions.mean(0)
        + body.hips_from_com
    )
    stance_offset = axes[0] @ (now.foot_frames.place[stance_leg] - now.com)[:2]
    stance_speed = axes[0] @ (now.foot_frames.velocity[stance_leg, :3] - now.com_velocity)[:2]
    foot_offsets = np.zeros((2, 3))
    foot_velocities = np.zeros((2, 3))
    foot_offsets[free_leg, :2] = (-COUNTER_SWING_RATIO * stance_offset - BACKWARD_OFFSET) * axes[
        0
    ] + (hip[1] + np.sign(hip[1]) * LATERAL_OFFSET) * axes[1]
    foot_offsets[free_leg, 2] = hip[2] - FOLDED_LENGTH_RATIO * body.character.leg_length
    foot_velocities[free_leg, :2] = -COUNTER_SWING_RATIO * stance_speed * axes[0]
    return foot_offsets, foot_velocities
