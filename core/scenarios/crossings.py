"""Tasks in which a simulated body goes from one thing to another: stones, a course of all that can be in its way, gaits, jumps.

Each is built from a speed in m/s, a length in s and a seed.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..task.jump import Jump
from ..task.push import Push
from ..task.speed import SpeedProfile
from ..task.task import Task
from ..terrain import MeshGround, Slab, joined, slabs
from ..terrain import stones as stone_ground
from .trials import straight

Array = NDArray[np.float64]

ENGINE = "preview"
HALF = 3.0            # m of ground to either side
LAP = 1e-4            # m that pieces of ground lie over the next, so that each is a solid of its own and nothing is between
AT_LEDGES = 7.0       # s that climbing and leaping take longer than walking on
RADIUS = 0.25         # m of a stone
APART = 0.56          # m between the middles of neighbours
ASTRAY = 0.03         # m that one lies elsewhere than in its row, along and across


def stones(speed: float, seconds: float, seed: int) -> Task:
    """From a bank over rows of stones, each beside the gaps of the last, to the other bank."""
    places, end = _rows(2.0, max(speed * seconds - 4.0, 2.0), 0.0, np.random.default_rng(seed))
    ground = joined([slabs([Slab((-20.0, 2.0), (-HALF, HALF)), Slab((end, end + 20.0), (-HALF, HALF))]),
                     stone_ground(places, RADIUS)])
    return Task(straight(speed * seconds + 6), SpeedProfile(speed), ground=ground, engine=ENGINE)


def course(speed: float, seconds: float, seed: int) -> Task:
    """All of it one after the other: a gap, half a metre up and down, a slope up and down, stairs, a metre down, stones, a push."""
    rng = np.random.default_rng(seed)
    climb = 4.0 * np.tan(np.radians(15.0))
    at, level, pieces = -20.0, 0.0, []
    # of each piece its length, what it rises by on the way, and what comes before it: a gap's width or a step's height
    for length, up, gap, step in ((22.5, 0.0, 0.0, 0.0), (2.5, 0.0, rng.uniform(0.3, 0.6), 0.0), (2.5, 0.0, 0.0, 0.5),
                                  (2.5, 0.0, 0.0, -0.5), (4.0, climb, 0.0, 0.0), (2.0, 0.0, 0.0, 0.0), (4.0, -climb, 0.0, 0.0),
                                  (2.0, 0.0, 0.0, 0.0), *[(0.3, 0.0, 0.0, 0.15)] * 5, (2.5, 0.0, 0.0, 0.0),
                                  (2.5, 0.0, 0.0, -1.0)):
        at, level, length = at + gap, level + step, length + rng.uniform(0, 0.5) * (length > 2 and not up)
        pieces.append((at, at + length, level, level + up))
        at, level = at + length, level + up
    places, far = _rows(at, 3.0, level, rng)
    pieces.append((far, far + 20.0, level, level))
    ground = joined([_quads(pieces), stone_ground(places, RADIUS)])
    angle = rng.uniform(0, 2 * np.pi)
    push = Push((far + 1.5) / speed + AT_LEDGES, (200 * np.cos(angle), 200 * np.sin(angle), 0.0), 0.1, "chest")
    return Task(straight(far + 6.0), SpeedProfile(speed), ground=ground, pushes=(push,), engine=ENGINE)


def transitions(speed: float, seconds: float, seed: int) -> Task:
    """Stands, walks, runs, walks and stands, over and over every 14 s."""
    walk, times, speeds = 0.48 * speed, [], []
    for k in range(int(seconds // 14) + 1):
        times += [14.0 * k + t for t in (0.5, 1.5, 4.0, 6.0, 8.5, 10.0, 12.0, 13.0)]
        speeds += [0.0, walk, walk, speed, speed, walk, walk, 0.0]
    return Task(straight(speed * seconds + 10), SpeedProfile(speeds, times), start="standing", engine=ENGINE)


def jumps(speed: float, seconds: float, seed: int) -> Task:
    """Every 2.5 s a jump of 8 to 20 cm."""
    rng = np.random.default_rng(seed)
    found = tuple(Jump(2.0 + 2.5 * k, rng.uniform(0.08, 0.2)) for k in range(max(int((seconds - 2.5) / 2.5) + 1, 1)))
    return Task(straight(speed * seconds + 10), SpeedProfile(speed), jumps=found, engine=ENGINE)


def _rows(begin: float, length: float, level: float, rng: np.random.Generator) -> tuple[Array, float]:
    """Places (n, 3) of stones from a bank on for about a length, and where the other bank begins."""
    first, count = begin + RADIUS + ASTRAY + 0.02, max(round(length / APART), 1)
    rows = [(first + APART * k, APART * (j + 0.5 * (k % 2)), level) for k in range(count) for j in (-1, 0, 1)]
    places = np.array(rows) + rng.uniform(-ASTRAY, ASTRAY, (len(rows), 3)) * (1, 1, 0)
    return places, first + APART * (count - 1) + RADIUS + ASTRAY + 0.02


def _quads(pieces: list[tuple[float, float, float, float]]) -> MeshGround:
    """Ground along x: of each piece where it begins and ends, and its heights there."""
    vertices = [(x, y, z) for begin, end, low, high in pieces
                for x, y, z in ((begin, -HALF, low), (end + LAP, -HALF, high), (end + LAP, HALF, high), (begin, HALF, low))]
    corner = 4 * np.arange(len(pieces))[:, None]
    return MeshGround(vertices, np.concatenate([corner + (0, 1, 2), corner + (0, 2, 3)]))
