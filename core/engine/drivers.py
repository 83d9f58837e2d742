"""Which driver a task's engine has."""
from __future__ import annotations

from typing import Protocol

from ..motion import Motion
from ..task import Task
from .driving import Driver, Range
from .session import Wishes


class Drives(Protocol):
    """A body that goes on as hands mean it to, part after part."""

    range: Range

    def advance(self, meant: Wishes) -> Motion:
        """The next part towards what is meant."""
        ...

    def take_back(self) -> None:
        """Be where it was before the last part."""
        ...


def driver_of(task: Task) -> Drives:
    """A driver for a task's body.

    Raises:
        TaskError: the body cannot be driven, or the task asks for what cannot be done live.
        CharacterError: the same of a simulated body.
    """
    if task.engine != "preview":
        return Driver(task)
    # only now: the other one needs nothing that simulates
    from .preview.driving import PreviewDriver

    return PreviewDriver(task)
