"""A whole task at once.

Source: Mordatch, de Lasa, Hertzmann 2010. What can happen to a body happens to this one:
it stumbles, and it falls.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ...motion import Motion
from ...simulate import MujocoPhysics, Physics, SimulatedModel
from ...task import Task
from ..base import Progress
from .simulation import Simulation


def generate(
    task: Task,
    progress: Progress = lambda stage, share: None,
    make_physics: Callable[[SimulatedModel], Physics] = MujocoPhysics,
) -> Motion:
    """Generate a task's motion.

    Args:
        progress: told 'simulate' and the share done of all; may raise to stop the work.
        make_physics: makes the physics engine.

    Raises:
        TaskError: the task asks for what no preview knows, such as bars.
        CharacterError: the body does not stand on two soles.
        MotionError: numbers came out that are not finite.
    """
    start_time = time.perf_counter()
    simulation = Simulation(task, make_physics=make_physics)
    # a frame past the last one, whose forces are means about it
    instant_count = simulation.task.frames * simulation.ticks_per_frame
    while (
        simulation.clip_start is None
        or simulation.recorder.instant_count < simulation.clip_start + instant_count
    ):
        simulation.step()
        recorded_count = simulation.recorder.instant_count
        if recorded_count % simulation.ticks_per_frame == 0:
            share = (
                0.0
                if simulation.clip_start is None
                else (recorded_count - simulation.clip_start) / instant_count
            )
            progress("simulate", min(share, 0.99))
    clock = simulation.loop.clock
    motion = simulation.make_motion(
        0,
        simulation.task.frames,
        simulation.task.seconds,
        {
            "sketch": 0.0,
            "plan": clock.plan,
            "fullbody": clock.control,
            "simulate": clock.physics,
            "total": time.perf_counter() - start_time,
        },
    )
    progress("simulate", 1.0)
    mesh = task.ground.to_mesh()
    return (
        motion
        if mesh is None
        else replace(motion, terrain_vertices=mesh[0], terrain_triangles=mesh[1])
    )
