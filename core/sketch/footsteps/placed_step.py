"""Footsteps placed on the ground, and the times at which their feet strike, roll and lift off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character, Foot
from ...motion.footstep import Footstep
from ...task import PinnedStep, Task
from ..course.course import ROLL_SHARES
from ..gait.gait import Gait
from ..placement.forefoot import FootPlacement, choose_placement, compute_ball_offset
from ..placement.sole import FootTarget

Array = NDArray[np.float64]

# Cosine of the angle between travel and facing; below its negative, feet land on their toes
TOES_FIRST_COSINE = 0.1


@dataclass(frozen=True)
class RollTiming:
    """Shares of a contact in which the foot lands and pushes off."""

    # Least share at either end, for a foot that does not roll. Numerical: rates are divided by it;
    # half or twice of it changes no motion that was tried.
    min_share: float = 0.05
    # Share by whose end the heel is down at the latest, if the foot lands on its toes. Half or
    # twice of it moves feet that walk backward by 2 to 4 cm.
    max_heel_lowering_share: float = 0.25


ROLL_TIMING = RollTiming()


@dataclass(frozen=True)
class ContactTimes:
    """Times of one contact.

    Args:
        strike: time at which the foot comes down [s].
        flat: time at which the whole sole is down [s].
        heel_off: time at which the foot begins to push off [s].
        lift: time at which it leaves the ground [s].
    """

    strike: float
    flat: float
    heel_off: float
    lift: float


def compute_contact_times(
    gait: Gait, time: float, facing_cosine: float, is_forefoot: bool
) -> ContactTimes:
    """Return the times of a contact.

    A foot that moves backward lands on its toes, and one that moves sideways rolls less.

    Args:
        time: middle of the contact [s].
        facing_cosine: cosine of the angle between the direction of travel and the facing.
        is_forefoot: whether the foot stands on ball and toes alone.
    """
    contact_time = gait.contact_time
    cycle = gait.cycle
    strike = time - 0.5 * contact_time
    landing_share, push_off_share = (
        (cycle.flat, 1 - cycle.heel_off)
        if facing_cosine > 0
        else (min(1 - cycle.heel_off, ROLL_TIMING.max_heel_lowering_share), cycle.flat)
    )
    roll_share = ROLL_SHARES.sideways + (1 - ROLL_SHARES.sideways) * facing_cosine**2
    return ContactTimes(
        strike,
        strike
        if is_forefoot
        else strike + max(roll_share * landing_share, ROLL_TIMING.min_share) * contact_time,
        strike + min(1 - roll_share * push_off_share, 1 - ROLL_TIMING.min_share) * contact_time,
        strike + contact_time,
    )


def place_on_ground(
    task: Task, foot: Foot, target: FootTarget, fallback_height: float, is_pinned: bool
) -> FootPlacement:
    """Return the placement of a foot on the ground at its target.

    Args:
        fallback_height: height that replaces missing ground [m].
        is_pinned: whether the middle of the sole stays at the target if ball and toes stand alone;
            otherwise the ball is placed there.
    """
    return choose_placement(
        task.ground,
        foot,
        target,
        level=float(fallback_height),
        allow_forefoot=task.tread == "forefoot",
        ball=target.xy + compute_ball_offset(foot, target.yaw) if is_pinned else None,
    )


def make_footstep(
    leg: int,
    time: float,
    placement: FootPlacement,
    gait: Gait,
    facing_cosine: float,
    pinned_step: PinnedStep | None,
) -> Footstep:
    """Return the footstep of a foot that is placed on the ground.

    Args:
        time: middle of the contact [s].
        facing_cosine: cosine of the angle between the direction of travel and the facing.
        pinned_step: pinned footstep, whose times take precedence; None if it is not pinned.
    """
    is_forefoot = placement.heel_raise is not None
    times = (
        ContactTimes(*pinned_step.contact_times)
        if pinned_step is not None and pinned_step.contact_times
        else compute_contact_times(gait, time, facing_cosine, is_forefoot)
    )
    return Footstep(
        leg,
        times.strike,
        times.flat,
        heel_off=times.heel_off,
        lift=times.lift,
        position=placement.position,
        rotation=placement.rotation,
        pinned=pinned_step is not None,
        heel_raise=placement.heel_raise,
        toes_first=facing_cosine < -TOES_FIRST_COSINE and not is_forefoot,
    )


def locate_support(character: Character, footstep: Footstep) -> Array:
    """Return the middle of the supporting part of a foot: of its sole, or its ball. (2,) [m]."""
    middle: Array = footstep.position[:2]
    return (
        middle
        if footstep.heel_raise is None
        else middle + compute_ball_offset(character.feet[footstep.leg], footstep.yaw)
    )
