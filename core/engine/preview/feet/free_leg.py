"""Swing of the free leg of a hopping body: against the other leg, so that trunk and arms need not
balance it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....geometry.planar import heading_axes
from ....simulate import BodyState, SimulatedBody
from ....simulate.objectives import TRAILING

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FreeLegParameters:
    """Place of the free foot of a hopping body."""

    # Swing of the free foot, relative to that of the other foot on its other side [1].
    # tuned: without it the swinging leg turned the body, which reached two thirds of the speed
    counter_swing_ratio: float = 0.7
    # Constant distance of the free foot behind that place [m]; its knee is bent, so that the foot
    # is off the ground.
    backward_offset: float = 0.08
    # Distance of the free foot from its hip, away from the other leg [m], so that the legs do not
    # touch.
    lateral_offset: float = 0.02


FREE_LEG = FreeLegParameters()


@dataclass(frozen=True)
class FreeFootMotion:
    """Desired motion of feet in the air, relative to the center of mass.

    Attributes:
        offsets: (legs, 3) positions along the axes of the world [m].
        velocities: (legs, 3) their rates of change [m/s].
    """

    offsets: Array
    velocities: Array


def compute_free_foot_motion(
    body: SimulatedBody, now: BodyState, stance_leg: int, heading: float
) -> FreeFootMotion:
    """Return the motion of the free foot of a hopping body; the row of the other foot is 0.

    Args:
        stance_leg: leg that hops.
        heading: heading of the body [rad].
    """
    free_leg = 1 - stance_leg
    forward, left = heading_axes(heading)
    hip = (
        body.character.hip_positions[free_leg]
        - body.character.hip_positions.mean(0)
        + body.hips_from_com
    )
    feet = now.foot_frames
    stance_offset = forward @ (feet.place[stance_leg] - now.com)[:2]
    stance_speed = forward @ (feet.velocity[stance_leg, :3] - now.com_velocity)[:2]
    ratio = FREE_LEG.counter_swing_ratio
    offsets = np.zeros((2, 3))
    velocities = np.zeros((2, 3))
    offsets[free_leg, :2] = (-ratio * stance_offset - FREE_LEG.backward_offset) * forward + (
        hip[1] + np.sign(hip[1]) * FREE_LEG.lateral_offset
    ) * left
    offsets[free_leg, 2] = hip[2] - TRAILING.fold * body.character.leg_length
    velocities[free_leg, :2] = -ratio * stance_speed * forward
    return FreeFootMotion(offsets, velocities)
