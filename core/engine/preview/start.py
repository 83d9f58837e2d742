"""How a simulated body begins: standing, far enough before its path to be under way where that begins."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...simulate import Body
from ...task import Task
from .goal import STANDS

Array = NDArray[np.float64]

RUN_UP = (2.2, 1.2)       # m, and m more for each m/s, in which a body is under way
LEAST = 0.8               # m of it that are worth while
UNEVEN = 0.05             # m that the ground there may differ from the start's
VARIES = 0.4              # m that a run-up is longer at most, by the seed, so that feet come to an edge in any way
SWAYS = (0.02, 0.2)       # m/s of the body along the ground and rad/s of the joints above its legs, as the seed has them


@dataclass(frozen=True)
class Start:
    """Where the body stands at first.

    Args:
        pose: (nq,) of the simulated model.
        velocity: (nv,) that it has then: nobody stands quite still, and no two alike.
        distance: m before the path.
    """

    pose: Array
    velocity: Array
    distance: float
    notes: tuple[str, ...] = ()


def started(task: Task, body: Body, speed: float) -> Start:
    """Put the body on its feet, as the task's seed has it.

    Args:
        speed: m/s with which it is to begin the path.
    """
    rng = np.random.default_rng(task.seed)
    notes, distance = [], 0.0
    if task.start == "moving" and speed >= STANDS:
        distance = _room(task, RUN_UP[0] + RUN_UP[1] * speed + VARIES * float(rng.random()))
        if distance < LEAST:
            distance = 0.0
            notes.append("there is no level ground behind the path's start to come from, so the body begins standing")
    pose = body.standing(task.path.position(-distance), float(task.path.heading(0.0)))
    return Start(pose, _swaying(body, rng), distance, tuple(notes))


def _swaying(body: Body, rng: np.random.Generator) -> Array:
    velocity = np.zeros(body.nv)
    velocity[:2] = SWAYS[0] * rng.standard_normal(2)
    upper = np.setdiff1d(np.arange(6, body.nv), [*body.legs, *body.toes])
    velocity[upper] = SWAYS[1] * rng.standard_normal(len(upper))
    return velocity


def _room(task: Task, wanted: float) -> float:
    """How much of the wanted way before the path there is level ground for, m."""
    far = np.linspace(0.0, wanted + 0.2, 40)
    height = task.ground.height(task.path.position(-far))
    bad = ~(np.abs(height - height[0]) < UNEVEN)                   # where there is none, too
    return wanted if not bad.any() else float(max(far[np.argmax(bad)] - 0.4, 0.0))
