"""Check of the ground along the path before anything is planned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import PlanningError
from ...task import Task
from ...terrain.ground import sample_normals

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroundLimits:
    """Ground that no legs can follow, and on which feet slip.

    Args:
        max_rise: greatest difference of height within `stretch` [leg lengths]. Tuned: plans over
            more diverge at every speed; `test_passable_ground`.
        stretch: distance along the path within which heights are compared [leg lengths]; a step
            of a walk.
        min_step_share: share of a difference of height between two samples above which it is a step
            instead of a slope: more than half of it is at one place.
        sample_interval: distance between two samples of the ground [leg lengths]. Numerical: a
            fifth of a human foot.
        slip_stretch: distance along the path over which the median slope is compared with the
            friction [leg lengths]; a stride of a walk. Feet choose the treads of stairs and the
            sides of bumps.
        slope_interval: distance between two samples of the slope [leg lengths]. Numerical: a third
            of a human foot.
        foot_half_width: half the width over which a foot averages the slope [leg lengths], that of
            a human foot.
    """

    max_rise: float = 1.0
    stretch: float = 1.0
    min_step_share: float = 0.5
    sample_interval: float = 0.05
    slip_stretch: float = 1.6
    slope_interval: float = 0.1
    foot_half_width: float = 0.05


GROUND_LIMITS = GroundLimits()


def check_passable_ground(task: Task, leg_length: float, friction_share: float = 1.0) -> None:
    """Check that legs can follow the ground on the part of the path that the body reaches.

    Ground that ends, such as a gap, is not judged.

    Args:
        leg_length: length of the legs [m].
        friction_share: share of the friction that feet can use.

    Raises:
        PlanningError: there is a cliff, a slope that is too steep, or one on which feet slip; with
            its time and place.
    """
    times, reached = _integrate_speed(task)
    course = _ReachedPath(task, leg_length, times, reached)
    _check_rises(course)
    _check_slip(course, friction_share)


@dataclass(frozen=True)
class _ReachedPath:
    """The part of a path that a body reaches.

    Args:
        leg_length: length of the legs [m].
        times: (n,) of the clip [s].
        reached: (n,) distances that the body has then covered [m].
    """

    task: Task
    leg_length: float
    times: Array
    reached: Array

    def list_stations(self, interval: float) -> Array:
        """Return distances along the path at an interval [leg lengths] from its start on [m]."""
        step = interval * self.leg_length
        return np.arange(0.0, min(self.task.path.length, self.reached[-1]) + 0.5 * step, step)

    def make_error(self, problem: str, station: float, advice: str) -> PlanningError:
        """Return the error of a problem at a distance along the path [m]."""
        x, y = self.task.path.position_at(station)
        time = float(np.interp(station, self.reached, self.times))
        return PlanningError(
            f"{problem} at ({x:.2f}, {y:.2f}) m, which the body reaches at {time:.2f} s, and "
            f"{advice}, or end the clip before it.",
            time,
            (float(x), float(y)),
        )


def _check_rises(course: _ReachedPath) -> None:
    """Raise the error of ground that rises or drops by too much within a step."""
    limits = GROUND_LIMITS
    stations = course.list_stations(limits.sample_interval)
    heights = course.task.ground.sample_heights(course.task.path.position_at(stations))
    window = max(round(limits.stretch / limits.sample_interval), 1)
    rises = heights[window:] - heights[:-window]  # not a number where ground is missing
    too_high = np.flatnonzero(np.abs(rises) > limits.max_rise * course.leg_length)
    if not len(too_high):
        return
    within = heights[too_high[0] : too_high[0] + window + 1]
    edge = too_high[0] + int(np.argmax(np.abs(np.diff(within))))
    raise course.make_error(
        _describe_rise(within, limits.stretch * course.leg_length),
        float(stations[edge]),
        f"legs of {course.leg_length:.2f} m cannot follow. Lead the path around it, make it lower",
    )


def _check_slip(course: _ReachedPath, friction_share: float) -> None:
    """Raise the error of ground on which a body slides down.

    Missing ground counts as level.
    """
    limits = GROUND_LIMITS
    task = course.task
    half = round(0.5 * limits.slip_stretch / limits.slope_interval)
    stations = course.list_stations(limits.slope_interval)
    step = limits.slope_interval * course.leg_length
    around = step * np.arange(-half, len(stations) + half)
    places = task.path.position_at(around)
    normals = sample_normals(task.ground, places, limits.foot_half_width * course.leg_length)
    gradients = np.nan_to_num(normals[:, :2] / normals[:, 2:])
    stretches = np.lib.stride_tricks.sliding_window_view(gradients, 2 * half + 1, axis=0)
    slopes = np.linalg.norm(np.median(stretches, axis=-1), axis=-1)
    usable = friction_share * task.friction
    too_steep = np.flatnonzero(slopes > usable)
    if not len(too_steep):
        return
    first = too_steep[0]
    angle, steepest = (np.degrees(np.arctan(slope)) for slope in (slopes[first], usable))
    raise course.make_error(
        f"The ground slopes by {angle:.0f} degrees",
        float(stations[first]),
        f"feet slip on slopes of more than {steepest:.0f} degrees with a friction of "
        f"{task.friction:g}. Lead the path around it, make it less steep, raise the friction",
    )


def _describe_rise(heights: Array, stretch: float) -> str:
    """Return the rise or the drop between the first and the last of some heights in words.

    Args:
        heights: (n,) along a stretch of the path [m].
        stretch: its length [m].
    """
    rise = heights[-1] - heights[0]
    verb = "rises" if rise > 0 else "drops"
    if np.abs(np.diff(heights)).max() > GROUND_LIMITS.min_step_share * abs(rise):
        return f"The ground {verb} by {abs(rise):.2f} m in one step"
    interval = stretch / (len(heights) - 1)
    angle = np.degrees(np.arctan(np.abs(np.diff(heights)).max() / interval))
    return f"The ground {verb} by {abs(rise):.2f} m within {stretch:.2f} m ({angle:.0f} degrees)"


def _integrate_speed(task: Task) -> tuple[Array, Array]:
    """Return times of the clip (n,) [s], and the distances that the body has then covered [m]."""
    times = np.linspace(0.0, task.seconds, max(int(task.seconds * 20), 2))
    speeds = np.asarray(task.speed.value_at(times), float)
    steps = 0.5 * (speeds[1:] + speeds[:-1]) * np.diff(times)
    return times, np.concatenate([[0.0], np.cumsum(steps)])
