"""The gait of the next step along a course."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...task import Task
from ..course.course import Course
from ..gait.gait import Gait, StyleGaitLaw


@dataclass(frozen=True)
class RecoveryParameters:
    """Steps of a body that was pushed."""

    # Highest speed that sets the cadence of a walk, as a share of the speed at which its style
    # starts to run: a walk that was pushed remains a walk. tuned: halved or doubled, legs of a
    # pushed body are 9.7 degrees from the style instead of 7.5
    max_walk_speed_share: float = 0.97
    # Reduction of the step time per change of velocity, as a share per unit of sqrt(g l). tuned:
    # halved, a pushed body leaves its plan (6.5 % of the frames relaxed)
    step_time_gain: float = 1.6
    # Least step time, as a share of the usual one. tuned: halved, pops of a pushed body are
    # 17 degrees instead of 11; doubled, its plan is off by 0.037 body weights instead of 0.021
    min_step_time_ratio: float = 0.65


RECOVERY = RecoveryParameters()

# Times after the given one whose mean speed sets the length of the step [s]: the swing that follows
SPEED_TIMES = np.array([0.2, 0.6])
# Times around it whose highest speed sets the cadence [s]
CADENCE_TIMES = np.linspace(-1.2, 1.0, 9)
# Time after it at which the foot lands, in the middle of `SPEED_TIMES`: that of stride, step width,
# slope and facing [s]
LANDING_TIME = 0.4
# Times after it whose largest change of velocity by a push makes the step quicker [s]
RECOVERY_TIMES = np.linspace(0.0, 0.6, 7)


def choose_step_gait(task: Task, gait_law: StyleGaitLaw, course: Course, time: float) -> Gait:
    """Return the gait of the step after a time [s].

    The speed right after this time sets the length of the step, and the highest speed around it
    sets the cadence. After a push, steps are quicker.
    """
    forward_speeds = np.interp(time + SPEED_TIMES, course.time, course.forward_speed)
    nearby_times = time + CADENCE_TIMES
    max_speed, cadence_speed = (
        float(np.interp(nearby_times, course.time, values).max())
        for values in (course.speed, course.cadence_speed)
    )
    max_walk_speed = (
        RECOVERY.max_walk_speed_share * gait_law.style.change_speed * gait_law.unit_speed
    )
    if max_speed < max_walk_speed:
        cadence_speed = min(cadence_speed, max_walk_speed)
    stride_profile = task.stride_length
    gait = gait_law.gait_at(
        float(forward_speeds.mean()),
        cadence_speed=cadence_speed,
        stride_length=None
        if stride_profile is None
        else float(stride_profile.value_at(time + LANDING_TIME)),
        width_factor=float(task.step_width_factor.value_at(time + LANDING_TIME)),
        slope=float(np.interp(time + LANDING_TIME, course.time, course.slope)),
    )
    gait = gait.with_facing_offset(float(course.facing_offset_at(time + LANDING_TIME)))
    if course.velocity_deviation is None:
        return gait
    relative_deviation = (
        float(np.interp(time + RECOVERY_TIMES, course.time, course.velocity_deviation).max())
        / gait_law.unit_speed
    )
    desired_stride_time = (
        max(1 - RECOVERY.step_time_gain * relative_deviation, RECOVERY.min_step_time_ratio)
        * gait_law.gait_at(max_speed).stride_time
    )
    return gait.with_step_time_ratio(min(desired_stride_time / gait.stride_time, 1.0))
