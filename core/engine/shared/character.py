"""Loading of a task's character."""

from __future__ import annotations

from ...character.character import Character
from ...character.from_rig.rig import character_from_skeleton
from ...character.load import load_character
from ...character.scaled import scale_character
from ...clip import has_tail_motion
from ...task import Task


def load_task_character(task: Task) -> Character:
    """Return the character of a task, scaled to the task's mass if it has one."""
    if isinstance(task.character, str):
        character = load_character(task.character)
    else:
        character = character_from_skeleton(task.character, has_tail_motion(task.style))
    return (
        character
        if task.mass is None
        else scale_character(character, 1.0, task.mass / character.mass)
    )
