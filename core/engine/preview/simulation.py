"""A task's body under control, instant by instant, and all that happens to it."""
from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionError
from ...motion import Motion, Report
from ...simulate import Body, MujocoPhysics, Physics, SimulatedModel, State
from ...slip.body import SlipBody
from ...task import Task
from ..shared.character import body_of
from ..shared.scaling import to_human_scale
from .approach import Ledges
from .disturbances.projectiles import Throws
from .disturbances.pushes import Shoves, summed
from .goal import Course, Goal
from .ground.foothold_field import footing
from .instant import Instant, slip_of
from .jumps import Leaps
from .loop import PreviewLoop
from .recording.recorder import Recording
from .refusing import refuse
from .start import started
from .stride_planner import Pacing

Array = NDArray[np.float64]

RATE = 250.0          # looks a second, about
ASKS = 5              # looks from one to the next at the path for what is to be done, on level ground
LATEST = 3.0          # s for each metre, in which a run-up must arrive


class Simulation:
    """From a run-up on, if the task begins under way; time 0 is where the clip begins.

    Attributes:
        task: at human scale, as everything here; `scale` leads back.
        first: instant at which the clip begins; None while the body is still on its way there.

    Args:
        task: what is asked for.
        every: looks after which a new preview is made in any case.
        moved_by: the physics engine.

    Raises:
        TaskError: the task asks for what no preview knows, such as bars.
        CharacterError: the body does not stand on two soles.
    """

    def __init__(self, task: Task, every: int = 1, moved_by: Callable[[SimulatedModel], Physics] = MujocoPhysics) -> None:
        refuse(task)
        character = body_of(task)
        SlipBody.of(character, task.gravity)              # says what is wrong with it before anything is simulated
        self.task, self.character, self.scale = to_human_scale(task, character)
        self.body = Body(self.character, self.task.ground)
        self._physics = moved_by(self.body.model)
        self.per_frame = max(round(RATE / self.task.fps), 1)
        self.course = Course(self.task, footing(self.task, slip_of(self.body)))
        self.start = started(self.task, self.body, self.course.speed_at_first)
        self._physics.reset(self.start.pose, self.start.velocity)
        self.loop = PreviewLoop(self.body, self._physics, 1 / (self.per_frame * self.task.fps), every)
        self.course.gone = -self.start.distance
        self.ledges = Ledges(self.course, self.loop)
        self.pacing = Pacing(self.course, self.loop)
        self.shoves = Shoves(self.task.pushes, self.body, self._physics)
        self.leaps = Leaps(self.task.jumps)
        self.throws = Throws(self.task, self.body, self._physics)
        self.recording = Recording(self.body, self.per_frame, self.loop.step)
        self.first: int | None = None if self.start.distance else 0
        self._goal: Goal | None = None            # the last one

    @property
    def time(self) -> float:
        """Of the clip, s; below 0 before it begins."""
        return -self.loop.step if self.first is None else (self.recording.instants - self.first) * self.loop.step

    def look(self) -> Instant:
        """One instant; returns what the body was and was to do.

        Raises:
            MotionError: numbers came out that are not finite.
        """
        loop, course, goal = self.loop, self.course, self._goal
        if goal is None or course.height is not None or self.recording.instants % ASKS == 0:
            goal = course.at(self.time, loop.reading.com, loop.heading, float(np.linalg.norm(loop.reading.com_velocity[:2])),
                             loop.reading.feet.place[loop.stepping.stance], loop.stepping.sets_off)
            self._goal = goal
        now = self.time if self.first is not None else -1.0
        acting = self.shoves.at(now, loop.step, loop.reading) + self.throws.at(now, loop.step, loop.reading)
        push = summed(loop.reading.com, acting)
        ball = self.throws.seen(loop.reading)
        wish = self.leaps.of(replace(goal.wish, projectile=ball), now, loop.state.time - loop.stepping.since, loop.stepping,
                             loop.reading.com)
        done = loop.advance(self.pacing.of(self.ledges.of(wish, now)))
        self.recording.note(done, loop.state, push, goal.velocity)
        if self.first is None and (course.gone >= 0 or self.recording.instants * loop.step > LATEST * self.start.distance):
            self.first = self.recording.instants
        if loop.state.trouble.startswith("not finite"):
            raise MotionError(f"{self.task.name}: {loop.state.trouble}. Ask for less at once: a slower speed or weaker pushes.")
        return done

    def motion(self, begin: int, frames: int, lasts: float, seconds: dict[str, float]) -> Motion:
        """Frames from one of the clip on, at the task's own scale; its ground is left out.

        Args:
            begin: number of the first.
            lasts: s, of all.
            seconds: computing time by stage.
        """
        assert self.first is not None
        metre, second = self.scale.length, self.scale.time
        report = Report(self.task.name, "preview", self.character.name, self.task.seed, lasts, seconds,
                        (*self.character.notes, *self.start.notes, *self.throws.told(second), *self.course.told(metre, second),
                         *self.leaps.told(metre, second),
                         *told_trouble(self.loop.state, self.first * self.loop.step, second)))
        motion = self.recording.motion(self.task, frames, self.first + begin * self.per_frame, self.first, report)
        return self.scale.enlarge(motion)

    def branch(self) -> Simulation:
        """Another one that is where this one is; each goes on without the other. MuJoCo's bodies alone can."""
        model = self.body.model
        shared = (self.task, self.character, self.body, model, model.mujoco, self.loop.slip, self.course.task,
                  self.course.task.ground, self.course.footing, self.recording.model, self.recording.soles, self.shoves.data,
                  self.throws.target)
        return copy.deepcopy(self, {id(thing): thing for thing in shared})


def told_trouble(state: State, before: float, unit: float) -> tuple[str, ...]:
    """A note where the body fell.

    Args:
        before: s that the clip begins after time 0.
        unit: s of the clip for one of the simulation's.
    """
    if not state.trouble:
        return ()
    what, _, when = state.trouble.rpartition(" at ")
    time = (float(when.split()[0]) - before) * unit
    return (f"{what} at {time:.2f} s. Ask for less at once: a slower speed, wider turns, weaker pushes or gentler ground",)
