"""Limits of pushes and speeds that are applied to a task before anything is planned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import TaskError
from ...task import SpeedProfile, Task
from ..base import EngineInfo
from .remedies import RemediedTask

# Share of a speed by which it may lie beyond what the engine can hold.
SPEED_TOLERANCE = 0.005


def check_pushes(task: Task, mass: float, max_speed: float) -> None:
    """Check that the pushes of a task do not throw its body away.

    Args:
        mass: of the body [kg].
        max_speed: speed that a push may give to the whole body [m/s].

    Raises:
        TaskError: a push gives the body more speed; it names the push and the largest force.
    """
    for push in task.pushes:
        speed = push.impulse / mass
        if speed > max_speed:
            force = float(np.linalg.norm(push.force))
            raise TaskError(
                f"The push at {push.time:.2f} s of {force:.4g} N for {push.seconds:g} s would "
                f"throw a body of {mass:.3g} kg away at {speed:.4g} m/s; make it "
                f"{force * max_speed / speed:.2g} N or less."
            )


def fit_speed(task: Task, engine: EngineInfo) -> RemediedTask | None:
    """Return a task with the nearest speeds that an engine can hold; None if it holds all of them.

    A body that stands at some time still does so.
    """
    speed_range = engine.find_speed_range(task)
    if speed_range is None:
        return None
    speeds = task.speed.values
    nearest = np.where(speeds > 0, np.clip(speeds, speed_range.slowest, speed_range.fastest), 0.0)
    if (np.abs(nearest - speeds) <= SPEED_TOLERANCE * speeds).all():
        return None
    is_slower = speeds.max() > nearest.max()
    before, after = (
        (speeds.max(), nearest.max())
        if is_slower
        else (speeds[speeds > 0].min(), nearest[nearest > 0].min())
    )
    return RemediedTask(
        replace(task, speed=SpeedProfile(nearest, task.speed.times)),
        f"the speed was {'lowered' if is_slower else 'raised'} from {before:.2f} to {after:.2f} "
        f"m/s: the engine {engine.name!r} can do {speed_range.slowest:.2f} to "
        f"{speed_range.fastest:.2f} m/s here",
    )
