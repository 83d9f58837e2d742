"""Ground that no foot may step on, as far as the core knows of such."""
from __future__ import annotations

import bpy

from ..core.task import Task


def with_forbidden(task: Task, scene: bpy.types.Scene) -> Task:
    """A task with the scene's forbidden ground."""
    return task
