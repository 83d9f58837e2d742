"""Whether the heel of a foot that stands may rise, and whether it has."""
from __future__ import annotations

import numpy as np

from ....simulate import Body, Reading
from ....slip.command import StepWish

# m before its ball, from where on a heel may rise, in a run and in a walk: sooner, the force on the ball stops the body behind it
RUN_BEFORE, BEFORE = 0.1, 0.02
STIFF = 0.08          # rad of an ankle's range that are left where the heel of a walking body's foot may rise too
RAISED = 0.1          # rad that a foot is off the ground whose heel is up


def heel_rises(body: Body, now: Reading, leg: int, heading: float, wish: StepWish) -> bool:
    """Whether the body is so far over a foot that its heel may rise: before a flight, and where its ankle bends no further.

    Args:
        heading: of the body, rad.
        wish: with the gait that the body is in.
    """
    if not wish.flies and (not wish.rolls or body.flexion_left(leg, now.pose) > STIFF):
        return False
    return past_ball(body, now, leg, heading) > -(RUN_BEFORE if wish.gait == "run" else BEFORE)


def past_ball(body: Body, now: Reading, leg: int, heading: float) -> float:
    """How far the body is over the ball of a foot and past it, m."""
    ball = now.points[leg][body.ball_points(leg)].mean(0)
    return float((now.com - ball)[:2] @ [np.cos(heading), np.sin(heading)])


def is_on_ball(now: Reading, leg: int) -> bool:
    """Whether the heel of a foot that stands is up."""
    return bool(now.feet.rotation[leg][:, 0] @ now.normals[leg] < -np.sin(RAISED))
