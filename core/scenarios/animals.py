"""Tasks for bodies of other builds than people's: on one leg, on four, six or
eight, and robots on two.

Each is built from a speed in m/s, a length in s and a seed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..character.builtin import load_builtin
from ..character.reach import compute_leg_reaches
from ..task.path import Path
from ..task.speed import SpeedProfile
from ..task.task import Task
from ..terrain import HeightField, make_rolling_hills
from .trials import make_straight_path

TaskBuilder = Callable[[float, float, int], Task]

BUMP_HEIGHT = 0.13  # leg lengths, height of the highest bump
MAX_SLOPE = 10.0  # degrees, of the steepest hill

# large ones that rush at once, m between them
GROUP_SIZE = 30
LANE_SPACING = 3.5

RUSH_SPEEDS = (1.0, 8.0)  # m/s, the slowest and the fastest of a herd


def over_hills(name: str) -> TaskBuilder:
    """Over hills and bumps as high as suits the legs."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        # the hills of a man, as many legs long
        leg_ratio = float(
            np.mean(compute_leg_reaches(load_builtin(name)))
            / np.mean(compute_leg_reaches(load_builtin("humanoid")))
        )
        hills = make_rolling_hills(
            np.random.default_rng(seed),
            speed * seconds / leg_ratio + 12,
            10.0,
            bump_height=BUMP_HEIGHT * load_builtin(name).leg_length / leg_ratio,
            slope_deg=MAX_SLOPE,
        )
        ground = HeightField(
            hills.heights * leg_ratio, hills.origin * leg_ratio, hills.spacing * leg_ratio
        )
        return Task(
            make_straight_path(speed * seconds + 4 * leg_ratio),
            SpeedProfile(speed),
            character=name,
            ground=ground,
        )

    return build


def with_gait(name: str, gait: str | None = None) -> TaskBuilder:
    """Straight on, at a gait that is kept, or at those that the speed brings about."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        return Task(
            make_straight_path(speed * seconds + 10), SpeedProfile(speed), character=name, gait=gait
        )

    return build


def gait_changes(speed: float, seconds: float, seed: int) -> Task:
    """From 1 m/s to the speed asked for: a gait gives way to the next."""
    start_speed = min(1.0, speed)
    return Task(
        make_straight_path(speed * seconds + 40),
        SpeedProfile([start_speed, start_speed, speed], [0.0, 2.0, max(seconds - 1.0, 3.0)]),
        character="anymal",
    )


def rush(speed: float, seconds: float, seed: int) -> Task:
    """One of a herd: each seed another speed, of thirty that are spread evenly up to the one asked
    for, and a lane of its own.
    """
    lane_speed = (
        RUSH_SPEEDS[0] + (speed - RUSH_SPEEDS[0]) * ((seed * 11) % GROUP_SIZE) / (GROUP_SIZE - 1)
        if speed > RUSH_SPEEDS[0]
        else speed
    )
    lane_offset = LANE_SPACING * (seed % GROUP_SIZE - 0.5 * (GROUP_SIZE - 1))
    return Task(
        Path([[0.0, lane_offset], [lane_speed * (seconds + 10), lane_offset]]),
        SpeedProfile(lane_speed),
        character="anymal-large",
    )
