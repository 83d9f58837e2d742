"""The speed of somebody who is to stand at the end of the way when the clip ends."""

from __future__ import annotations

from dataclasses import replace

from scipy.optimize import brentq

from ...errors import TaskError
from ...sketch.course.course import compute_clip_distance
from ...task import Pace, Task
from .character import load_task_character
from .scaling import to_human_scale

SETTLING_TIME = 0.5  # s that the body takes to stand once its way is over
ARRIVAL_TOLERANCE = 0.01  # m before the end of the way, from which on it is there

# m/s
MIN_ARRIVAL_SPEED = 0.05
MAX_ARRIVAL_SPEED = 12.0

SAMPLE_INTERVAL = 1 / 30  # s between two samples of the way


def with_arrival_speed(task: Task, pace: Pace) -> Task:
    """The task at the speed at which its body has come to a halt at the path's
    end when the clip ends.

    Starting, stopping, turns and slopes take the time that they take on the course that
    is planned for the body.

    Args:
        pace: how the speed goes over places and waits.

    Raises:
        TaskError: it cannot get there in time.
    """
    character = load_task_character(task)
    shortened_task = replace(task, seconds=max(task.seconds - SETTLING_TIME, 0.1))

    def compute_shortfall(speed: float) -> float:
        scaled = to_human_scale(
            replace(shortened_task, speed=pace.to_speed_profile(speed)), character
        )
        return (
            compute_clip_distance(
                scaled.task, scaled.character.leg_length, SAMPLE_INTERVAL / scaled.scale.time
            )
            - scaled.task.path.length
            + ARRIVAL_TOLERANCE / scaled.scale.length
        )

    if compute_shortfall(MAX_ARRIVAL_SPEED) < 0:
        raise TaskError(
            f"Nobody gets over a path of {task.path.length:.1f} m in {task.seconds:.1f} s: "
            "starting, stopping, turns and waits take their time. Make the path shorter, the clip "
            "longer, or the waits fewer."
        )
    if compute_shortfall(MIN_ARRIVAL_SPEED) >= 0:
        return replace(task, speed=pace.to_speed_profile(MIN_ARRIVAL_SPEED))
    return replace(
        task,
        speed=pace.to_speed_profile(
            float(brentq(compute_shortfall, MIN_ARRIVAL_SPEED, MAX_ARRIVAL_SPEED, xtol=1e-3))
        ),
    )
