"""Check of the ground along the path before anything is planned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import PlanningError
from ...task import Task

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroundLimits:
    """Ground that no legs can follow.

    Args:
        max_rise: greatest difference of height within `stretch` [leg lengths]. Tuned: plans over
            more diverge at every speed; `test_passable_ground`.
        stretch: distance along the path within which heights are compared [leg lengths]; a step
            of a walk.
        min_step_share: share of a difference of height between two samples above which it is a step
            instead of a slope.
        sample_interval: distance between two samples of the ground [leg lengths].
    """

    max_rise: float = 1.0
    stretch: float = 1.0
    min_step_share: float = 0.5
    sample_interval: float = 0.05


GROUND_LIMITS = GroundLimits()


def check_passable_ground(task: Task, leg_length: float) -> None:
    """Check that legs can follow the ground on the part of the path that the body reaches.

    Ground that ends, such as a gap, is not judged.

    Args:
        leg_length: length of the legs [m].

    Raises:
        PlanningError: there is a cliff or a slope that is too steep; with its time and place.
    """
    limits = GROUND_LIMITS
    times, reached = _integrate_speed(task)
    interval = limits.sample_interval * leg_length
    stations = np.arange(0.0, min(task.path.length, reached[-1]) + 0.5 * interval, interval)
    heights = task.ground.sample_heights(task.path.position_at(stations))
    window = max(round(limits.stretch / limits.sample_interval), 1)
    rises = heights[window:] - heights[:-window]  # not a number where ground is missing
    too_high = np.flatnonzero(np.abs(rises) > limits.max_rise * leg_length)
    if not len(too_high):
        return
    within = heights[too_high[0] : too_high[0] + window + 1]
    edge = too_high[0] + int(np.argmax(np.abs(np.diff(within))))
    place = task.path.position_at(stations[edge])
    time = float(np.interp(stations[edge], reached, times))
    raise PlanningError(
        f"{_describe_rise(within, limits.stretch * leg_length)} at ({place[0]:.2f}, "
        f"{place[1]:.2f}) m, which the body reaches at {time:.2f} s, and legs of "
        f"{leg_length:.2f} m cannot follow. Lead the path around it, make it lower, or end the "
        "clip before it.",
        time,
        (float(place[0]), float(place[1])),
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
