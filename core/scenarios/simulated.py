"""Scenarios of a simulated body, which chooses each step while it moves.

Each function returns a task for a speed [m/s], a length [s] and a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..task.path import Path
from ..task.profile import FacingOffset, SpeedProfile
from ..task.projectile import Projectile
from ..task.push import Push
from ..task.task import HOP_GAITS, Task
from ..terrain import MeshGround, Slab, make_slab_ground, make_stair_slabs
from ..terrain.built import SLAB_THICKNESS
from .trials import make_straight_path

# Name of the engine.
ENGINE = "preview"
# Extent of the ground to either side of the path [m], which a body that is pushed does not leave.
HALF_WIDTH = 3.0
# Overlap of consecutive pieces of ground [m], so that each is a separate solid without gaps.
OVERLAP = 1e-4


@dataclass(frozen=True)
class Strip:
    """A plane strip of ground across the path.

    Args:
        begin, end: x of its ends [m].
        begin_height, end_height: heights there [m].
    """

    begin: float
    end: float
    begin_height: float
    end_height: float


def build_strips(strips: Sequence[Strip]) -> MeshGround:
    """Return a ground of strips along x."""
    vertices = [
        (x, y, z)
        for strip in strips
        for x, y, z in (
            (strip.begin, -HALF_WIDTH, strip.begin_height),
            (strip.end + OVERLAP, -HALF_WIDTH, strip.end_height),
            (strip.end + OVERLAP, HALF_WIDTH, strip.end_height),
            (strip.begin, HALF_WIDTH, strip.begin_height),
        )
    ]
    corner = 4 * np.arange(len(strips))[:, None]
    return MeshGround(vertices, np.concatenate([corner + (0, 1, 2), corner + (0, 2, 3)]))


def walk(speed: float, seconds: float, seed: int) -> Task:
    """Walk straight on."""
    return Task(make_straight_path(speed * seconds + 10), SpeedProfile(speed), engine=ENGINE)


def hop(speed: float, seconds: float, seed: int) -> Task:
    """Hop on one leg, the left one for even seeds and the right one for odd ones."""
    return replace(walk(speed, seconds, seed), gait=HOP_GAITS[seed % 2])


def stand(speed: float, seconds: float, seed: int) -> Task:
    """Stand on one spot."""
    return Task(make_straight_path(10.0), SpeedProfile(0.0), start="standing", engine=ENGINE)


def turn_in_place(speed: float, seconds: float, seed: int) -> Task:
    """Turn by 90 degrees to the left, by 180 to the right and by 180 to the left, in place."""
    angles = [0.0, 90.0, 90.0, -90.0, -90.0, 90.0]
    return Task(
        make_straight_path(10.0),
        SpeedProfile(0.0),
        start="standing",
        facing_offset=FacingOffset(angles, [0.5, 2.5, 4.0, 8.0, 9.0, 13.0]),
        engine=ENGINE,
    )


def walk_and_stop(speed: float, seconds: float, seed: int) -> Task:
    """Walk for three seconds and stand for two, repeatedly."""
    times = np.concatenate(
        [[5.0 * k + t for t in (0.0, 3.0, 3.2, 4.8)] for k in range(int(seconds // 5) + 1)]
    )
    speeds = np.tile([speed, speed, 0.0, 0.0], int(seconds // 5) + 1)
    return Task(
        make_straight_path(speed * seconds + 10), SpeedProfile(speeds, times), engine=ENGINE
    )


def corners(speed: float, seconds: float, seed: int) -> Task:
    """Walk around square corners."""
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
    """Cross gaps of 0.25 to 0.9 m, 2 to 3 m apart."""
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
    """Return a scenario with a step every 2 to 3 m, of the given heights [m] in turn."""

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
    """Walk up and down slopes of 15 degrees and 4 m, with 2 m of level ground between them."""
    station = 2.5
    level = 0.0
    k = 0
    rise = 4.0 * np.tan(np.radians(15.0))
    strips = [Strip(-20.0, 2.5, 0.0, 0.0)]
    while station < speed * seconds + 10:
        climb = rise if k % 2 == 0 else -rise
        strips += [
            Strip(station, station + 4.0, level, level + climb),
            Strip(station + 4.0, station + 6.0, level + climb, level + climb),
        ]
        station = station + 6.0
        level = level + climb
        k = k + 1
    return Task(
        make_straight_path(speed * seconds + 6),
        SpeedProfile(speed),
        ground=build_strips(strips),
        engine=ENGINE,
    )


def stair_walk(speed: float, seconds: float, seed: int) -> Task:
    """Walk ten stairs up, a landing, and ten stairs down."""
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
    """Walk with a push of 300 N on the head every 2.5 s, from a random side."""
    rng = np.random.default_rng(seed)
    push_list = []
    for k in range(max(int((seconds - 2.0) / 2.5) + 1, 1)):
        angle = rng.uniform(0, 2 * np.pi)
        push_list.append(
            Push(1.5 + 2.5 * k, (300 * np.cos(angle), 300 * np.sin(angle), 0.0), 0.1, "head")
        )
    return replace(walk(speed, seconds, seed), pushes=tuple(push_list))


def thrown_balls(speed: float, seconds: float, seed: int) -> Task:
    """Walk with a ball thrown every 3 s from a random side, at 8 to 12 m/s."""
    rng = np.random.default_rng(seed)
    projectiles = []
    for k in range(max(int((seconds - 1.5) / 3.0) + 1, 1)):
        projectiles.append(
            Projectile(0.5 + 3.0 * k, rng.uniform(8.0, 12.0), rng.uniform(0, 2 * np.pi))
        )
    return replace(walk(speed, seconds, seed), projectiles=tuple(projectiles))
