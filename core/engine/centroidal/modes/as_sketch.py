"""Courses that no pendulum on a cart has led, told as a sketch of steps is."""
from __future__ import annotations

import numpy as np

from ....character.character import Character
from ....clip.style.style import Style
from ....motion.footstep import Footstep
from ....plan.reference import DT, PlanReference
from ....sketch.course.course import Course
from ....sketch.course.pendulum import Pendulum, PendulumPath
from ....sketch.footsteps.timing import Step
from ....sketch.gait.gait import GaitLaw
from ....sketch.sketch import Sketch
from ....task import Task


def told_as_sketch(task: Task, character: Character, style: Style, reference: PlanReference, contacts: list[Footstep],
                   height: float) -> Sketch:
    """A sketch whose course is that of a reference.

    Args:
        contacts: planned beforehand, in order.
        height: of the centre of mass over what bears it, or under it, m.
    """
    law = GaitLaw.of(style, character, task.gravity)
    gait = law.at(0.0)
    time, com = reference.time, reference.com
    velocity = np.gradient(com[:, :2], DT, axis=0)
    speed, zero = np.linalg.norm(velocity, axis=1), np.zeros(len(time))
    pendulum = PendulumPath(time, com[:, :2], com[:, :2], velocity, np.zeros((len(time), 2)))
    distance = np.concatenate([[0.0], np.cumsum(speed[1:] * DT)])
    course = Course(time, distance, speed, velocity, reference.yaw, zero, speed, speed, pendulum, zero)
    steps = tuple(Step(f, f.time, gait, standing=True) for f in contacts)
    return Sketch(course, steps, task.seconds, law, Pendulum(height, 0.3, task.gravity, 1 / 30), task.path)
