"""Check of pushes before anything is planned."""

from __future__ import annotations

import numpy as np

from ...errors import TaskError
from ...task import Task


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
