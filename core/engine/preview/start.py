"""How a simulated body begins: standing, far enough before its path to be
under way where that begins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...simulate import SimulatedBody
from ...task import Task
from .goal import STANDING_SPEED

Array = NDArray[np.float64]

RUN_UP_LENGTHS = (2.2, 1.2)  # m, and m more for each m/s, in which a body is under way
MIN_RUN_UP_LENGTH = 0.8  # m of it that are worth while
LEVEL_TOLERANCE = 0.05  # m that the ground there may differ from the start's
# m that a run-up is longer at most, by the seed, so that feet come to an edge in any way
RUN_UP_VARIATION = 0.4
# m/s of the body along the ground and rad/s of the joints above its legs, as the seed has them
SWAY_SPEEDS = (0.02, 0.2)


@dataclass(frozen=True)
class StartState:
    """Where the body stands at first.

    Args:
        pose: (nq,) of the simulated model.
        velocity: (nv,) that it has then: nobody stands quite still, and no two alike.
        run_up_distance: m before the path.
    """

    pose: Array
    velocity: Array
    run_up_distance: float
    notes: tuple[str, ...] = ()


def make_start_state(task: Task, body: SimulatedBody, speed: float) -> StartState:
    """Put the body on its feet, as the task's seed has it.

    Args:
        speed: m/s with which it is to begin the path.
    """
    rng = np.random.default_rng(task.seed)
    notes = []
    run_up_distance = 0.0
    if task.start == "moving" and speed >= STANDING_SPEED:
        run_up_distance = _find_run_up_room(
            task,
            RUN_UP_LENGTHS[0] + RUN_UP_LENGTHS[1] * speed + RUN_UP_VARIATION * float(rng.random()),
        )
        if run_up_distance < MIN_RUN_UP_LENGTH:
            run_up_distance = 0.0
            notes.append(
                "there is no level ground behind the path's start to come from, so the body "
                "begins standing"
            )
    pose = body.compute_standing_pose(
        task.path.position_at(-run_up_distance), float(task.path.heading_at(0.0))
    )
    return StartState(pose, _sample_sway(body, rng), run_up_distance, tuple(notes))


def _sample_sway(body: SimulatedBody, rng: np.random.Generator) -> Array:
    velocity = np.zeros(body.nv)
    velocity[:2] = SWAY_SPEEDS[0] * rng.standard_normal(2)
    upper = np.setdiff1d(np.arange(6, body.nv), [*body.leg_dofs, *body.toe_dofs])
    velocity[upper] = SWAY_SPEEDS[1] * rng.standard_normal(len(upper))
    return velocity


def _find_run_up_room(task: Task, desired: float) -> float:
    """How much of the wanted way before the path there is level ground for, m."""
    distances = np.linspace(0.0, desired + 0.2, 40)
    height = task.ground.sample_heights(task.path.position_at(-distances))
    is_uneven = ~(np.abs(height - height[0]) < LEVEL_TOLERANCE)  # where there is none, too
    return (
        desired if not is_uneven.any() else float(max(distances[np.argmax(is_uneven)] - 0.4, 0.0))
    )
