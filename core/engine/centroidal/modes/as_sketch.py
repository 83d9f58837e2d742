"""Courses that no pendulum on a cart has led, told as a sketch of steps is."""

from __future__ import annotations

import numpy as np

from ....character.character import Character
from ....clip.style.style import Style
from ....motion.footstep import Footstep
from ....plan.reference import SAMPLE_INTERVAL, PlanReference
from ....sketch.course.course import Course
from ....sketch.course.pendulum import CartPendulum, PendulumPath
from ....sketch.footsteps.timing import PlannedStep
from ....sketch.gait.gait import StyleGaitLaw
from ....sketch.sketch import Sketch
from ....task import Task


def sketch_from_reference(
    task: Task,
    character: Character,
    style: Style,
    reference: PlanReference,
    footsteps: list[Footstep],
    com_height: float,
) -> Sketch:
    """A sketch whose course is that of a reference.

    Args:
        footsteps: planned beforehand, in order.
        com_height: of the centre of mass over what bears it, or under it, m.
    """
    law = StyleGaitLaw.from_style(style, character, task.gravity)
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
        pendulum=CartPendulum(com_height, 0.3, task.gravity, 1 / 30),
        path=task.path,
    )
