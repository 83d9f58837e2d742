"""The engines: each turns a task into a motion."""
from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from ..errors import TaskError
from ..motion import Motion
from ..task import Task

Progress = Callable[[str, float], None]


class Engine(Protocol):
    """The function `generate` of a file in this folder."""

    def __call__(self, task: Task, progress: Progress) -> Motion:
        """Generate a motion; `progress` is told a stage and its share done, and may raise to stop the work."""
        ...


# Engines by name, each with its file. They are imported when they are needed: Blender only wants their names when it starts.
ENGINES = {"centroidal": "centroidal.generate", "preview": "preview.generate"}
ABOUT = {"centroidal": "Planned in a style: footsteps, forces and poses",
         "preview": "Simulated: a body on two legs finds its steps by itself, stumbles when hit, and may fall. Styles are not used"}


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Generate a task's motion with the engine that it names.

    Raises:
        TaskError: there is no such engine.
    """
    if task.engine not in ENGINES:
        raise TaskError(f"There is no engine {task.engine!r}; there are: {', '.join(ENGINES)}.")
    engine = cast(Engine, import_module(f".{ENGINES[task.engine]}", __name__).generate)
    return engine(task, progress)
