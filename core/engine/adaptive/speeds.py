"""Speeds that the controllers hold.

Blender reads this module when it starts, so it must not import what simulates.
"""

from __future__ import annotations

import numpy as np

from ...task import Task
from ..base import DriveSpeeds, SpeedRange
from ..shared.character import load_task_character
from ..shared.scaling import REFERENCE_GRAVITY
from .movement_choice import find_facing_offset, find_moving_gait
from .movements import GAIT_RANGES, HALF_CYCLE_TIME, MOVEMENTS
from .trained_body import measure_size

# Leg length of the body of the reference size, that of table 3 (see `biped`) [m]
REFERENCE_LENGTH = 1.13
# Number of instants at which the movements of a task are looked up
INSTANTS = 60


def compute_drive_speeds(size: float, gravity: float) -> DriveSpeeds:
    """Return the speeds of a driven body: standing, the usual walk and the fastest one.

    Args:
        size: of the body, see `trained_body.find_size` [m].
        gravity: [m/s^2].
    """
    fastest = GAIT_RANGES["forward"].max_step / HALF_CYCLE_TIME
    return DriveSpeeds(
        0.0,
        compute_natural_speed(size, gravity),
        fastest * _compute_speed_unit(size, gravity),
    )


def compute_natural_speed(size: float, gravity: float) -> float:
    """Return the speed at which the forward walk was trained [m/s].

    Args:
        size: of the body, see `trained_body.find_size` [m].
        gravity: [m/s^2].
    """
    speed = MOVEMENTS["forward"].step_length / HALF_CYCLE_TIME
    return speed * _compute_speed_unit(size, gravity)


def find_speed_range(task: Task) -> SpeedRange | None:
    """Return the speeds that all movements of a task hold.

    Returns:
        None where the body stands all the time, or where there is no such speed.

    Raises:
        CharacterError: the task's character cannot be loaded.
    """
    times = np.linspace(0.0, task.seconds, INSTANTS)
    speeds = np.asarray(task.speed.value_at(times))
    distances = np.cumsum(speeds) * times[1]
    names = {
        find_moving_gait(find_facing_offset(task, distance, time))
        for distance, time, speed in zip(distances, times, speeds, strict=True)
        if speed > 0
    }
    if not names:
        return None
    unit = _compute_speed_unit(measure_size(load_task_character(task)), task.gravity)
    unit /= HALF_CYCLE_TIME
    limits = [GAIT_RANGES[name] for name in names]
    slowest = max(one.min_step for one in limits)
    fastest = min(one.max_step for one in limits)
    return SpeedRange(slowest * unit, fastest * unit) if slowest <= fastest else None


def _compute_speed_unit(size: float, gravity: float) -> float:
    """Return the ratio of speeds of a body to those of the reference size."""
    return float(np.sqrt(gravity * size / (REFERENCE_GRAVITY * REFERENCE_LENGTH)))
