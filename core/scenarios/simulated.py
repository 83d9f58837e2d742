"""Tasks for the engine in which a simulated body finds every step by itself.

Each is built from a speed in m/s, a length in s and a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..task.facing_offset import FacingOffset
from ..task.path import Path
from ..task.projectile import Projectile
from ..task.push import Push
from ..task.speed import SpeedProfile
from ..task.task import HOP_GAITS, Task
from ..terrain import MeshGround, Slab, make_slab_ground, make_stair_slabs
from ..terrain.built import SLAB_THICKNESS
from .trials import make_straight_path

ENGINE = "preview"
HALF_WIDTH = 3.0  # m of ground to either side
# m that pieces of ground lie over the next, so that each is a solid of its
# own and nothing is between
OVERLAP = 1e-4


def walk(speed: float, seconds: float, seed: int) -> Task:
    """Straight on."""
    return Task(make_straight_path(speed * seconds + 10), SpeedProfile(speed), engine=ENGINE)


def hop(speed: float, seconds: float, seed: int) -> Task:
    """On one leg, the left or the right one as the seed has it."""
    return replace(walk(speed, seconds, seed), gait=HOP_GAITS[seed % 2])


def stand(speed: float, seconds: float, seed: int) -> Task:
    """On the spot."""
    return Task(make_straight_path(10.0), SpeedProfile(0.0), start="standing", engine=ENGINE)


def turn_in_place(speed: float, seconds: float, seed: int) -> Task:
    """A quarter turn to one side and the other, and right round."""
    angles = [0.0, 90.0, 90.0, -90.0, -90.0, 90.0]
    return Task(
        make_straight_path(10.0),
        SpeedProfile(0.0),
        start="standing",
        facing_offset=FacingOffset(angles, [0.5, 2.5, 4.0, 8.0, 9.0, 13.0]),
        engine=ENGINE,
    )


def walk_and_stop(speed: float, seconds: float, seed: int) -> Task:
    """Three seconds of walk and two of standing, over and over."""
    times = np.concatenate(
        [[5.0 * k + t for t in (0.0, 3.0, 3.2, 4.8)] for k in range(int(seconds // 5) + 1)]
    )
    speeds = np.tile([speed, speed, 0.0, 0.0], int(seconds // 5) + 1)
    return Task(
        make_straight_path(speed * seconds + 10), SpeedProfile(speeds, times), engine=ENGINE
    )


def corners(speed: float, seconds: float, seed: int) -> Task:
    """Round square corners."""
    side = 3.0
    points = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side), (0.0, 2 * side), (side, 2 * side)]
    lap = np.array(
        [
            (x, y + 2 * side * k)
            for k in range(int(speed * seconds / (5 * side)) + 1)
            for x, y in points
        ]
    )
    return Task(Path(lap), SpeedProfile(speed), engine=ENGINE)


def gaps(speed: float, seconds: float, seed: int) -> Task:
    """Gaps of 0.25 to 0.9 m, 2 to 3 m apart."""
    rng = np.random.default_rng(seed)
    station = 3.0
    pieces = [Slab((-20.0, station), (-HALF_WIDTH, HALF_WIDTH))]
    while station < speed * seconds + 10:
        begin = station + rng.uniform(0.25, 0.9)
        station = begin + rng.uniform(2.0, 3.0)
        pieces.append(Slab((begin, station), (-HALF_WIDTH, HALF_WIDTH)))
    return Task(
        make_straight_path(speed * seconds + 6),
        SpeedProfile(speed),
        ground=make_slab_ground(pieces),
        engine=ENGINE,
    )


def level_changes(heights: Sequence[float]) -> Callable[[float, float, int], Task]:
    """Ground that goes up or down by each of some heights in m, over and over, every 2 to 3 m."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        rng = np.random.default_rng(seed)
        station = -20.0
        level = 0.0
        k = 0
        pieces = []
        while station < speed * seconds + 10:
            end = 3.0 if station < 0 else station + rng.uniform(2.0, 3.0)
            pieces.append(
                Slab(
                    (station, end + OVERLAP),
                    (-HALF_WIDTH, HALF_WIDTH),
                    level,
                    SLAB_THICKNESS + max(map(abs, heights)),
                )
            )
            station = end
            level = level + heights[k % len(heights)]
            k = k + 1
        return Task(
            make_straight_path(speed * seconds + 6),
            SpeedProfile(speed),
            ground=make_slab_ground(pieces),
            engine=ENGINE,
        )

    return build


def inclines(speed: float, seconds: float, seed: int) -> Task:
    """Up and down slopes of 15 degrees, 4 m long, with level ground of 2 m between them."""
    station = 2.5
    level = 0.0
    k = 0
    rise = 4.0 * np.tan(np.radians(15.0))
    pieces = [(-20.0, 2.5, 0.0, 0.0)]
    while station < speed * seconds + 10:
        climb = rise if k % 2 == 0 else -rise
        pieces += [
            (station, station + 4.0, level, level + climb),
            (station + 4.0, station + 6.0, level + climb, level + climb),
        ]
        station = station + 6.0
        level = level + climb
        k = k + 1
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
    ground = MeshGround(vertices, np.concatenate([corner + (0, 1, 2), corner + (0, 2, 3)]))
    return Task(
        make_straight_path(speed * seconds + 6), SpeedProfile(speed), ground=ground, engine=ENGINE
    )


def stair_walk(speed: float, seconds: float, seed: int) -> Task:
    """Ten steps up, a landing, and ten down."""
    station = 3.0
    level = 0.0
    direction = 1
    pieces = [Slab((-20.0, 3.0), (-HALF_WIDTH, HALF_WIDTH))]
    while station < speed * seconds + 8:
        flight = make_stair_slabs(
            station, 10, 0.30, rise=direction * 0.15, width=2 * HALF_WIDTH, level=level
        )
        station = flight[-1].x[1] + 2.5
        level = flight[-1].height
        direction = -direction
        pieces += [*flight, Slab((flight[-1].x[1], station), (-HALF_WIDTH, HALF_WIDTH), level)]
    return Task(
        make_straight_path(speed * seconds + 6),
        SpeedProfile(speed),
        ground=make_slab_ground(pieces),
        engine=ENGINE,
    )


def pushes(speed: float, seconds: float, seed: int) -> Task:
    """Every 2.5 s a push of 300 N on the head from any side."""
    rng = np.random.default_rng(seed)
    push_list = []
    for k in range(max(int((seconds - 2.0) / 2.5) + 1, 1)):
        angle = rng.uniform(0, 2 * np.pi)
        push_list.append(
            Push(1.5 + 2.5 * k, (300 * np.cos(angle), 300 * np.sin(angle), 0.0), 0.1, "head")
        )
    return replace(walk(speed, seconds, seed), pushes=tuple(push_list))


def thrown_balls(speed: float, seconds: float, seed: int) -> Task:
    """Every 3 s a ball from any side, at 8 to 12 m/s."""
    rng = np.random.default_rng(seed)
    projectiles = []
    for k in range(max(int((seconds - 1.5) / 3.0) + 1, 1)):
        projectiles.append(
            Projectile(0.5 + 3.0 * k, rng.uniform(8.0, 12.0), rng.uniform(0, 2 * np.pi))
        )
    return replace(walk(speed, seconds, seed), projectiles=tuple(projectiles))
