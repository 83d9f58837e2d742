"""Tasks for bodies of other builds than people's: on one leg, on four, six or eight, and robots on two.

Each is built from a speed in m/s, a length in s and a seed.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..character.builtin import builtin
from ..character.reach import reaches
from ..task.path import Path
from ..task.speed import SpeedProfile
from ..task.task import Task
from ..terrain import HeightField, rolling_hills
from .trials import straight

Build = Callable[[float, float, int], Task]

BUMP = 0.13           # leg lengths, height of the highest bump
SLOPE = 10.0          # degrees, of the steepest hill
HERD, LANE = 30, 3.5   # large ones that rush at once, m between them
RUSH = (1.0, 8.0)     # m/s, the slowest and the fastest of a herd


def over_hills(name: str) -> Build:
    """Over hills and bumps as high as suits the legs."""
    def build(speed: float, seconds: float, seed: int) -> Task:
        # the hills of a man, as many legs long
        size = float(np.mean(reaches(builtin(name))) / np.mean(reaches(builtin("humanoid"))))
        hills = rolling_hills(np.random.default_rng(seed), speed * seconds / size + 12, 10.0,
                              bump=BUMP * builtin(name).leg_length / size,
                              slope_deg=SLOPE)
        ground = HeightField(hills.heights * size, hills.origin * size, hills.spacing * size)
        return Task(straight(speed * seconds + 4 * size), SpeedProfile(speed), character=name, ground=ground)

    return build


def at_a_gait(name: str, gait: str | None = None) -> Build:
    """Straight on, at a gait that is kept, or at those that the speed brings about."""
    def build(speed: float, seconds: float, seed: int) -> Task:
        return Task(straight(speed * seconds + 10), SpeedProfile(speed), character=name, gait=gait)

    return build


def gaits(speed: float, seconds: float, seed: int) -> Task:
    """From 1 m/s to the speed asked for: a gait gives way to the next."""
    slow = min(1.0, speed)
    return Task(straight(speed * seconds + 40), SpeedProfile([slow, slow, speed], [0.0, 2.0, max(seconds - 1.0, 3.0)]),
                character="anymal")


def rush(speed: float, seconds: float, seed: int) -> Task:
    """One of a herd: each seed another speed, of thirty that are spread evenly up to the one asked for, and a lane of its own."""
    own = RUSH[0] + (speed - RUSH[0]) * ((seed * 11) % HERD) / (HERD - 1) if speed > RUSH[0] else speed
    lane = LANE * (seed % HERD - 0.5 * (HERD - 1))
    return Task(Path([[0.0, lane], [own * (seconds + 10), lane]]), SpeedProfile(own), character="anymal-large")
