"""The line midway between the feet, and targets of footsteps beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.footstep import Footstep
from ...task import Path, PinnedStep
from ..course.course import Course
from ..course.pendulum import PendulumPath
from ..gait.gait import Gait
from ..placement.leg_crossing import avoid_crossing
from ..placement.sole import FootTarget

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


# Distance past the capture point at which a recovery step comes down, as in a walk [m]
CAPTURE_POINT_MARGIN = 0.02


def make_nominal_target(line_point: LinePoints, side: int, gait: Gait) -> FootTarget:
    """Return the target of a foot beside the middle line.

    Source: the foot offset of Kwon et al. 2020, appendix C.1.

    Args:
        line_point: place (2,) and heading () of the middle line.
        side: 1 for a left foot, -1 for a right one.
    """
    heading = float(line_point.heading)
    forward = np.array([np.cos(heading), np.sin(heading)])
    place = (
        line_point.position
        + side * gait.half_width * np.array([-forward[1], forward[0]])
        - gait.backward_offset * forward
    )
    return FootTarget(place, heading, side * gait.toe_out, side)


def make_pinned_target(pinned_step: PinnedStep, nominal: FootTarget) -> FootTarget:
    """Return the target of a pinned footstep, which may leave its heading open."""
    heading = (
        nominal.heading if pinned_step.heading is None else pinned_step.heading - nominal.toe_out
    )
    return replace(nominal, xy=np.array(pinned_step.position), heading=heading)


def move_to_capture_point(
    target: FootTarget,
    pendulum_path: PendulumPath,
    divergence_rate: float,
    strike: float,
    other_step: Footstep,
) -> FootTarget:
    """Return a target moved outward to the capture point, with its leg clear of the other leg.

    Otherwise the body would fall outward past the foot, and the next foot could follow only by
    crossing this one. Source: Pratt et al. 2006.

    Args:
        divergence_rate: rate at which the lean of the pendulum grows [1/s].
        strike: time at which the foot comes down [s].
        other_step: footstep of the other leg.
    """
    strike_time = np.array(strike)
    capture_point = (
        pendulum_path.sample(strike_time, "com")
        + pendulum_path.sample(strike_time, "velocity") / divergence_rate
    )
    outward_distance = target.side * float((capture_point - target.xy) @ target.left)
    place = (
        target.xy + target.side * max(outward_distance + CAPTURE_POINT_MARGIN, 0.0) * target.left
    )
    return replace(target, xy=avoid_crossing(place, target.heading, target.side, other_step))
