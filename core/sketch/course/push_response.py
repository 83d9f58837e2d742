"""A course that goes on from where a push, or a foot that could not be set down where it
should, has brought the body.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...task import Task
from .course import Course, simulate_pendulum
from .pendulum import CartPendulum, PendulumPath

Array = NDArray[np.float64]

# s after its strike, for which a foot that was set down elsewhere is all that there is to stand on
SINGLE_SUPPORT_TIME = 0.25


def redirect_after_push(
    course: Course,
    task: Task,
    pendulum: CartPendulum,
    time: float,
    position_change: Array,
    velocity_change: Array,
    hold_time: float = 0.0,
    later_velocity_gain: Callable[[Array], Array] | None = None,
) -> Course:
    """The same wishes for a body that from a time on is elsewhere and moves
    otherwise than the pendulum did.

    The cart stays where it was; the pendulum is put over it so that its centre of mass is where the
    body's is. The cart goes on as it would have for as long as no foot can come down elsewhere;
    from there the pendulum finds its balance. Before that time the new pendulum came straight on.

    Args:
        position_change: (2,) from where the pendulum was to where the body is, m.
        velocity_change: (2,) the same of the velocity, m/s.
        hold_time: s for which the cart goes on as before.
        later_velocity_gain: gives the velocity (n, 2), m/s, that will have come on
            top of that at times (n,).
    """
    old_path = course.pendulum
    dt = pendulum.dt
    first = _find_sample(course, time)
    start_time = np.array(course.time[first])
    com = old_path.sample(start_time, "com") + position_change
    velocity = old_path.sample(start_time, "velocity") + velocity_change
    cart_velocity = (old_path.cart[first + 1] - old_path.cart[first]) / dt
    velocity_steps = (
        None
        if later_velocity_gain is None
        else np.diff(later_velocity_gain(course.time[first:]), axis=0)
    )
    new_path = _simulate_from_sample(
        course,
        task,
        pendulum,
        first=first,
        state=pendulum.make_state(old_path.cart[first], cart_velocity, com, velocity),
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
    course: Course,
    task: Task,
    pendulum: CartPendulum,
    strike: float,
    mid_contact_time: float,
    foot_offset: Array,
    heading: float,
) -> Course:
    """The same for a body whose foot is set down beside the place that the cart has for it.

    The body then leans farther out over its foot than it would have,
    and has to go farther with the next one.

    Args:
        strike: at which the foot comes down, s.
        mid_contact_time: at which the cart would have been over its place, s.
        foot_offset: (2,) from there to where it is set down, m.
        heading: of the body, rad.
    """
    old_path = course.pendulum
    dt = pendulum.dt
    first = _find_sample(course, strike)
    start_time = np.array(course.time[first])
    com = old_path.sample(start_time, "com")
    velocity = old_path.sample(start_time, "velocity")
    forward = np.array([np.cos(heading), np.sin(heading)])
    cart_velocity = (velocity @ forward) * forward
    count = min(int(SINGLE_SUPPORT_TIME / dt) + 1, len(course.time) - first)
    prescribed_cart = (
        old_path.sample(np.array(mid_contact_time), "cart")
        + foot_offset
        + (start_time + dt * np.arange(count) - mid_contact_time)[:, None] * cart_velocity
    )
    new_path = _simulate_from_sample(
        course,
        task,
        pendulum,
        first=first,
        state=pendulum.make_state(prescribed_cart[0], cart_velocity, com, velocity),
        prescribed_cart=prescribed_cart,
        velocity_steps=None,
    )
    return _splice_course(course, old_path, new_path, first)


def _find_sample(course: Course, time: float) -> int:
    dt = course.time[1] - course.time[0]
    return min(int((time - course.time[0]) / dt + 1e-6), len(course.time) - 2)


def _simulate_from_sample(
    course: Course,
    task: Task,
    pendulum: CartPendulum,
    first: int,
    state: Array,
    prescribed_cart: Array,
    velocity_steps: Array | None,
) -> PendulumPath:
    """The pendulum's way from a sample on."""
    lookahead = int(round(pendulum.velocity_lag / pendulum.dt))
    target_velocities = np.concatenate(
        [course.target_velocity[first:], np.tile(course.target_velocity[-1], (lookahead + 1, 1))]
    )
    return simulate_pendulum(
        pendulum,
        state,
        task.path.position_at(course.distance[first:]),
        target_velocities=target_velocities,
        sample_count=len(course.time) - first,
        lookahead=lookahead,
        prescribed_cart=prescribed_cart,
        velocity_steps=velocity_steps,
    )


def _splice_course(
    course: Course, past_path: PendulumPath, new_path: PendulumPath, first: int
) -> Course:
    """The course along one way up to a sample and along a new one from there on."""
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
