"""Hurdles of a walk: their largest height, flights that pass over one, and the pose there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...clip.pose.key_pose import KeyPosePassage, find_key_pose
from ...clip.style.style import Style
from ...motion.footstep import Footstep
from ...task import Hurdle
from ..shared.checks import CLEARANCE_PAST_ENDS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HurdleParameters:
    """Tuned numbers of steps and leaps over hurdles."""

    # Largest height of a hurdle that a walk steps over, in leg lengths
    max_step_over_ratio: float = 0.27
    # Largest height of a hurdle that a run leaps over, in leg lengths. tuned: with both heights,
    # nothing of bodies at 2 to 5 m/s came nearer to a bar than 1 cm
    max_leap_over_ratio: float = 0.9
    # Time by which the pose of a hurdler begins before the flight, as a share of the flight. tuned:
    # doubled, feet enter the ground by 11 mm
    leading_pose_lead: float = 0.4
    # Time by which it ends after the flight, as a share of the flight. tuned: doubled, pops of the
    # body are 35 degrees instead of 25
    leading_pose_tail: float = 0.4
    # The same for the trailing leg, whose pose begins with the flight. tuned: doubled, legs are
    # 7 degrees farther from the style
    trailing_pose_tail: float = 0.6


HURDLES = HurdleParameters()


def compute_max_hurdle_height(
    style: Style, speed: float, leg_length: float, gravity: float
) -> float:
    """Return the largest height of a hurdle that a body passes at a speed [m].

    A walk steps over a hurdle, a run leaps.

    Args:
        style: style of the body.
        speed: speed [m/s].
        leg_length: length of the legs [m].
        gravity: gravity [m/s^2].
    """
    is_walk = style.cycle_at(speed / float(np.sqrt(gravity * leg_length))).is_walk
    ratio = HURDLES.max_step_over_ratio if is_walk else HURDLES.max_leap_over_ratio
    return leg_length * ratio


def has_hurdle_between(first: Footstep, second: Footstep, hurdles: Sequence[Hurdle]) -> bool:
    """Return whether the line between two footsteps crosses a bar."""
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
    """Return passages through the pose of a hurdler in the flight between two footsteps.

    The trailing leg has the pose when it passes the bar, later than the rest of the body.

    Args:
        model: the body.
        first: footstep before the flight.
        second: footstep after the flight.
        share: weight of the pose, 0 to 1.
    """
    pose = find_key_pose("hurdle").build_pose(model, second.leg)
    flight = second.strike - first.lift
    trailing_joints = np.zeros(model.nv, bool)
    for link in model.character.legs[first.leg].links:
        trailing_joints[model.joint_dofs(model.character.links[link].joint.name)] = True

    def make_passage(lead: float, tail: float, joints: NDArray[np.bool_]) -> KeyPosePassage:
        return KeyPosePassage(
            first.lift - lead * flight,
            second.strike + tail * flight,
            pose,
            peak_weight=share,
            dof_mask=joints,
        )

    return [
        make_passage(HURDLES.leading_pose_lead, HURDLES.leading_pose_tail, ~trailing_joints),
        make_passage(0.0, HURDLES.trailing_pose_tail, trailing_joints),
    ]
