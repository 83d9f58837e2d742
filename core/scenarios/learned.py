"""Scenarios of the learned engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..character.load import load_builtin
from ..task import Path, Push, SpeedProfile, Task
from . import animals
from .scenario import Scenario
from .trials import make_straight_path

TaskBuilder = Callable[[float, float, int], Task]

# Time between two pushes [s], in which a body recovers, the first of them, and their duration [s],
# that of `Push`
PUSH_INTERVAL = 2.5
FIRST_PUSH = 1.5
PUSH_TIME = 0.2
# Change of the velocity by a push [m/s], up to that which the steps of random drives make
PUSH_GAINS = (0.2, 0.5)
# Time between two turns of the random course [s], and their standard deviation [rad], about those
# of random drives (`DrivingParameters`)
TURN_INTERVAL = 1.5
TURN_DEVIATION = 0.6


def predict(build: TaskBuilder) -> TaskBuilder:
    """Return a scenario of another engine in the style natural, with the learned engine."""

    def build_predicted(speed: float, seconds: float, seed: int) -> Task:
        return replace(build(speed, seconds, seed), engine="learned", style="natural")

    return build_predicted


def straight(speed: float, seconds: float, seed: int) -> Task:
    """Go straight on, on the flat."""
    return Task(make_straight_path(speed * seconds + 10), SpeedProfile(speed))


def turns(speed: float, seconds: float, seed: int) -> Task:
    """Turn again and again, between a walk and a run."""
    rng = np.random.default_rng(seed)
    count = int(seconds / TURN_INTERVAL) + 3
    speeds = speed * rng.uniform(0.6, 1.6, count)
    directions = np.cumsum(TURN_DEVIATION * rng.standard_normal(count))
    steps = (TURN_INTERVAL * speeds)[:, None] * np.stack(
        [np.cos(directions), np.sin(directions)], -1
    )
    points = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, 0)])
    return Task(Path(points), SpeedProfile(speeds, TURN_INTERVAL * np.arange(count)))


def pushed_robot(speed: float, seconds: float, seed: int) -> Task:
    """Push a robot on four legs from a random side every 2.5 s."""
    rng = np.random.default_rng(seed)
    task = animals.with_gait("anymal")(speed, seconds, seed)
    mass = load_builtin("anymal").mass
    pushes = []
    for k in range(max(int((seconds - FIRST_PUSH - PUSH_TIME) / PUSH_INTERVAL) + 1, 1)):
        strength = rng.uniform(*PUSH_GAINS) * mass / PUSH_TIME
        angle = rng.uniform(0, 2 * np.pi)
        force = (strength * np.cos(angle), strength * np.sin(angle), 0.0)
        pushes.append(Push(FIRST_PUSH + PUSH_INTERVAL * k, force, PUSH_TIME))
    return replace(task, pushes=tuple(pushes))


def list_scenarios(terrain_walk: TaskBuilder) -> tuple[Scenario, ...]:
    """Return the scenarios of the engine.

    Args:
        terrain_walk: scenario of a walk over bumps and slopes from the seed.
    """
    return (
        Scenario("learned-walk", "a predicted walk", 1.15, predict(straight)),
        Scenario("learned-run", "a predicted run", 3.0, predict(straight)),
        Scenario(
            "learned-terrain-walk",
            "a predicted walk over bumps and slopes from the seed",
            1.15,
            predict(terrain_walk),
        ),
        Scenario("learned-turns", "predicted turns between a walk and a run", 1.6, predict(turns)),
        Scenario(
            "learned-anymal",
            "a predicted robot on four legs over hills",
            1.0,
            predict(animals.over_hills("anymal")),
        ),
        Scenario(
            "learned-anymal-push",
            "a predicted robot is pushed from any side, again and again",
            1.0,
            predict(pushed_robot),
        ),
        Scenario(
            "learned-horse", "a predicted horse trots", 4.0, predict(animals.with_gait("horse"))
        ),
    )
