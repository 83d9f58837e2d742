"""Contacts of feet with stepping stones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...motion.footstep import Footstep
from ...task import Task
from ..gait.gait import Gait
from ..placement.sole import GroundedFootPose, place_foot
from .clear_place import find_clear_place

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StoneContact:
    """One foot on a stone.

    Args:
        leg: leg of the foot.
        xy: (2,) place of the foot [m].
        heading: heading of the body there [rad].
        middle_line: (2,) place of the middle line [m].
        time: time of the contact at a constant speed [s].
    """

    leg: int
    xy: Array
    heading: float
    middle_line: Array
    time: float


def place_on_stone(
    task: Task,
    character: Character,
    stone_contact: StoneContact,
    heading: float,
    gait: Gait,
    previous_height: float,
) -> GroundedFootPose:
    """Return the pose of a foot on a stone.

    A small stone may end under the foot; the missing ground then continues level.

    Args:
        heading: heading of the body [rad].
        previous_height: height of the previous footstep, used where the stone has no height [m].
    """
    side = float(character.legs[stone_contact.leg].side)
    foot = character.feet[stone_contact.leg]
    yaw = heading + side * gait.toe_out
    xy = find_clear_place(task.ground, foot, stone_contact.xy, np.array([yaw]))
    stone_height = float(task.ground.sample_heights(xy))
    return place_foot(
        task.ground,
        foot,
        xy,
        yaw=yaw,
        level=stone_height if np.isfinite(stone_height) else previous_height,
    )


def make_stone_footstep(leg: int, time: float, pose: GroundedFootPose, gait: Gait) -> Footstep:
    """Return the footstep of a leg with its middle at a time [s]."""
    contact_time = gait.contact_time
    strike = time - 0.5 * contact_time
    cycle = gait.cycle
    return Footstep(
        leg,
        strike,
        strike + cycle.flat * contact_time,
        heel_off=strike + cycle.heel_off * contact_time,
        lift=strike + contact_time,
        position=pose.position,
        rotation=pose.rotation,
        pinned=True,
    )
