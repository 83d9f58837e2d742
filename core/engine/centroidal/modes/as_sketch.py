"""Wrap a center-of-mass reference that does not come from the cart pendulum in a `Sketch`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....motion.footstep import Footstep
from ....plan.reference import SAMPLE_INTERVAL, PlanReference
from ....sketch.course.course import Course
from ....sketch.course.pendulum import CartPendulum, PendulumPath
from ....sketch.footsteps.timing import PlannedStep
from ....sketch.gait.gait import StyleGaitLaw
from ....sketch.sketch import Sketch
from ....task import Task
from ..body import PlannedBody

# Gyration [m] and time step [s] of the pendulum of such a sketch; any would do, as none reads it.
UNUSED_GYRATION = 0.3
UNUSED_TIME_STEP = 1 / 30


def sketch_from_reference(
    task: Task,
    planned_body: PlannedBody,
    reference: PlanReference,
    footsteps: Sequence[Footstep],
    com_height: float,
) -> Sketch:
    """Return a sketch whose course is that of a reference.

    Args:
        task: task.
        planned_body: the body.
        reference: reference of the plan.
        footsteps: footsteps in order of time.
        com_height: vertical distance between the center of mass and the contacts [m].
    """
    law = StyleGaitLaw.from_style(planned_body.style, planned_body.character, task.gravity)
    gait = law.gait_at(0.0)
    time = reference.time
    com = reference.com
    velocity = np.gradient(com[:, :2], SAMPLE_INTERVAL, axis=0)
    speed = np.linalg.norm(velocity, axis=1)
    zeros = np.zeros(len(time))
    pendulum = PendulumPath(
        time, com[:, :2], com[:, :2], velocity=velocity, force=np.zeros((len(time), 2))
    )
    distance = np.concatenate([[0.0], np.cumsum(speed[1:] * SAMPLE_INTERVAL)])
    course = Course(
        time,
        distance,
        speed,
        target_velocity=velocity,
        facing=reference.yaw,
        slope=zeros,
        forward_speed=speed,
        cadence_speed=speed,
        pendulum=pendulum,
        facing_offset=zeros,
    )
    steps = tuple(PlannedStep(f, f.time, gait, is_standing=True) for f in footsteps)
    return Sketch(
        course,
        steps,
        task.seconds,
        gait_law=law,
        pendulum=CartPendulum(com_height, UNUSED_GYRATION, task.gravity, UNUSED_TIME_STEP),
        path=task.path,
    )
