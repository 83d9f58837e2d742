"""A whole task at once.

Source: Mordatch, de Lasa, Hertzmann 2010. What can happen to a body happens to this one: it stumbles, and it falls.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ...motion import Motion
from ...simulate import MujocoPhysics, Physics, SimulatedModel
from ...task import Task
from .simulation import Simulation

Progress = Callable[[str, float], None]


def generate(task: Task, progress: Progress = lambda stage, share: None,
             moved_by: Callable[[SimulatedModel], Physics] = MujocoPhysics) -> Motion:
    """Generate a task's motion.

    Args:
        progress: told 'simulate' and the share done of all; may raise to stop the work.
        moved_by: makes the physics engine.

    Raises:
        TaskError: the task asks for what no preview knows, such as bars.
        CharacterError: the body does not stand on two soles.
        MotionError: numbers came out that are not finite.
    """
    begin = time.perf_counter()
    simulation = Simulation(task, moved_by=moved_by)
    end = simulation.task.frames * simulation.per_frame               # a frame past the last one, whose forces are means about it
    while simulation.first is None or simulation.recording.instants < simulation.first + end:
        simulation.look()
        done = simulation.recording.instants
        if done % simulation.per_frame == 0:
            share = 0.0 if simulation.first is None else (done - simulation.first) / end
            progress("simulate", min(share, 0.99))
    clock = simulation.loop.clock
    motion = simulation.motion(0, simulation.task.frames, simulation.task.seconds, {
        "sketch": 0.0, "plan": clock.plan, "fullbody": clock.control, "simulate": clock.physics,
        "total": time.perf_counter() - begin})
    progress("simulate", 1.0)
    mesh = task.ground.mesh()
    return motion if mesh is None else replace(motion, terrain_vertices=mesh[0], terrain_triangles=mesh[1])
