"""Footsteps placed on the ground."""

from __future__ import annotations

from ...character.character import Foot
from ...motion.footstep import Footstep
from ...task import PinnedStep, Task
from ..gait.gait import Gait
from ..placement.forefoot import FootPlacement, choose_placement, compute_ball_offset
from ..placement.sole import FootTarget
from .contact_times import ContactTimes, compute_contact_times

# Cosine of the angle between travel and facing; below its negative, feet land on their toes
TOES_FIRST_COSINE = 0.1


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
