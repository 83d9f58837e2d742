"""Bodies over hurdles: which flights pass over one, and what swinging feet must clear."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...clip.pose.key_pose import KeyPosePassage, find_key_pose
from ...clip.style.style import Style
from ...motion.footstep import Footstep
from ...task import Hurdle
from ..shared.checks import CLEARANCE_PAST_ENDS

Array = NDArray[np.float64]
# shares of the flight that the hurdler's pose begins before it and ends after it
LEADING_POSE_MARGINS = (0.4, 0.4)
MAX_STEP_OVER_RATIO = 0.27  # leg lengths: the highest bar that a walk steps over
MAX_LEAP_OVER_RATIO = 0.9  # leg lengths: the highest that a run leaps over
# the same of the leg that trails: it is still on the ground when the flight begins
TRAILING_POSE_MARGINS = (0.0, 0.6)


def compute_max_hurdle_height(
    style: Style, speed: float, leg_length: float, gravity: float
) -> float:
    """How high a hurdle a body can pass over at a speed in m/s, m:
    a walk steps over it, a run leaps.
    """
    is_walk = style.cycle_at(speed / float(np.sqrt(gravity * leg_length))).is_walk
    return leg_length * (MAX_STEP_OVER_RATIO if is_walk else MAX_LEAP_OVER_RATIO)


def has_hurdle_between(first: Footstep, second: Footstep, hurdles: Sequence[Hurdle]) -> bool:
    """Whether a bar lies between two footsteps."""
    places = np.stack([first.position[:2], second.position[:2]])
    for h in hurdles:
        across = h.measure_offsets(places).across
        if across[0] * across[1] < 0:
            share = across[0] / (across[0] - across[1])
            crossing = places[0] + share * (places[1] - places[0])
            if h.measure_offsets(crossing).past_end < CLEARANCE_PAST_ENDS:
                return True
    return False


def make_hurdle_passages(
    model: KinematicModel, first: Footstep, second: Footstep, share: float
) -> list[KeyPosePassage]:
    """A hurdler's pose for the flight between two footsteps; the leg that trails is there when it
    passes over the bar itself.
    """
    pose = find_key_pose("hurdle").build_pose(model, second.leg)
    flight = second.strike - first.lift
    trailing_joints = np.zeros(model.nv, bool)
    for link in model.character.legs[first.leg].links:
        trailing_joints[model.joint_dofs(model.character.links[link].joint.name)] = True

    def make_passage(margins: tuple[float, float], joints: NDArray[np.bool_]) -> KeyPosePassage:
        return KeyPosePassage(
            first.lift - margins[0] * flight,
            second.strike + margins[1] * flight,
            pose,
            peak_weight=share,
            dof_mask=joints,
        )

    return [
        make_passage(LEADING_POSE_MARGINS, ~trailing_joints),
        make_passage(TRAILING_POSE_MARGINS, trailing_joints),
    ]
