"""The speed at which a body reaches the end of its path when the clip ends."""

from __future__ import annotations

from dataclasses import replace

from scipy.optimize import brentq

from ...errors import TaskError
from ...sketch.course.desired_motion import compute_clip_distance
from ...task import Pace, Task
from .character import load_task_character
from .scaling import to_human_scale

# Time for the body to come to rest at the end of the path [s]: the last step, in which the other
# foot comes beside the first.
SETTLING_TIME = 0.5
# Distance from the end of the path that counts as arrived [m].
ARRIVAL_TOLERANCE = 0.01
# Range of the speed that is searched [m/s]: from a creep to the fastest human sprint.
MIN_ARRIVAL_SPEED = 0.05
MAX_ARRIVAL_SPEED = 12.0
# Interval of the samples of the course [s], a fifteenth of a step.
SAMPLE_INTERVAL = 1 / 30


def with_arrival_speed(task: Task, pace: Pace) -> Task:
    """Return the task at the speed at which its body halts at the end of the path in time.

    The time for starting, stopping, turns and slopes is that of the course planned for the body.

    Args:
        pace: shares of the speed along the path, and waits.

    Raises:
        TaskError: the body cannot arrive in time.
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
            f"A path of {task.path.length:.1f} m is too long for {task.seconds:.1f} s: "
            "starting, stopping, turns and waits take time. Make the path shorter, the clip "
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
