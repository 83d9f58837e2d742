"""Tasks in which a simulated body goes from one thing to another: stones, a course of all that can
be in its way, gaits, jumps.

Each is built from a speed in m/s, a length in s and a seed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..task.jump import Jump
from ..task.push import Push
from ..task.speed import SpeedProfile
from ..task.task import Task
from ..terrain import MeshGround, Slab, join_grounds, make_slab_ground
from ..terrain import make_stepping_stones as stone_ground
from .trials import make_straight_path

Array = NDArray[np.float64]

ENGINE = "preview"
HALF_WIDTH = 3.0  # m of ground to either side
# m that pieces of ground lie over the next, so that each is a solid of its
# own and nothing is between
OVERLAP = 1e-4
LEDGE_TIME = 7.0  # s that climbing and leaping take longer than walking on
STONE_RADIUS = 0.25  # m of a stone
STONE_SPACING = 0.56  # m between the middles of neighbours
STONE_JITTER = 0.03  # m that one lies elsewhere than in its row, along and across


def stones(speed: float, seconds: float, seed: int) -> Task:
    """From a bank over rows of stones, each beside the gaps of the last, to the other bank."""
    places, end = _place_stone_rows(
        2.0, max(speed * seconds - 4.0, 2.0), 0.0, np.random.default_rng(seed)
    )
    ground = join_grounds(
        [
            make_slab_ground(
                [
                    Slab((-20.0, 2.0), (-HALF_WIDTH, HALF_WIDTH)),
                    Slab((end, end + 20.0), (-HALF_WIDTH, HALF_WIDTH)),
                ]
            ),
            stone_ground(places, STONE_RADIUS),
        ]
    )
    return Task(
        make_straight_path(speed * seconds + 6), SpeedProfile(speed), ground=ground, engine=ENGINE
    )


def course(speed: float, seconds: float, seed: int) -> Task:
    """All of it one after the other: a gap, half a metre up and down, a slope up and down, stairs,
    a metre down, stones, a push.
    """
    rng = np.random.default_rng(seed)
    climb = 4.0 * np.tan(np.radians(15.0))
    station = -20.0
    level = 0.0
    pieces = []
    # of each piece its length, what it rises by on the way, and what comes before it:
    # a gap's width or a step's height
    for length, rise, gap, step_height in (
        (22.5, 0.0, 0.0, 0.0),
        (2.5, 0.0, rng.uniform(0.3, 0.6), 0.0),
        (2.5, 0.0, 0.0, 0.5),
        (2.5, 0.0, 0.0, -0.5),
        (4.0, climb, 0.0, 0.0),
        (2.0, 0.0, 0.0, 0.0),
        (4.0, -climb, 0.0, 0.0),
        (2.0, 0.0, 0.0, 0.0),
        *[(0.3, 0.0, 0.0, 0.15)] * 5,
        (2.5, 0.0, 0.0, 0.0),
        (2.5, 0.0, 0.0, -1.0),
    ):
        station = station + gap
        level = level + step_height
        length = length + rng.uniform(0, 0.5) * (length > 2 and not rise)
        pieces.append((station, station + length, level, level + rise))
        station = station + length
        level = level + rise
    places, far_bank = _place_stone_rows(station, 3.0, level, rng)
    pieces.append((far_bank, far_bank + 20.0, level, level))
    ground = join_grounds([_build_ground(pieces), stone_ground(places, STONE_RADIUS)])
    angle = rng.uniform(0, 2 * np.pi)
    push = Push(
        (far_bank + 1.5) / speed + LEDGE_TIME,
        (200 * np.cos(angle), 200 * np.sin(angle), 0.0),
        0.1,
        "chest",
    )
    return Task(
        make_straight_path(far_bank + 6.0),
        SpeedProfile(speed),
        ground=ground,
        pushes=(push,),
        engine=ENGINE,
    )


def transitions(speed: float, seconds: float, seed: int) -> Task:
    """Stands, walks, runs, walks and stands, over and over every 14 s."""
    walk = 0.48 * speed
    times = []
    speeds = []
    for k in range(int(seconds // 14) + 1):
        times += [14.0 * k + t for t in (0.5, 1.5, 4.0, 6.0, 8.5, 10.0, 12.0, 13.0)]
        speeds += [0.0, walk, walk, speed, speed, walk, walk, 0.0]
    return Task(
        make_straight_path(speed * seconds + 10),
        SpeedProfile(speeds, times),
        start="standing",
        engine=ENGINE,
    )


def jumps(speed: float, seconds: float, seed: int) -> Task:
    """Every 2.5 s a jump of 8 to 20 cm."""
    rng = np.random.default_rng(seed)
    jump_list = tuple(
        Jump(2.0 + 2.5 * k, rng.uniform(0.08, 0.2))
        for k in range(max(int((seconds - 2.5) / 2.5) + 1, 1))
    )
    return Task(
        make_straight_path(speed * seconds + 10),
        SpeedProfile(speed),
        jumps=jump_list,
        engine=ENGINE,
    )


def _place_stone_rows(
    begin: float, length: float, level: float, rng: np.random.Generator
) -> tuple[Array, float]:
    """Places (n, 3) of stones from a bank on for about a length,
    and where the other bank begins.
    """
    first_row = begin + STONE_RADIUS + STONE_JITTER + 0.02
    row_count = max(round(length / STONE_SPACING), 1)
    rows = [
        (first_row + STONE_SPACING * k, STONE_SPACING * (j + 0.5 * (k % 2)), level)
        for k in range(row_count)
        for j in (-1, 0, 1)
    ]
    places = np.array(rows) + rng.uniform(-STONE_JITTER, STONE_JITTER, (len(rows), 3)) * (1, 1, 0)
    return places, first_row + STONE_SPACING * (row_count - 1) + STONE_RADIUS + STONE_JITTER + 0.02


def _build_ground(pieces: list[tuple[float, float, float, float]]) -> MeshGround:
    """Ground along x: of each piece where it begins and ends, and its heights there."""
    vertices = [
        (x, y, z)
        for begin, end, low, high in pieces
        for x, y, z in (
            (begin, -HALF_WIDTH, low),
            (end + OVERLAP, -HALF_WIDTH, high),
            (end + OVERLAP, HALF_WIDTH, high),
            (begin, HALF_WIDTH, low),
        )
    ]
    corner = 4 * np.arange(len(pieces))[:, None]
    return MeshGround(vertices, np.concatenate([corner + (0, 1, 2), corner + (0, 2, 3)]))
