"""The engine in which nothing is drawn by hand: a simulated body that previews its next two steps.

Source: Mordatch, de Lasa, Hertzmann 2010. What can happen to a body happens to this one: it stumbles, and it falls.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionError
from ...motion import Motion, Report
from ...simulate import Body, MujocoPhysics, Physics, SimulatedModel, State
from ...slip.body import SlipBody
from ...task import Task
from ..scaling import body_of, to_human_scale
from .course import Course, refuse
from .footing import footing
from .loop import PreviewLoop
from .record import Recording
from .shoves import Shoves
from .start import started

Array = NDArray[np.float64]
Progress = Callable[[str, float], None]

RATE = 250.0          # looks a second, about
LATEST = 3.0          # s for each metre, in which a run-up must arrive


def generate(task: Task, progress: Progress = lambda stage, share: None,
             moved_by: Callable[[SimulatedModel], Physics] = MujocoPhysics) -> Motion:
    """Generate a task's motion.

    Args:
        progress: told 'simulate' and the share done of all; may raise to stop the work.
        moved_by: makes the physics engine.

    Raises:
        TaskError: the task asks for what no preview knows, such as bars.
        CharacterError: the body does not stand on two soles.
    """
    begin = time.perf_counter()
    refuse(task)
    asked, character = task, body_of(task)
    SlipBody.of(character, task.gravity)                  # says what is wrong with it before anything is simulated
    task, character, scale = to_human_scale(task, character)
    body = Body(character, task.ground)
    physics = moved_by(body.model)
    every = max(round(RATE / task.fps), 1)
    start = started(task, body)
    physics.reset(start.pose, start.velocity)
    loop = PreviewLoop(body, physics, 1 / (every * task.fps))
    course, shoves = Course(task, footing(task, loop.slip)), Shoves(task.pushes, body, physics)
    course.gone = -start.distance
    recording = Recording(body, every, loop.step)
    instants, first = task.frames * every, None if start.distance else 0
    while first is None or len(recording.poses) < first + instants:
        now = (len(recording.poses) - (first if first is not None else len(recording.poses))) * loop.step
        goal = course.at(now, loop.reading.com, loop.heading, float(np.linalg.norm(loop.reading.com_velocity[:2])),
                         loop.reading.feet.place[loop.stepping.stance])
        push = shoves.at(now if first is not None else -1.0, loop.step, loop.reading)
        done = loop.advance(goal.wish)
        recording.note(done.state, loop.state, push, done.com, goal.velocity, not done.controlled)
        if first is None and (course.gone >= 0 or len(recording.poses) * loop.step > LATEST * start.distance):
            first = len(recording.poses)
        if loop.state.trouble.startswith("not finite"):
            raise MotionError(f"{asked.name}: {loop.state.trouble}. Ask for less at once: a slower speed or weaker pushes.")
        if len(recording.poses) % every == 0:
            share = 0.0 if first is None else (len(recording.poses) - first) / instants
            progress("simulate", min(share, 0.99))
    seconds = {"sketch": 0.0, "plan": loop.clock.plan, "fullbody": loop.clock.control, "simulate": loop.clock.physics,
               "total": time.perf_counter() - begin}
    report = Report(task.name, "preview", character.name, task.seed, task.seconds, seconds,
                    (*character.notes, *start.notes, *told_trouble(loop.state, first * loop.step, scale.time)))
    motion = recording.motion(task, task.frames, first, report)
    progress("simulate", 1.0)
    motion = scale.enlarge(motion)
    mesh = asked.ground.mesh()
    return motion if mesh is None else replace(motion, terrain_vertices=mesh[0], terrain_triangles=mesh[1])


def told_trouble(state: State, before: float, unit: float) -> tuple[str, ...]:
    """A note where the body fell.

    Args:
        before: s that the clip begins after time 0.
        unit: s of the clip for one of the simulation's.
    """
    if not state.trouble:
        return ()
    what, _, when = state.trouble.rpartition(" at ")
    time_ = (float(when.split()[0]) - before) * unit
    return (f"{what} at {time_:.2f} s. Ask for less at once: a slower speed, wider turns, weaker pushes or gentler ground",)
