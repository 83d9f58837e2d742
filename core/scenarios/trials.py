"""Scenarios of obstacles (gaps, hurdles, stones, boxes, stairs), pushes and jumps.

Each function returns a task for a speed [m/s], a length [s] and a seed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import terrain
from ..task.bars import MonkeyBars
from ..task.hurdle import Hurdle
from ..task.jump import Jump
from ..task.path import Path
from ..task.profile import SpeedProfile
from ..task.push import Push
from ..task.stones import SteppingStones
from ..task.task import Task
from ..terrain import (
    MeshGround,
    Slab,
    cut_gaps,
    find_island_centers,
    join_grounds,
    make_rolling_hills,
    make_slab_ground,
)

Array = NDArray[np.float64]


def make_straight_path(length: float) -> Path:
    """Return a path of a length [m] along x."""
    return Path([[0.0, 0.0], [length, 0.0]])


def leap(speed: float, seconds: float, seed: int) -> Task:
    """Run over gaps of 3 m, with 2 to 2.5 m of ground between them."""
    rng = np.random.default_rng(seed)
    half_width = 3.0
    station = 4.0
    pieces = [Slab((-20.0, station), (-half_width, half_width))]
    while station < speed * seconds + 20:
        begin = station + 3.0
        station = begin + rng.uniform(2.0, 2.5)
        pieces.append(Slab((begin, station), (-half_width, half_width)))
    return Task(
        make_straight_path(speed * seconds + 10),
        SpeedProfile(speed),
        ground=make_slab_ground(pieces),
        style="run",
    )


def hurdles(speed: float, seconds: float, seed: int) -> Task:
    """Run over hurdles of 0.6 m, 7.4 to 9 m apart, with three or four steps between them."""
    rng = np.random.default_rng(seed)
    hurdle_list = []
    station = 6.0
    while station < speed * seconds + 10:
        hurdle_list.append(Hurdle((station, 0.6), (station, -0.6), 0.6))
        station += rng.uniform(7.4, 9.0)
    return Task(
        make_straight_path(speed * seconds + 25),
        SpeedProfile(speed),
        hurdles=tuple(hurdle_list),
        style="run",
    )


def terrain_leap(speed: float, seconds: float, seed: int) -> Task:
    """Run over gaps of 0.1 to 1 m, with 1 to 1.8 m of hilly ground between them."""
    rng = np.random.default_rng(seed)
    ground = make_rolling_hills(rng, speed * seconds + 15, 8.0)
    gaps = []
    station = 4.0
    while station < speed * seconds + 10:
        gaps.append((station, station + rng.uniform(0.1, 1.0)))
        station = gaps[-1][1] + rng.uniform(1.0, 1.8)
    return Task(
        make_straight_path(speed * seconds + 8),
        SpeedProfile(speed),
        ground=cut_gaps(ground, gaps),
        style="run",
    )


def _scatter_stones(length: float, rng: np.random.Generator) -> Array:
    """Return random centers of stones on a strip 2 m wide, at least 33 cm apart. (n, 2) [m]."""
    places: list[Array] = []
    for place in rng.uniform((2.3, -1.0), (length, 1.0), (int(120 * length), 2)):
        if all(np.hypot(*(place - other)) > 0.33 for other in places):
            places.append(place)
    return np.array(places)


def _make_stone_task(places: Array, height: Array, speed: float, length: float) -> Task:
    """Return a walk from one bank to another over stones.

    Args:
        places: (n, 2) centers of the stones [m].
        height: (n,) of their tops [m].
        speed: [m/s].
        length: from bank to bank [m].
    """
    radius = 0.16
    low = height[places[:, 0] < 4.0].mean()
    high = height[places[:, 0] > length - 2.0].mean()
    banks = make_slab_ground(
        [
            Slab((-20.0, 2.0), (-2.0, 2.0), float(low)),
            Slab((length + 0.5, length + 20.0), (-2.0, 2.0), float(high)),
        ]
    )
    ground = join_grounds(
        [banks, terrain.make_stepping_stones(np.column_stack([places, height]), radius)]
    )
    return Task(
        make_straight_path(length + 12),
        SpeedProfile(speed),
        ground=ground,
        stepping_stones=SteppingStones(find_island_centers(ground)),
        style="walk",
    )


def stones(speed: float, seconds: float, seed: int) -> Task:
    """Walk over randomly scattered stones."""
    rng = np.random.default_rng(seed)
    length = speed * seconds + 6
    places = _scatter_stones(length, rng)
    return _make_stone_task(places, np.zeros(len(places)), speed, length)


def terrain_stones(speed: float, seconds: float, seed: int) -> Task:
    """Walk over randomly scattered stones on hills and bumps."""
    rng = np.random.default_rng(seed)
    length = speed * seconds + 6
    hills = make_rolling_hills(rng, length + 12, 8.0)
    places = _scatter_stones(length, rng)
    return _make_stone_task(places, hills.sample_heights(places), speed, length)


def step_up_down(speed: float, seconds: float, seed: int) -> Task:
    """Walk over boxes 10 to 25 cm high and up to about two steps long."""
    rng = np.random.default_rng(seed)
    half_width = 2.0
    station = 3.0
    floor_length = speed * seconds + 12
    pieces = [Slab((-20.0, floor_length), (-half_width, half_width))]
    while station < floor_length - 3:
        end = station + rng.uniform(0.4, 1.6)
        pieces.append(
            Slab((station, end), (-0.5 * half_width, 0.5 * half_width), rng.uniform(0.1, 0.25))
        )
        station = end + rng.uniform(0.8, 2.0)
    return Task(
        make_straight_path(speed * seconds + 8),
        SpeedProfile(speed),
        ground=make_slab_ground(pieces),
        style="walk",
    )


def stair_walk(speed: float, seconds: float, seed: int) -> Task:
    """Walk flights of ten stairs up and down with landings between them."""
    return Task(
        make_straight_path(speed * seconds + 6),
        SpeedProfile(speed),
        ground=_build_stairs(speed * seconds + 8),
        style="walk",
    )


def stair_forefoot(speed: float, seconds: float, seed: int) -> Task:
    """Walk short flights of stairs with treads of 20 cm, on which only ball and toes have room."""
    ground = _build_stairs(
        speed * seconds + 8, start=1.0, count=4, tread_depth=0.20, landing_length=1.0
    )
    return Task(
        make_straight_path(speed * seconds + 6),
        SpeedProfile(speed),
        ground=ground,
        style="walk",
        tread="forefoot",
    )


def _build_stairs(
    length: float,
    start: float = 3.0,
    count: int = 10,
    tread_depth: float = 0.30,
    landing_length: float = 2.5,
) -> MeshGround:
    """Return flights of stairs up and down alternately, with landings between them.

    Args:
        length: extent along x [m].
        start: x of the first riser [m].
        count: number of stairs of a flight.
        tread_depth: depth of a stair [m].
        landing_length: [m].
    """
    half_width = 1.0
    station = start
    level = 0.0
    rise = 0.17
    pieces = [Slab((-20.0, station), (-half_width, half_width))]
    direction = 1
    while station < length:
        flight = terrain.make_stair_slabs(
            station, count, tread_depth, rise=direction * rise, width=2 * half_width, level=level
        )
        station = flight[-1].x[1] + landing_length
        level = flight[-1].height
        direction = -direction
        pieces += [*flight, Slab((flight[-1].x[1], station), (-half_width, half_width), level)]
    return make_slab_ground(pieces)


def push(speed: float, seconds: float, seed: int) -> Task:
    """Walk with a push every 2.5 s from a random side.

    It acts alternately on the center of mass with 100 to 400 N and on a random part of the body
    with 200 N.
    """
    rng = np.random.default_rng(seed)
    pushes = []
    for k in range(max(int((seconds - 2.0) / 2.5) + 1, 1)):
        body_part = (
            "com"
            if k % 2 == 0
            else str(rng.choice(["head", "hand.L", "hand.R", "pelvis", "foot.L", "foot.R"]))
        )
        strength = rng.uniform(100, 400) if body_part == "com" else 200.0
        angle = rng.uniform(0, 2 * np.pi)
        pushes.append(
            Push(
                1.5 + 2.5 * k,
                (strength * np.cos(angle), strength * np.sin(angle), 0.0),
                0.2,
                body_part,
            )
        )
    return Task(make_straight_path(speed * seconds + 10), SpeedProfile(speed), pushes=tuple(pushes))


def random_jumps(speed: float, seconds: float, seed: int) -> Task:
    """Jump with random heights, distances and directions."""
    jumps: list[Jump] = []
    rng = np.random.default_rng(seed)
    points = [np.zeros(2)]
    heading = 0.0
    take_off = 1.3
    while take_off < seconds or not jumps:
        distance = rng.uniform(0.1, 1.0)
        points.append(points[-1] + distance * np.array([np.cos(heading), np.sin(heading)]))
        heading += rng.uniform(-0.6, 0.6) * np.pi
        jumps.append(Jump(take_off, rng.uniform(0.08, 0.45), distance))
        take_off += rng.uniform(2.4, 2.9)
    points.append(points[-1] + [np.cos(heading), np.sin(heading)])
    return Task(Path(points), SpeedProfile(speed), start="standing", jumps=tuple(jumps))


def super_jumps(speed: float, seconds: float, seed: int) -> Task:
    """Jump seven times as long as in hops of 4 to 8 cm, that is 49 times as high."""
    rng = np.random.default_rng(seed)
    jumps = [Jump(1.3, 49 * rng.uniform(0.04, 0.08), rng.uniform(0.5, 3.0))]
    while jumps[-1].time + 4.5 < seconds:
        jumps.append(
            Jump(
                jumps[-1].time + 4.5,
                49 * rng.uniform(0.04, 0.08),
                rng.uniform(0.5, 3.0),
                rng.uniform(-1, 1) * np.pi,
            )
        )
    return Task(
        make_straight_path(3.0 * len(jumps) + 1),
        SpeedProfile(speed),
        start="standing",
        jumps=tuple(jumps),
    )


def super_flips(speed: float, seconds: float, seed: int) -> Task:
    """Flip once or twice, forward and backward."""
    jumps: list[Jump] = []
    rng = np.random.default_rng(seed)
    take_off = 1.3
    while take_off < seconds or not jumps:
        count = 1 + len(jumps) % 2
        direction = 1 if len(jumps) % 4 < 2 else -1
        jumps.append(
            Jump(
                take_off,
                (0.5 + 0.5 * count) * rng.uniform(0.9, 1.2),
                direction * rng.uniform(0.3, 0.8),
                flips=direction * count,
            )
        )
        take_off += 3.6
    return Task(
        make_straight_path(2.0 * len(jumps) + 1),
        SpeedProfile(speed),
        start="standing",
        jumps=tuple(jumps),
    )


def monkeybars(speed: float, seconds: float, seed: int) -> Task:
    """Move along rungs 34 to 40 cm apart at a height of about 2.4 m, as many as time allows."""
    rng = np.random.default_rng(seed)
    rungs = [np.array([0.0, 0.0, 2.4])]
    while rungs[-1][0] < speed * (seconds - 2.0) or len(rungs) < 4:
        rungs.append(
            np.array([rungs[-1][0] + rng.uniform(0.34, 0.40), 0.0, 2.4 + rng.uniform(-0.02, 0.02)])
        )
    return Task(
        make_straight_path(rungs[-1][0] + 1),
        SpeedProfile(speed),
        start="standing",
        monkey_bars=MonkeyBars(rungs),
    )
