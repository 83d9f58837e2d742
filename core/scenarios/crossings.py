"""Scenarios of a simulated body that changes its motion: stones, obstacles, gaits, jumps.

Each function returns a task for a speed [m/s], a length [s] and a seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..task.jump import Jump
from ..task.profile import SpeedProfile
from ..task.push import Push
from ..task.task import Task
from ..terrain import Slab, join_grounds, make_slab_ground
from ..terrain import make_stepping_stones as stone_ground
from .simulated import ENGINE, HALF_WIDTH, Strip, build_strips
from .trials import make_straight_path

Array = NDArray[np.float64]

# Extra time for climbing and leaping [s], compared with walking on level ground.
LEDGE_TIME = 7.0
# Radius of a stone [m].
STONE_RADIUS = 0.25
# Distance between the centers of adjacent stones [m].
STONE_SPACING = 0.56
# Maximum random offset of a stone along x and y [m].
STONE_JITTER = 0.03


def stones(speed: float, seconds: float, seed: int) -> Task:
    """Walk from one bank to another over staggered rows of stones."""
    rows = _place_stone_rows(2.0, max(speed * seconds - 4.0, 2.0), 0.0, np.random.default_rng(seed))
    ground = join_grounds(
        [
            make_slab_ground(
                [
                    Slab((-20.0, 2.0), (-HALF_WIDTH, HALF_WIDTH)),
                    Slab((rows.far_bank, rows.far_bank + 20.0), (-HALF_WIDTH, HALF_WIDTH)),
                ]
            ),
            stone_ground(rows.places, STONE_RADIUS),
        ]
    )
    return Task(
        make_straight_path(speed * seconds + 6), SpeedProfile(speed), ground=ground, engine=ENGINE
    )


@dataclass(frozen=True)
class _CoursePiece:
    """A piece of the course.

    Args:
        length: along x [m].
        rise: from its start to its end [m].
        gap: width of the gap before it [m].
        step: height of the step before it [m].
    """

    length: float
    rise: float = 0.0
    gap: float = 0.0
    step: float = 0.0


def _list_course_pieces(gap: float) -> list[_CoursePiece]:
    climb = 4.0 * np.tan(np.radians(15.0))
    return [
        _CoursePiece(22.5),
        _CoursePiece(2.5, gap=gap),
        _CoursePiece(2.5, step=0.5),
        _CoursePiece(2.5, step=-0.5),
        _CoursePiece(4.0, rise=climb),
        _CoursePiece(2.0),
        _CoursePiece(4.0, rise=-climb),
        _CoursePiece(2.0),
        *[_CoursePiece(0.3, step=0.15)] * 5,
        _CoursePiece(2.5),
        _CoursePiece(2.5, step=-1.0),
    ]


def course(speed: float, seconds: float, seed: int) -> Task:
    """Walk over all obstacles in turn, with a push at the end.

    They are a gap, half a meter up and down, a slope up and down, stairs, a meter down, and stones.
    """
    rng = np.random.default_rng(seed)
    station = -20.0
    level = 0.0
    strips = []
    for piece in _list_course_pieces(rng.uniform(0.3, 0.6)):
        station = station + piece.gap
        level = level + piece.step
        length = piece.length + rng.uniform(0, 0.5) * (piece.length > 2 and not piece.rise)
        strips.append(Strip(station, station + length, level, level + piece.rise))
        station = station + length
        level = level + piece.rise
    rows = _place_stone_rows(station, 3.0, level, rng)
    strips.append(Strip(rows.far_bank, rows.far_bank + 20.0, level, level))
    ground = join_grounds([build_strips(strips), stone_ground(rows.places, STONE_RADIUS)])
    angle = rng.uniform(0, 2 * np.pi)
    push = Push(
        (rows.far_bank + 1.5) / speed + LEDGE_TIME,
        (200 * np.cos(angle), 200 * np.sin(angle), 0.0),
        0.1,
        "chest",
    )
    return Task(
        make_straight_path(rows.far_bank + 6.0),
        SpeedProfile(speed),
        ground=ground,
        pushes=(push,),
        engine=ENGINE,
    )


def transitions(speed: float, seconds: float, seed: int) -> Task:
    """Stand, walk, run, walk and stand, every 14 s again."""
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
    """Jump every 2.5 s, 8 to 20 cm high."""
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


@dataclass(frozen=True)
class _StoneRows:
    """Rows of stones between two banks.

    Args:
        places: (n, 3) centers of the tops [m].
        far_bank: x of the other bank [m].
    """

    places: Array
    far_bank: float


def _place_stone_rows(
    begin: float, length: float, level: float, rng: np.random.Generator
) -> _StoneRows:
    """Return staggered rows of stones.

    Args:
        begin: x of the first bank [m].
        length: approximate extent of the rows [m].
        level: height of the tops [m].
    """
    first_row = begin + STONE_RADIUS + STONE_JITTER + 0.02
    row_count = max(round(length / STONE_SPACING), 1)
    rows = [
        (first_row + STONE_SPACING * k, STONE_SPACING * (j + 0.5 * (k % 2)), level)
        for k in range(row_count)
        for j in (-1, 0, 1)
    ]
    places = np.array(rows) + rng.uniform(-STONE_JITTER, STONE_JITTER, (len(rows), 3)) * (1, 1, 0)
    last_row = first_row + STONE_SPACING * (row_count - 1)
    return _StoneRows(places, last_row + STONE_RADIUS + STONE_JITTER + 0.02)
