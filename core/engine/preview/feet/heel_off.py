"""Whether the heel of a foot that stands may rise, and whether it has."""

from __future__ import annotations

import numpy as np

from ....simulate import BodyState, SimulatedBody
from ....slip.command import StepGoal

# m before its ball, from where on a heel may rise, in a run and in a walk: sooner, the force on the
# ball stops the body behind it
RUN_HEEL_RISE_LEAD = 0.1
WALK_HEEL_RISE_LEAD = 0.02
# rad of an ankle's range that are left where the heel of a walking body's foot may rise too
MIN_ANKLE_FLEXION = 0.08
HEEL_UP_ANGLE = 0.1  # rad that a foot is off the ground whose heel is up


def can_raise_heel(
    body: SimulatedBody, now: BodyState, leg: int, heading: float, step_goal: StepGoal
) -> bool:
    """Whether the body is so far over a foot that its heel may rise:
    before a flight, and where its ankle bends no further.

    Args:
        heading: of the body, rad.
        step_goal: with the gait that the body is in.
    """
    if not step_goal.has_flight and (
        not step_goal.allows_heel_rise
        or body.compute_remaining_flexion(leg, now.pose) > MIN_ANKLE_FLEXION
    ):
        return False
    return measure_distance_past_ball(body, now, leg, heading) > -(
        RUN_HEEL_RISE_LEAD if step_goal.gait == "run" else WALK_HEEL_RISE_LEAD
    )


def measure_distance_past_ball(
    body: SimulatedBody, now: BodyState, leg: int, heading: float
) -> float:
    """How far the body is over the ball of a foot and past it, m."""
    ball = now.sole_points[leg][body.select_ball_points(leg)].mean(0)
    return float((now.com - ball)[:2] @ [np.cos(heading), np.sin(heading)])


def is_on_ball(now: BodyState, leg: int) -> bool:
    """Whether the heel of a foot that stands is up."""
    return bool(now.foot_frames.rotation[leg][:, 0] @ now.normals[leg] < -np.sin(HEEL_UP_ANGLE))
