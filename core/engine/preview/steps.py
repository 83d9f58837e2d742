"""Length and duration of the steps in the goals of previews, by gait and speed.

Source of the walk: Mordatch, de Lasa, Hertzmann 2010, table 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .path_view import PathView


@dataclass(frozen=True)
class SteppingParameters:
    """Steps by gait and speed.

    The optimum of a preview does not reach the goals exactly. The factors of length and time make
    the steps of the body as long as they should be.
    """

    # Speed below which a body stands [m/s].
    standing_speed: float = 0.15

    # Step length of a walk at the reference speed [m] (table 1).
    walk_length: float = 0.75
    # Reference speed of a walk [m/s] (table 1).
    walk_speed: float = 1.25
    # Exponent of the speed in the step length of a walk [1]; the rest is cadence. People change
    # both about as much.
    walk_length_exponent: float = 0.55
    # Factor of the step length of a walk [1].
    walk_length_factor: float = 1.08
    # Longest step time of a walk [s].
    max_walk_time: float = 0.8

    # Step length of a run at the reference speed [m]. Table 1
    run_length: float = 1.05
    # Reference speed of a run [m/s]. That of table 1: 1.05 m in 0.4 s
    run_speed: float = 2.625
    # Exponent of the speed in the step length of a run [1]: people run faster by longer steps.
    run_length_exponent: float = 0.85
    # Factor of the step length of a run [1]. tuned: steps came out shorter and slower than those of
    # the goal
    run_length_factor: float = 1.25
    # Factor of the step time of a run [1].
    run_time_factor: float = 0.97

    # Duration of a hop [s], about that of a step of a run in table 1, 0.4.
    hop_time: float = 0.42
    # Factor of the length of a hop [1].
    hop_length_factor: float = 1.22
    # Factor of the duration of a hop [1].
    hop_time_factor: float = 1.05

    # Shortest single support, and shortest step time where the task gives the stride length [s]:
    # that of the swing of a fast human step.
    min_single_support_time: float = 0.25
    # Longest step time where the task gives the stride length [s], below the bounds of a preview:
    # 0.8 s of single support and 0.5 s of double support.
    max_stride_step_time: float = 1.0

    # Shortest step that rough ground, a ledge or a gap leads to [m].
    min_adapted_length: float = 0.3
    # Length of the first step out of standing on rough ground, relative to others [1].
    # tuned: a foot far ahead on a straight leg turned the body by half a radian;
    # test_preview_ledges.py
    first_step_ratio: float = 0.7


STEPS = SteppingParameters()


@dataclass(frozen=True)
class StepSize:
    """Length [m] and duration [s] of a step."""

    length: float
    time: float


def choose_step_size(view: PathView, speed: float, time: float, is_running: bool) -> StepSize:
    """Return the size of a step at a speed on level ground.

    Args:
        speed: speed of the body [m/s].
        time: time of the clip [s].
        is_running: whether the body runs.
    """
    stride_length = view.task.stride_length
    if speed < STEPS.standing_speed:
        return StepSize(0.0, STEPS.walk_length / STEPS.walk_speed)
    if stride_length is not None:
        length = 0.5 * float(stride_length.value_at(time))
        step_time = np.clip(
            length / speed, STEPS.min_single_support_time, STEPS.max_stride_step_time
        )
        return StepSize(length, float(step_time))
    if view.hop_leg is not None:
        return StepSize(
            STEPS.hop_length_factor * speed * STEPS.hop_time,
            STEPS.hop_time_factor * STEPS.hop_time,
        )
    if is_running:
        length = STEPS.run_length * (speed / STEPS.run_speed) ** STEPS.run_length_exponent
        step_time = length / speed
        return StepSize(
            STEPS.run_length_factor * speed * step_time, STEPS.run_time_factor * step_time
        )
    length = STEPS.walk_length * (speed / STEPS.walk_speed) ** STEPS.walk_length_exponent
    step_time = min(length / speed, STEPS.max_walk_time)
    return StepSize(STEPS.walk_length_factor * speed * step_time, step_time)
