"""Whether a body can stay on its feet where it stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....geometry.planar import wrap_angle
from ....slip.body import SlipBody
from ..instant import ControlTick


@dataclass(frozen=True)
class BalanceParameters:
    """Limits of balanced standing."""

    # Distance of the capture point ahead of or behind the midpoint of the feet [m]: half the length
    # of a human sole, beyond which no force on flat feet stops the body.
    max_capture_point_lead: float = 0.13
    # Distance of the capture point outside of the feet, sideways [m]: half the width of a sole that
    # carries.
    lateral_margin: float = 0.03
    # Turn from the mean heading of the feet to that of the goal [rad], less than the largest turn
    # within two steps (`GoalParameters.max_heading_change`).
    max_foot_turn: float = 0.3
    # Deviation of the distance between the feet from that between the hips [m].
    stance_width_tolerance: float = 0.12


BALANCE = BalanceParameters()


def is_balanced(body: SlipBody, tick: ControlTick, any_width: bool) -> bool:
    """Return whether the body can stay on both feet at its current velocity.

    Args:
        any_width: whether the distance between the feet does not matter.
    """
    now = tick.body_state
    feet = tick.feet
    cos = np.cos(tick.heading)
    sin = np.sin(tick.heading)
    capture_point = now.com[:2] + now.com_velocity[:2] * np.sqrt(body.com_height / body.gravity)
    offset = capture_point - 0.5 * (feet[0].place[:2] + feet[1].place[:2])
    foot_distance = float(np.linalg.norm(feet[0].place[:2] - feet[1].place[:2]))
    turn = abs(wrap_angle(tick.goal.heading - 0.5 * (feet[0].heading + feet[1].heading)))
    width_error = abs(foot_distance - 2 * body.hip_offset[1])
    return bool(
        abs(cos * offset[0] + sin * offset[1]) < BALANCE.max_capture_point_lead
        and abs(cos * offset[1] - sin * offset[0]) < 0.5 * foot_distance + BALANCE.lateral_margin
        and turn < BALANCE.max_foot_turn
        and (any_width or width_error < BALANCE.stance_width_tolerance)
    )
