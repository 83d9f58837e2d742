"""The speed of somebody who is to stand at the end of the way when the clip ends."""
from __future__ import annotations

from dataclasses import replace

from scipy.optimize import brentq

from ...errors import TaskError
from ...sketch.course.course import distance_gone
from ...task import Pace, Task
from .character import body_of
from .scaling import to_human_scale

SETTLING = 0.5        # s that the body takes to stand once its way is over
NEAR = 0.01           # m before the end of the way, from which on it is there
SLOWEST, FASTEST = 0.05, 12.0      # m/s
DT = 1 / 30           # s between two samples of the way


def arriving(task: Task, pace: Pace) -> Task:
    """The task at the speed at which its body has come to a halt at the path's end when the clip ends.

    Starting, stopping, turns and slopes take the time that they take on the course that is planned for the body.

    Args:
        pace: how the speed goes over places and waits.

    Raises:
        TaskError: it cannot get there in time.
    """
    character = body_of(task)
    ends = replace(task, seconds=max(task.seconds - SETTLING, 0.1))

    def missing(speed: float) -> float:
        own, body, scale = to_human_scale(replace(ends, speed=pace.at(speed)), character)
        return distance_gone(own, body.leg_length, DT / scale.time) - own.path.length + NEAR / scale.length

    if missing(FASTEST) < 0:
        raise TaskError(f"Nobody gets over a path of {task.path.length:.1f} m in {task.seconds:.1f} s: starting, stopping, turns "
                        "and waits take their time. Make the path shorter, the clip longer, or the waits fewer.")
    if missing(SLOWEST) >= 0:
        return replace(task, speed=pace.at(SLOWEST))
    return replace(task, speed=pace.at(float(brentq(missing, SLOWEST, FASTEST, xtol=1e-3))))
