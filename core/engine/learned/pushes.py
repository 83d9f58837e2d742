"""Courses and forces of bodies that are pushed.

A push changes the course of the pendulum, from which footsteps and prediction follow. What it does
to the body within a step is not learned.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...plan.external import ExternalForce
from ...sketch.course.course import Course
from ...sketch.course.pendulum import CartPendulum
from ...sketch.course.push_response import StateChange, redirect_after_push
from ...sketch.sketch import Sketch, resketch_after_push
from ...task import Push, Task
from ..centroidal.body import PlannedBody

Array = NDArray[np.float64]


def sort_pushes(task: Task) -> list[Push]:
    """Return the pushes of a task in order of time."""
    return sorted(task.pushes, key=lambda push: push.time)


def push_course(
    course: Course, task: Task, planned_body: PlannedBody, pendulum: CartPendulum
) -> Course:
    """Return the course of a body that is pushed as a task has it.

    Args:
        course: course without pushes.
        task: task at human scale.
        planned_body: the body.
        pendulum: pendulum of the course.
    """
    for push in sort_pushes(task):
        change = predict_change(push, task, planned_body)
        pushed = redirect_after_push(course, task, pendulum, change)
        course = _keep_past(pushed, course, change.time)
    return course


def push_sketch(sketch: Sketch, task: Task, planned_body: PlannedBody) -> Sketch:
    """Return the sketch of a walk that is pushed as a task has it."""
    for push in sort_pushes(task):
        change = predict_change(push, task, planned_body)
        pushed = resketch_after_push(sketch, task, planned_body.character, change)
        sketch = replace(pushed, course=_keep_past(pushed.course, sketch.course, change.time))
    return sketch


def predict_change(push: Push, task: Task, planned_body: PlannedBody) -> StateChange:
    """Return the velocity that a body gains by a push, from its begin on."""
    weight = planned_body.character.mass * task.gravity
    force = ExternalForce(
        push.time, push.end, np.asarray(push.force) / weight, arm=lambda t: np.zeros((len(t), 3))
    )

    def compute_gain(times: Array) -> Array:
        impulse = force.integrate_force(times, push.time).integral[:, :2]
        return np.asarray(task.gravity * impulse)

    return StateChange(max(push.time, 0.0), np.zeros(2), np.zeros(2), compute_gain)


def sum_forces(forces: tuple[ExternalForce, ...], times: Array) -> Array:
    """Return the sum of forces at n times [body weights], shape (n, 3)."""
    return sum((force.force_at(times) for force in forces), np.zeros((len(times), 3)))


def sum_torques(forces: tuple[ExternalForce, ...], times: Array) -> Array:
    """Return the moment of forces about the center of mass [body weights m], shape (n, 3)."""
    return sum((force.torque_at(times) for force in forces), np.zeros((len(times), 3)))


def _keep_past(pushed: Course, course: Course, time: float) -> Course:
    """Return a pushed course whose pendulum moves as before until the push."""
    is_past = (course.time < time)[:, None]
    past = course.pendulum
    later = pushed.pendulum
    return replace(
        pushed,
        pendulum=replace(
            later,
            com=np.where(is_past, past.com, later.com),
            velocity=np.where(is_past, past.velocity, later.velocity),
        ),
    )
