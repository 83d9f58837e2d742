"""Scenarios of bodies other than people: on one, four, six or eight legs, and robots on two.

Each function returns a task for a speed [m/s], a length [s] and a seed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..character.load import load_builtin
from ..character.reach import compute_leg_reaches
from ..task.path import Path
from ..task.profile import SpeedProfile
from ..task.task import Task
from ..terrain import HeightField, make_rolling_hills
from .trials import make_straight_path

TaskBuilder = Callable[[float, float, int], Task]

# Height of the bumps in leg lengths, somewhat lower than `terrain.height_field.BUMP_HEIGHT` of a
# human; the paper does not say how high those of its terrain are.
BUMP_HEIGHT = 0.13
# Number of bodies in a group, and distance of their lanes [m], which is more than their legs
# spread.
GROUP_SIZE = 30
LANE_SPACING = 3.5
# Speeds of the slowest and the fastest body of a group [m/s].
RUSH_SPEEDS = (1.0, 8.0)


def over_hills(name: str) -> TaskBuilder:
    """Return a scenario over hills and bumps in proportion to the legs of a character."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        # The hills are those of a human, scaled by the ratio of the leg lengths.
        leg_ratio = float(
            np.mean(compute_leg_reaches(load_builtin(name)))
            / np.mean(compute_leg_reaches(load_builtin("humanoid")))
        )
        hills = make_rolling_hills(
            np.random.default_rng(seed),
            speed * seconds / leg_ratio + 12,
            10.0,
            bump_height=BUMP_HEIGHT * load_builtin(name).leg_length / leg_ratio,
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
    """Return a scenario straight on at one gait, or at the gaits that result from the speed."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        return Task(
            make_straight_path(speed * seconds + 10), SpeedProfile(speed), character=name, gait=gait
        )

    return build


def gait_changes(speed: float, seconds: float, seed: int) -> Task:
    """Accelerate from 1 m/s to the given speed through several gaits."""
    start_speed = min(1.0, speed)
    return Task(
        make_straight_path(speed * seconds + 40),
        SpeedProfile([start_speed, start_speed, speed], [0.0, 2.0, max(seconds - 1.0, 3.0)]),
        character="anymal",
    )


def rush(speed: float, seconds: float, seed: int) -> Task:
    """Run as one body of a group. The seed selects its lane and its speed.

    The speeds of the group are evenly spaced up to the given one.
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
