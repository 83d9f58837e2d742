"""Choose the mode of locomotion of a task."""

from __future__ import annotations

from ....character.character import Character
from ....errors import TaskError
from ....task import Task
from ..body import PlannedBody
from .base import LocomotionMode
from .hanging.hanging import Hanging
from .jumping import Jumping
from .striding import Striding
from .walking import Walking

# The first mode that accepts a task is used.
MODES: tuple[type[LocomotionMode], ...] = (Hanging, Jumping, Striding, Walking)


def choose_mode(task: Task, character: Character) -> type[LocomotionMode]:
    """Return the mode of locomotion of a character in a task."""
    return next(mode for mode in MODES if mode.accepts(task, character))


def make_mode(task: Task, planned_body: PlannedBody) -> LocomotionMode:
    """Return the mode of locomotion of a task, with its sketch.

    Raises:
        TaskError: The task requests what the body cannot do.
    """
    character = planned_body.character
    mode = choose_mode(task, character)
    if task.gait is not None and not mode.accepts_gait:
        raise TaskError(
            f"The gait of {character.name} follows from its style; choose a style, such as "
            '"walk" or "run", and leave out the gait.'
        )
    return mode.from_task(task, planned_body)
