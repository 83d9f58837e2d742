"""Which driver a task's engine has."""
from __future__ import annotations

from ..task import Task
from .base import Drives
from .centroidal.driver import Driver


def driver_of(task: Task) -> Drives:
    """A driver for a task's body.

    Raises:
        TaskError: the body cannot be driven, or the task asks for what cannot be done live.
        CharacterError: the same of a simulated body.
    """
    if task.engine != "preview":
        return Driver(task)
    # only now: the other one needs nothing that simulates
    from .preview.driver import PreviewDriver

    return PreviewDriver(task)
