"""Run-up: steps before a clip, so that the body is in stride in its first frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...motion import Motion
from ...task import Path, Task
from ...terrain import FlatGround, Ground, TriangleMesh

Array = NDArray[np.float64]

# Time of motion before the clip, in which the plan settles [s]: three steps
RUN_UP_TIME = 1.5


@dataclass(frozen=True)
class RunUp:
    """Time and path that were put before a clip.

    Args:
        frames: number of frames.
        seconds: duration [s].
        point_count: number of points put before those of the path.
    """

    frames: int
    seconds: float
    point_count: int

    def trim(self, motion: Motion) -> Motion:
        """Return a motion without its run-up; its clip begins at time 0."""
        if not self.frames:
            return motion
        return self.shift_report(motion).take_frames(slice(self.frames, None))

    def shift_report(self, motion: Motion) -> Motion:
        """Return a motion whose footsteps, path and violations start with the clip.

        Its frames are unchanged.
        """
        steps = tuple(
            replace(
                f,
                strike=f.strike - self.seconds,
                flat=f.flat - self.seconds,
                heel_off=f.heel_off - self.seconds,
                lift=f.lift - self.seconds,
            )
            for f in motion.footsteps
        )
        violations = tuple(
            replace(e, begin=max(e.begin - self.seconds, 0.0), end=e.end - self.seconds)
            for e in motion.report.violations
            if e.end > self.seconds
        )
        report = replace(
            motion.report,
            clip_seconds=motion.report.clip_seconds - self.seconds,
            violations=violations,
        )
        return replace(
            motion,
            footsteps=tuple(f for f in steps if f.lift > 0),
            path=motion.path[self.point_count :],
            report=report,
        )


class _GroundLevelBehindStart:
    """A ground that is level behind the start where the original one ends."""

    def __init__(self, ground: Ground, start: Array, forward: Array) -> None:
        self._ground = ground
        self._start = start
        self._forward = forward
        self._level = ground.sample_heights(start)

    def sample_heights(self, xy: ArrayLike) -> Array:
        xy = np.asarray(xy, float)
        h = self._ground.sample_heights(xy)
        if not np.isnan(h).any():
            return h
        behind = (xy - self._start) @ self._forward < 0
        return np.where(np.isnan(h) & behind, self._level, h)

    def to_mesh(self) -> TriangleMesh | None:
        return self._ground.to_mesh()


@dataclass(frozen=True)
class ExtendedTask:
    """A task with a run-up before its clip.

    Args:
        task: its time 0 is the start of the run-up.
        run_up: how to trim the task's motion.
    """

    task: Task
    run_up: RunUp


def with_run_up(task: Task, seconds: float) -> ExtendedTask:
    """Return a task with a straight walk of `seconds` before its start.

    A body that begins standing needs none.
    """
    if task.begins_at_rest:
        return ExtendedTask(task, RunUp(0, 0.0, 0))
    speed = float(task.speed.value_at(0.0))
    frames = int(np.ceil(seconds * task.fps))
    seconds = frames / task.fps
    heading = float(task.path.heading_at(0.0))
    forward = np.array([np.cos(heading), np.sin(heading)])
    start = task.path.points[0]
    ground = (
        task.ground
        if isinstance(task.ground, FlatGround)
        else _GroundLevelBehindStart(task.ground, start, forward)
    )
    path = Path(np.vstack([start - speed * seconds * forward, task.path.points]))
    facing = (
        None
        if task.facing is None
        else task.facing.with_stations(task.facing.stations + speed * seconds)
    )
    extended_task = replace(task.shifted(seconds), path=path, ground=ground, facing=facing)
    return ExtendedTask(extended_task, RunUp(frames, seconds, 1))
