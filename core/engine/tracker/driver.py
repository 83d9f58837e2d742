"""Interactive driving of a walker in the plane of its path: speed, and pushes along the path."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...geometry import so3
from ...motion import Motion
from ...task import Push, Task
from ...terrain import ExtendedGround
from ..base import LIVE_ENGINE_NAME, DriveCommand, SpeedRange
from .session import TrackerSession
from .task_checks import MAX_ACROSS, TRUNK_PARTS

# Distance of the ground that the walker sees [m]; beyond, it is level. A drive of two minutes at
# its highest speed stays within.
GROUND_LENGTH = 200.0
# Change of the direction that is mentioned [rad]: less of it may be a stick that is not held
# straight.
NOTED_TURN = np.radians(30)
TURN_NOTE = "the body walked straight on: with the engine Side View only its speed is steered"
PUSH_NOTE = "pushes across the path and on arms and legs were left out: the engine Side View feels \
pushes on the trunk along the path"


class TrackerDriver:
    """Driver of a walker that keeps its direction.

    Args:
        task: task of the session, with the initial speed. Outside of its ground, and in holes of
            it, the ground is level.

    Raises:
        TaskError: the body does not have two human legs, the ground is too steep, or the style has
            no walk that a walker can follow.
    """

    def __init__(self, task: Task) -> None:
        heading = float(task.path.heading_at(0.0))
        self._forward = np.array([np.cos(heading), np.sin(heading)])
        self._heading = heading
        if task.ground.to_mesh() is not None:
            task = replace(task, ground=ExtendedGround(task.ground))
        self._session = TrackerSession(task, self._forward, GROUND_LENGTH)
        speeds = self._session.speeds
        self.speed_range = SpeedRange(speeds[0], speeds[-1])
        self._previous = self._session.state

    def advance(self, command: DriveCommand) -> Motion:
        """Return the motion up to the next landing of a foot.

        Raises:
            MotionError: the walker falls.
        """
        self._previous = self._session.state
        turn = so3.wrap_angle(command.direction - self._heading)
        speed = command.speed * max(float(np.cos(turn)), 0.0)
        pushes = tuple(p for push in command.pushes if (p := self._project(push)) is not None)
        clock_start = time.perf_counter()
        part = self._session.advance(
            replace(
                command,
                speed=float(np.clip(speed, self.speed_range.slowest, self.speed_range.fastest)),
                direction=self._heading,
                pushes=pushes,
            )
        )
        elapsed = time.perf_counter() - clock_start
        notes = list(part.report.notes)
        if abs(turn) > NOTED_TURN:
            notes.append(TURN_NOTE)
        if pushes != command.pushes:
            notes.append(PUSH_NOTE)
        report = replace(
            part.report, engine=LIVE_ENGINE_NAME, seconds={"total": elapsed}, notes=tuple(notes)
        )
        return replace(part, report=report)

    def undo_last(self) -> None:
        """Restore the state before the last part. Only one part can be undone."""
        self._session.restore(self._previous)

    def _project(self, push: Push) -> Push | None:
        """Return the part of a push that the walker feels; None if it feels nothing of it."""
        force = np.asarray(push.force)
        along = float(force[:2] @ self._forward)
        across = float(np.linalg.norm(force[:2] - along * self._forward))
        if across <= MAX_ACROSS * np.linalg.norm(force):
            return push if push.body_part in TRUNK_PARTS else None
        if push.body_part not in TRUNK_PARTS or abs(along) < across:
            return None
        x, y = (float(v) for v in along * self._forward)
        return replace(push, force=(x, y, float(force[2])))
