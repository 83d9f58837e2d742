"""Generation of the motion of a task by simulation, in which the body may stumble and fall.

Source: Mordatch, de Lasa, Hertzmann 2010.
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
    """Return the motion of a task.

    Args:
        progress: called with the stage "simulate" and the completed share [1]; it may raise an
            exception to stop the simulation.
        make_physics: constructor of the physics engine.

    Raises:
        TaskError: the task has features without support in this engine, such as monkey bars.
        CharacterError: the body does not stand on two soles.
        MotionError: the state is not finite.
    """
    start_time = time.perf_counter()
    simulation = Simulation(task, make_physics=make_physics)
    # One frame more than the clip has: the forces of the last one are means about it.
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
        else replace(motion, terrain_vertices=mesh.vertices, terrain_triangles=mesh.triangles)
    )
