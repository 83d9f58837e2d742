"""Courses that continue after a push or after a footstep beside its planned place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...task import Task
from .course import Course
from .pendulum import CartPendulum, PendulumPath
from .tracking import PendulumTargets, simulate_pendulum

Array = NDArray[np.float64]

# Time after its strike for which a displaced foot is the only support [s], that of a quick human
# step. Half or twice of it moves a pushed body by 8 cm
SINGLE_SUPPORT_TIME = 0.25


@dataclass(frozen=True)
class StateChange:
    """Sudden deviation of a body from its course.

    Args:
        time: time of the deviation [s].
        position: (2,) from the pendulum to the body [m].
        velocity: (2,) velocity of the body relative to the pendulum [m/s].
        later_velocity_gain: returns for times (n,) the velocity (n, 2) that the body will have
            gained in addition by then [m/s]; None for no gain.
    """

    time: float
    position: Array
    velocity: Array
    later_velocity_gain: Callable[[Array], Array] | None = None


@dataclass(frozen=True)
class DisplacedStep:
    """A footstep beside the place that the cart has for it.

    Args:
        strike: time at which the foot comes down [s].
        mid_contact_time: time at which the cart would have been over its place [s].
        offset: (2,) from there to the place of the foot [m].
        heading: heading of the body [rad].
    """

    strike: float
    mid_contact_time: float
    offset: Array
    heading: float


def redirect_after_push(
    course: Course,
    task: Task,
    pendulum: CartPendulum,
    change: StateChange,
    hold_time: float = 0.0,
) -> Course:
    """Return the course of a body that has suddenly deviated from it.

    The cart stays in place, and the pendulum is set so that its center of mass is that of the body.
    While no foot can come down at another place, the cart moves on as planned; then the feedback
    regains the balance. Before the deviation the new pendulum has a constant velocity.

    Args:
        hold_time: duration for which the cart moves on as planned [s].
    """
    old_path = course.pendulum
    dt = pendulum.dt
    first = _find_sample(course, change.time)
    start_time = np.array(course.time[first])
    com = old_path.sample(start_time, "com") + change.position
    velocity = old_path.sample(start_time, "velocity") + change.velocity
    cart_velocity = (old_path.cart[first + 1] - old_path.cart[first]) / dt
    velocity_steps = (
        None
        if change.later_velocity_gain is None
        else np.diff(change.later_velocity_gain(course.time[first:]), axis=0)
    )
    new_path = simulate_pendulum(
        pendulum,
        pendulum.make_state(old_path.cart[first], cart_velocity, com, velocity),
        _build_targets(course, task, pendulum, first),
        len(course.time) - first,
        prescribed_cart=old_path.cart[first : first + int(hold_time / dt) + 1],
        velocity_steps=velocity_steps,
    )
    time_offset = (course.time[:first] - start_time)[:, None]
    past_path = PendulumPath(
        course.time,
        old_path.cart,
        com + time_offset * velocity,
        velocity=np.tile(velocity, (len(course.time), 1)),
        force=old_path.force,
    )
    return _splice_course(course, past_path, new_path, first)


def redirect_after_step(
    course: Course, task: Task, pendulum: CartPendulum, step: DisplacedStep
) -> Course:
    """Return the course of a body whose foot comes down beside its planned place.

    The body then leans farther out over its foot and has to move farther with the next one.
    """
    old_path = course.pendulum
    dt = pendulum.dt
    first = _find_sample(course, step.strike)
    start_time = np.array(course.time[first])
    com = old_path.sample(start_time, "com")
    velocity = old_path.sample(start_time, "velocity")
    forward = np.array([np.cos(step.heading), np.sin(step.heading)])
    cart_velocity = (velocity @ forward) * forward
    count = min(int(SINGLE_SUPPORT_TIME / dt) + 1, len(course.time) - first)
    prescribed_cart = (
        old_path.sample(np.array(step.mid_contact_time), "cart")
        + step.offset
        + (start_time + dt * np.arange(count) - step.mid_contact_time)[:, None] * cart_velocity
    )
    new_path = simulate_pendulum(
        pendulum,
        pendulum.make_state(prescribed_cart[0], cart_velocity, com, velocity),
        _build_targets(course, task, pendulum, first),
        len(course.time) - first,
        prescribed_cart=prescribed_cart,
    )
    return _splice_course(course, old_path, new_path, first)


def _find_sample(course: Course, time: float) -> int:
    """Return the index of the last sample not later than a time [s]."""
    dt = course.time[1] - course.time[0]
    return min(int((time - course.time[0]) / dt + 1e-6), len(course.time) - 2)


def _build_targets(
    course: Course, task: Task, pendulum: CartPendulum, first: int
) -> PendulumTargets:
    """Return the desired trajectory of the pendulum from the sample `first` on."""
    lookahead = int(round(pendulum.velocity_lag / pendulum.dt))
    return PendulumTargets(
        task.path.position_at(course.distance[first:]),
        np.concatenate(
            [
                course.target_velocity[first:],
                np.tile(course.target_velocity[-1], (lookahead + 1, 1)),
            ]
        ),
        lookahead,
    )


def _splice_course(
    course: Course, past_path: PendulumPath, new_path: PendulumPath, first: int
) -> Course:
    """Return the course that changes from one pendulum path to another at the sample `first`."""
    spliced = PendulumPath(
        course.time,
        *(
            np.concatenate([getattr(past_path, name)[:first], getattr(new_path, name)])
            for name in ("cart", "com", "velocity", "force")
        ),
    )
    is_after = np.arange(len(course.time)) >= first
    cadence_speed = np.maximum(
        course.cadence_speed, np.where(is_after, np.linalg.norm(spliced.velocity, axis=1), 0.0)
    )
    travel_heading = course.facing - course.facing_offset
    travel_direction = np.stack([np.cos(travel_heading), np.sin(travel_heading)], -1)
    forward_speed = np.where(
        is_after, (spliced.velocity * travel_direction).sum(1), course.forward_speed
    )
    velocity_deviation = np.where(
        is_after,
        np.linalg.norm(spliced.velocity - course.target_velocity, axis=1),
        0.0 if course.velocity_deviation is None else course.velocity_deviation,
    )
    return replace(
        course,
        pendulum=spliced,
        cadence_speed=cadence_speed,
        forward_speed=forward_speed,
        velocity_deviation=velocity_deviation,
    )
