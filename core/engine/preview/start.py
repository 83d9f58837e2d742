"""Initial state of a simulated body.

It stands, far enough before the beginning of its path to be in motion there if the task says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...simulate import SimulatedBody
from ...task import Task
from .steps import STEPS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StartParameters:
    """Run-up and initial velocities."""

    # Length of a run-up at speed zero [m], three steps.
    run_up_length: float = 2.2
    # Additional length per initial speed [s]: two steps of a walk, so that a faster one settles.
    run_up_length_per_speed: float = 1.2
    # Largest random extra length [m], half of a step; with it, the phase in which feet reach an
    # edge varies.
    run_up_variation: float = 0.4
    # Length below which the body starts standing at the beginning of the path [m]: within one step
    # no body gets into motion.
    min_run_up_length: float = 0.8
    # Distance of the body from uneven ground at the start of its run-up [m], so that both feet
    # stand on level ground.
    uneven_ground_margin: float = 0.4
    # Length beyond the run-up on which the ground is checked [m], that of a foot behind the body.
    check_margin: float = 0.2
    # Number of points at which it is [1], 0.1 m apart, less than a foot.
    check_count: int = 40
    # Height difference above which the ground is uneven [m], above the roughness of level meshes.
    level_tolerance: float = 0.05
    # Standard deviation of the initial horizontal velocity of the body [m/s]: its capture point
    # moves by 6 mm, so that it stands all the same.
    body_sway_speed: float = 0.02
    # Standard deviation of the initial velocities of the joints of the upper body [rad/s], likewise
    # so small that the body stands; without them no two seeds would differ.
    joint_sway_speed: float = 0.2


START = StartParameters()


@dataclass(frozen=True)
class StartState:
    """Initial state.

    Attributes:
        pose: (nq,) pose of the simulated model.
        velocity: (nv,) small random velocity, so that no two bodies stand alike.
        run_up_distance: distance before the beginning of the path [m].
        notes: notes for the user.
    """

    pose: Array
    velocity: Array
    run_up_distance: float
    notes: tuple[str, ...] = ()


def make_start_state(task: Task, body: SimulatedBody, speed: float) -> StartState:
    """Return the initial state of a task; random values depend on its seed.

    Args:
        task: task at human scale.
        body: its body.
        speed: speed at the beginning of the path [m/s].
    """
    rng = np.random.default_rng(task.seed)
    notes = []
    run_up_distance = 0.0
    if task.start == "moving" and speed >= STEPS.standing_speed:
        variation = START.run_up_variation * float(rng.random())
        run_up_distance = _limit_run_up(
            task, START.run_up_length + START.run_up_length_per_speed * speed + variation
        )
        if run_up_distance < START.min_run_up_length:
            run_up_distance = 0.0
            notes.append(
                "there is no level ground before the start of the path for a run-up, so the body "
                "starts standing"
            )
    pose = body.compute_standing_pose(
        task.path.position_at(-run_up_distance), float(task.path.heading_at(0.0))
    )
    return StartState(pose, _sample_sway(body, rng), run_up_distance, tuple(notes))


def _sample_sway(body: SimulatedBody, rng: np.random.Generator) -> Array:
    """Return random velocities of the body and of the joints above its legs, (nv,)."""
    velocity = np.zeros(body.nv)
    velocity[:2] = START.body_sway_speed * rng.standard_normal(2)
    upper = np.setdiff1d(np.arange(6, body.nv), [*body.leg_dofs, *body.toe_dofs])
    velocity[upper] = START.joint_sway_speed * rng.standard_normal(len(upper))
    return velocity


def _limit_run_up(task: Task, desired: float) -> float:
    """Return the length of a run-up on level ground [m], `desired` at most."""
    distances = np.linspace(0.0, desired + START.check_margin, START.check_count)
    height = task.ground.sample_heights(task.path.position_at(-distances))
    # Negated, so that missing ground, whose height is not a number, counts as uneven.
    is_uneven = ~(np.abs(height - height[0]) < START.level_tolerance)
    if not is_uneven.any():
        return desired
    return float(max(distances[np.argmax(is_uneven)] - START.uneven_ground_margin, 0.0))
