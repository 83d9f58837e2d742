"""The deviation of a pushed body from its course."""

from __future__ import annotations

import numpy as np

from ....plan.planner import Planner
from ....sketch.course.push_response import StateChange
from ....task import Task
from ...shared.disturbances import predict_velocity_gain
from ..segments import Segment


def predict_change(
    segment: Segment, planner: Planner, task: Task, com_height: float
) -> StateChange:
    """Return how a body deviates from its course, and what the rest of the push will add.

    Args:
        segment: that was planned before the push.
        planner: of the segment, at the time at which the body reacts.
        task: at human scale.
        com_height: height of the center of mass of the standing body [m].
    """
    now = planner.current_state
    reference = segment.reference.sample(np.array([now.time]))
    return StateChange(
        now.time,
        (now.state.com - reference.com[0])[:2],
        (now.state.velocity - reference.velocity[0])[:2],
        predict_velocity_gain(
            planner.external_forces, now.state, now.time, gravity=task.gravity, height=com_height
        ),
    )
