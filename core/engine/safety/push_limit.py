"""Check of pushes before anything is planned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...character.character import Character
from ...errors import TaskError
from ...task import Push, Task
from .judge import HUMAN_GRAVITY, HUMAN_LEG_LENGTH


@dataclass(frozen=True)
class PushLimits:
    """Pushes that throw a body away."""

    # Largest speed that a push may give to the whole body, at human scale [m/s]: a pedestrian
    # that a car hits gets about 10. tuned: physics of falls diverges at hundreds of m/s, and each
    # remedy of the safety net was tried for minutes; test_push_limit.py
    max_speed: float = 20.0
    # Mean force of a push as a share of its peak, which is held for half of its time (`Push.force`)
    mean_force_share: float = 0.75


PUSH_LIMITS = PushLimits()


def check_pushes(task: Task, character: Character) -> None:
    """Check that the pushes of a task do not throw its body away.

    Raises:
        TaskError: a push gives the body more speed than a fall can have; it names the push and the
            largest force.
    """
    # Pushes move bodies as fast on the moon as on earth.
    gravity = max(task.gravity, HUMAN_GRAVITY)
    size = character.leg_length / HUMAN_LEG_LENGTH * gravity / HUMAN_GRAVITY
    max_speed = PUSH_LIMITS.max_speed * float(np.sqrt(size))
    for push in task.pushes:
        speed = _compute_speed(push, character.mass)
        if speed > max_speed:
            max_force = np.linalg.norm(push.force) * max_speed / speed
            raise TaskError(
                f"The push at {push.time:.2f} s of {np.linalg.norm(push.force):.4g} N for "
                f"{push.seconds:g} s would throw a body of {character.mass:.3g} kg away at "
                f"{speed:.4g} m/s; make it {max_force:.2g} N or less."
            )


def _compute_speed(push: Push, mass: float) -> float:
    """Return the speed that a push gives to a free body [m/s]."""
    mean_force = PUSH_LIMITS.mean_force_share * float(np.linalg.norm(push.force))
    return mean_force * push.seconds / mass
