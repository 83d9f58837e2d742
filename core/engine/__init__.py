"""The engines: each turns a task into a motion."""
from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..errors import TaskError
from ..motion import Motion
from ..task import Task
from . import centroidal

Progress = Callable[[str, float], None]


class Engine(Protocol):
    """What a file in this folder offers."""

    def __call__(self, task: Task, progress: Progress) -> Motion:
        """Generate a motion; `progress` is told a stage and its share done, and may raise to stop the work."""
        ...


ENGINES: dict[str, Engine] = {"centroidal": centroidal.generate}


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Generate a task's motion with the engine that it names.

    Raises:
        TaskError: there is no such engine.
    """
    if task.engine not in ENGINES:
        raise TaskError(f"There is no engine {task.engine!r}; there are: {', '.join(ENGINES)}.")
    return ENGINES[task.engine](task, progress)
