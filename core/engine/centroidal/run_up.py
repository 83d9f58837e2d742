"""A few steps before the clip, so that its first frame is already in stride."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...motion import Motion
from ...task import Path, Task
from ...terrain import Flat, Ground

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RunUp:
    """How much was put before the clip."""

    frames: int
    seconds: float
    points: int                       # put before the path's own

    def cut(self, motion: Motion) -> Motion:
        """A motion without its run-up; its clip begins at time 0."""
        if not self.frames:
            return motion
        n = motion.frames
        per_frame: dict[str, Any] = {
            name: value[self.frames:] for name, value in vars(motion).items()
            if isinstance(value, np.ndarray) and value.ndim and len(value) == n and name not in NOT_PER_FRAME}
        return replace(self.told(motion), **per_frame)

    def told(self, motion: Motion) -> Motion:
        """A motion with its frames as they are and what it tells of footsteps, path and easings without the run-up."""
        steps = tuple(replace(f, strike=f.strike - self.seconds, flat=f.flat - self.seconds,
                              heel_off=f.heel_off - self.seconds, lift=f.lift - self.seconds) for f in motion.footsteps)
        eased = tuple(replace(e, begin=max(e.begin - self.seconds, 0.0), end=e.end - self.seconds) for e in motion.report.eased
                      if e.end > self.seconds)
        report = replace(motion.report, clip_seconds=motion.report.clip_seconds - self.seconds, eased=eased)
        return replace(motion, footsteps=tuple(f for f in steps if f.lift > 0), path=motion.path[self.points:], report=report)


NOT_PER_FRAME = ("gravity", "link_mass", "link_inertia", "style_links", "terrain_vertices", "terrain_triangles", "path", "rungs",
                 "hurdles", "hurdle_depth")


class _LevelledBehind:
    """A ground that goes on level where it ends behind the start."""

    def __init__(self, ground: Ground, start: Array, ahead: Array) -> None:
        self._ground, self._start, self._ahead = ground, start, ahead
        self._level = ground.height(start)

    def height(self, xy: ArrayLike) -> Array:
        xy = np.asarray(xy, float)
        h = self._ground.height(xy)
        if not np.isnan(h).any():
            return h
        behind = (xy - self._start) @ self._ahead < 0
        return np.where(np.isnan(h) & behind, self._level, h)

    def mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        return self._ground.mesh()


def with_run_up(task: Task, seconds: float) -> tuple[Task, RunUp]:
    """The task with `seconds` of straight walk before its start; none for a body that begins standing."""
    speed = float(task.speed.at(0.0))
    if task.start == "standing" or speed <= 0:
        return task, RunUp(0, 0.0, 0)
    frames = int(np.ceil(seconds * task.fps))
    seconds = frames / task.fps
    heading = float(task.path.heading(0.0))
    ahead = np.array([np.cos(heading), np.sin(heading)])
    start = task.path.points[0]
    ground = task.ground if isinstance(task.ground, Flat) else _LevelledBehind(task.ground, start, ahead)
    path = Path(np.vstack([start - speed * seconds * ahead, task.path.points]))
    stride = None if task.stride is None else task.stride.shifted(seconds)
    facing = None if task.facing is None else task.facing.moved(task.facing.stations + speed * seconds)
    longer = replace(task, path=path, ground=ground, seconds=task.seconds + seconds, speed=task.speed.shifted(seconds),
                     stride=stride, width=task.width.shifted(seconds), turned=task.turned.shifted(seconds), facing=facing,
                     struck=tuple(s.shifted(seconds) for s in task.struck),
                     look=None if task.look is None else task.look.shifted(seconds),
                     pushes=tuple(replace(p, time=p.time + seconds) for p in task.pushes),
                     kept=tuple(k.changed(lambda t: t + seconds) for k in task.kept))
    return longer, RunUp(frames, seconds, 1)
