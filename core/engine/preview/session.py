"""A simulated body that is steered while it goes: what is wished for counts from the next look on."""
from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...motion import Motion
from ...task import Path, SpeedProfile, Task
from ...terrain import Flat
from ..base import Wishes
from ..shared.scaling import push_at_scale
from .ground.foothold_field import footing
from .simulation import Simulation

Array = NDArray[np.float64]

PART = 0.12           # s that are given out at once
EVERY = 5             # looks after which a preview is made in any case: that is faster than real time
CHANGE = 1.25         # m/s^2 by which the speed goes over to the one wished for
REMEMBERED = 1.0      # s, more than any swing takes
GROUND = 4.0          # m around the body in which good ground is looked for, and
MOVED = 1.5           # m after which it is looked for again


class PreviewSession:
    """Goes on from where it is, whatever is wished for next.

    Args:
        task: body, ground, frame rate, gravity, friction and stride; it begins at the path's first point, in its direction.
        every: looks after which a new preview is made in any case.

    Raises:
        TaskError: the task asks for what no preview knows.
        CharacterError: the body does not stand on two soles.
    """

    def __init__(self, task: Task, every: int = EVERY) -> None:
        self.task, self._simulation = task, Simulation(replace(task, stop_at_end=False), every)
        self._given, self._pace = 0, float(task.speed.at(0.0))
        self._wished: tuple[float, float] | None = None
        self._around = self._here

    @property
    def time(self) -> float:
        """Until when it has gone, s."""
        return self._given / self.task.fps

    @property
    def fallen(self) -> str:
        """What has made it fall, empty while it has not."""
        return self._simulation.loop.state.trouble

    def branch(self) -> PreviewSession:
        """Another session that is where this one is; each goes on without the other."""
        other = copy.copy(self)
        other._simulation = self._simulation.branch()
        return other

    def advance(self, wishes: Wishes, seconds: float = PART) -> Motion:
        """The frames after the last one given out, of the next `seconds`; a body that has fallen lies there.

        Kept footsteps are left out: a simulated body finds its own.

        Raises:
            TaskError: a push acts at a part that the body does not have.
            MotionError: numbers came out that are not finite.
        """
        simulation = self._simulation
        while simulation.first is None:
            simulation.look()
        self._steer(wishes.speed * simulation.scale.time / simulation.scale.length, wishes.direction)
        for push in wishes.pushes:
            simulation.shoves.add(replace(push_at_scale(push, simulation.scale), time=simulation.time))
        frames = max(round(seconds * self.task.fps), 1)
        clock = replace(simulation.loop.clock)
        while simulation.recording.instants < simulation.first + (self._given + frames) * simulation.per_frame:
            simulation.look()
        after = simulation.loop.clock
        motion = simulation.motion(self._given, frames, frames / simulation.task.fps, {
            "plan": after.plan - clock.plan, "fullbody": after.control - clock.control, "simulate": after.physics - clock.physics})
        simulation.recording.forget(int(REMEMBERED / simulation.loop.step))
        self._given += frames
        return motion

    @property
    def _here(self) -> Array:
        """Where the body is, (2,) m."""
        return self._simulation.loop.reading.com[:2].copy()

    def _steer(self, speed: float, direction: float) -> None:
        """A way from here on, where what is wished for has changed; good ground along it."""
        simulation, course, here = self._simulation, self._simulation.course, self._here
        now = simulation.time
        if (speed, direction) != self._wished:
            pace = float(course.task.speed.at(now))
            times = np.array([now, now + max(abs(speed - pace) / CHANGE, 1e-3)])
            path = Path([here, here + [np.cos(direction), np.sin(direction)]])
            course.task = replace(course.task, path=path, speed=SpeedProfile([pace, speed], times))
            course.gone, self._wished = 0.0, (speed, direction)
        uneven = not isinstance(course.task.ground, Flat) or bool(course.task.forbidden)
        if uneven and (course.footing is None or float(np.linalg.norm(here - self._around)) > MOVED):
            self._around = here
            around = replace(course.task, path=Path([here - 0.5 * GROUND, here + 0.5 * GROUND]))
            course.footing = footing(around, simulation.loop.slip)
