"""The line midway between the feet, which footsteps are sampled from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...task import Path
from ..course.course import Course

Array = NDArray[np.float64]

# Speed below which the line passes over to the place of rest, v / sqrt(g l)
RESTING_SPEED = 0.12


@dataclass(frozen=True)
class LinePoints:
    """Places and headings of the body at some times.

    Args:
        position: (..., 2) [m].
        heading: (...,) [rad].
    """

    position: Array
    heading: Array


@dataclass(frozen=True)
class MiddleLine:
    """The middle line of a course: the path of the cart, which ends at the place of any rest.

    Args:
        course: course of the body.
        path: path that the course follows.
        unit_speed: speed at Froude number 1 [m/s].
    """

    course: Course
    path: Path
    unit_speed: float

    @cached_property
    def _cumulative_effort(self) -> Array:
        """Integral of the squared force on the cart up to each sample. (n,)."""
        pendulum_path = self.course.pendulum
        force = np.concatenate(
            [
                [0.0],
                np.cumsum(
                    (pendulum_path.force**2).sum(1)
                    * (pendulum_path.time[1] - pendulum_path.time[0])
                ),
            ]
        )
        return force[:-1]

    @cached_property
    def _has_rest(self) -> bool:
        """Whether the body rests at any time of its course."""
        return bool(self.course.speed.min() < RESTING_SPEED * self.unit_speed)

    def effort_until(self, times: Array) -> Array:
        """Return the integral of the squared cart force up to any times. (...,) -> (...,)."""
        return np.asarray(np.interp(times, self.course.time, self._cumulative_effort))

    def sample(self, times: Array) -> LinePoints:
        """Return places and headings of the line. (...,)."""
        course = self.course
        line = course.pendulum.sample(times, "cart")
        if self._has_rest:
            cart_share = np.clip(
                np.interp(times, course.time, course.speed) / (RESTING_SPEED * self.unit_speed),
                0,
                1,
            )[..., None]
            target = self.path.position_at(np.interp(times, course.time, course.distance))
            line = cart_share * line + (1 - cart_share) * target
        elapsed = times - course.time[0]
        if np.min(elapsed) < 0:  # before the clip the body moved straight at a constant speed
            line = np.where(
                (elapsed < 0)[..., None],
                course.pendulum.cart[0] + elapsed[..., None] * course.target_velocity[0],
                line,
            )
        return LinePoints(line, np.interp(times, course.time, course.facing))

    def sample_at(self, time: float) -> LinePoints:
        """Return the place (2,) and heading () of the line at a single time [s]."""
        points = self.sample(np.array([time]))
        return LinePoints(points.position[0], points.heading[0])
