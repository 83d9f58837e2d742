"""A course that goes on from where a push, or a foot that could not be set down where it should, has brought the body."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...task import Task
from .course import Course, roll
from .pendulum import Pendulum, PendulumPath

Array = NDArray[np.float64]

HELD_ON = 0.25        # s after its strike, for which a foot that was set down elsewhere is all that there is to stand on


def diverted(course: Course, task: Task, pendulum: Pendulum, time: float, moved: Array, pushed: Array, held: float = 0.0,
             shoved: Callable[[Array], Array] | None = None) -> Course:
    """The same wishes for a body that from a time on is elsewhere and moves otherwise than the pendulum did.

    The cart stays where it was; the pendulum is put over it so that its centre of mass is where the body's is. The cart goes
    on as it would have for as long as no foot can come down elsewhere; from there the pendulum finds its balance. Before
    that time the new pendulum came straight on.

    Args:
        moved: (2,) from where the pendulum was to where the body is, m.
        pushed: (2,) the same of the velocity, m/s.
        held: s for which the cart goes on as before.
        shoved: gives the velocity (n, 2), m/s, that will have come on top of that at times (n,).
    """
    old, dt = course.pendulum, pendulum.dt
    first = _sample_at(course, time)
    at = np.array(course.time[first])
    com, velocity = old.at(at, "com") + moved, old.at(at, "velocity") + pushed
    pace = (old.cart[first + 1] - old.cart[first]) / dt
    shoves = None if shoved is None else np.diff(shoved(course.time[first:]), axis=0)
    new = _rolled(course, task, pendulum, first, pendulum.state(old.cart[first], pace, com, velocity),
                  old.cart[first:first + int(held / dt) + 1], shoves)
    since = (course.time[:first] - at)[:, None]
    straight = PendulumPath(course.time, old.cart, com + since * velocity, np.tile(velocity, (len(course.time), 1)), old.force)
    return _joined(course, straight, new, first)


def stood_elsewhere(course: Course, task: Task, pendulum: Pendulum, strike: float, middle: float, aside: Array,
                    heading: float) -> Course:
    """The same for a body whose foot is set down beside the place that the cart has for it.

    The body then leans farther out over its foot than it would have, and has to go farther with the next one.

    Args:
        strike: at which the foot comes down, s.
        middle: at which the cart would have been over its place, s.
        aside: (2,) from there to where it is set down, m.
        heading: of the body, rad.
    """
    old, dt = course.pendulum, pendulum.dt
    first = _sample_at(course, strike)
    at = np.array(course.time[first])
    com, velocity = old.at(at, "com"), old.at(at, "velocity")
    ahead = np.array([np.cos(heading), np.sin(heading)])
    pace = (velocity @ ahead) * ahead
    count = min(int(HELD_ON / dt) + 1, len(course.time) - first)
    led = old.at(np.array(middle), "cart") + aside + (at + dt * np.arange(count) - middle)[:, None] * pace
    new = _rolled(course, task, pendulum, first, pendulum.state(led[0], pace, com, velocity), led, None)
    return _joined(course, old, new, first)


def _sample_at(course: Course, time: float) -> int:
    dt = course.time[1] - course.time[0]
    return min(int((time - course.time[0]) / dt + 1e-6), len(course.time) - 2)


def _rolled(course: Course, task: Task, pendulum: Pendulum, first: int, state: Array, led: Array,
            shoves: Array | None) -> PendulumPath:
    """The pendulum's way from a sample on."""
    ahead = int(round(pendulum.lag / pendulum.dt))
    goal = np.concatenate([course.goal[first:], np.tile(course.goal[-1], (ahead + 1, 1))])
    return roll(pendulum, state, task.path.position(course.distance[first:]), goal, len(course.time) - first, ahead, led, shoves)


def _joined(course: Course, before: PendulumPath, new: PendulumPath, first: int) -> Course:
    """The course along one way up to a sample and along a new one from there on."""
    joined = PendulumPath(course.time, *(np.concatenate([getattr(before, name)[:first], getattr(new, name)])
                                         for name in ("cart", "com", "velocity", "force")))
    later = np.arange(len(course.time)) >= first
    quickest = np.maximum(course.pace, np.where(later, np.linalg.norm(joined.velocity, axis=1), 0.0))
    way = course.facing - course.turned
    ahead_of = np.stack([np.cos(way), np.sin(way)], -1)
    onward = np.where(later, (joined.velocity * ahead_of).sum(1), course.onward)
    off = np.where(later, np.linalg.norm(joined.velocity - course.goal, axis=1), 0.0 if course.off is None else course.off)
    return replace(course, pendulum=joined, pace=quickest, onward=onward, off=off)
