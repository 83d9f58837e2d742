"""Interactive driving of a body that a network predicts."""

from __future__ import annotations

from dataclasses import replace

from ...task import Task
from ..centroidal.driver import CentroidalDriver, DrivenSession
from ..shared.character import load_task_character
from ..shared.scaling import to_human_scale
from .networks import find_network
from .session import LearnedSession


class LearnedDriver(CentroidalDriver):
    """Driver of a session that follows commands as fast as the body can.

    Args:
        task: task of the session, with the initial speed. Outside of its ground, and in holes of
            it, the ground is level.

    Raises:
        TaskError: the body is not a humanoid, or there is no network for it and its style.
    """

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        character = load_task_character(task)
        scale = to_human_scale(task, character).scale
        fastest = find_network(task, character).about.fastest * scale.length / scale.time
        self.speed_range = replace(self.speed_range, fastest=min(self.speed_range.fastest, fastest))

    def _make_session(self, task: Task) -> DrivenSession:
        """Return the session of a task."""
        return LearnedSession(task)
