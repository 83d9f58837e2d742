"""Heel rise of a foot that stands: whether it may begin, and whether it has begun."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....simulate import BodyState, SimulatedBody
from ....slip.command import StepGoal


@dataclass(frozen=True)
class HeelOffParameters:
    """Thresholds of heel rise."""

    # Distance of a running body behind the ball of its foot from which the heel may rise [m].
    # tuned: earlier, the force on the ball stopped the body behind it
    run_lead: float = 0.1
    # The same of any other gait [m]. tuned: with that of a run a hop went backward
    walk_lead: float = 0.02
    # Remaining flexion of the ankle below which the heel of a walking body may rise [rad]; before,
    # the ankle can still bend with a flat foot.
    min_ankle_flexion: float = 0.08
    # Angle of the sole to the ground above which the heel is up [rad]: 2 cm at a foot of 0.2 m from
    # ball to heel, above what contacts yield.
    raised_angle: float = 0.1


HEEL_OFF = HeelOffParameters()


def can_raise_heel(
    body: SimulatedBody, now: BodyState, leg: int, heading: float, step_goal: StepGoal
) -> bool:
    """Return whether the heel of a foot may rise.

    It may once the body is over the foot, before a flight, or in a walk where the goal allows it
    and the ankle is at its limit.

    Args:
        heading: heading of the body [rad].
        step_goal: goal with the current gait of the body.
    """
    if not step_goal.has_flight and (
        not step_goal.allows_heel_rise
        or body.compute_remaining_flexion(leg, now.pose) > HEEL_OFF.min_ankle_flexion
    ):
        return False
    lead = HEEL_OFF.run_lead if step_goal.gait == "run" else HEEL_OFF.walk_lead
    return measure_distance_past_ball(body, now, leg, heading) > -lead


def measure_distance_past_ball(
    body: SimulatedBody, now: BodyState, leg: int, heading: float
) -> float:
    """Return how far the center of mass is ahead of the ball of a foot [m]."""
    ball = now.sole_points[leg][body.select_ball_points(leg)].mean(0)
    return float((now.com - ball)[:2] @ [np.cos(heading), np.sin(heading)])


def is_on_ball(now: BodyState, leg: int) -> bool:
    """Return whether the heel of a foot that stands is up."""
    sine = now.foot_frames.rotation[leg][:, 0] @ now.normals[leg]
    return bool(sine < -np.sin(HEEL_OFF.raised_angle))
