"""Tasks with something in the way: gaps, hurdles, stones, boxes, stairs, pushes; and tasks of jumps.

Each is built from a speed in m/s, a length in s and a seed.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import terrain
from ..task.bars import Bars
from ..task.hurdle import Hurdle
from ..task.jump import Jump
from ..task.path import Path
from ..task.push import Push
from ..task.speed import SpeedProfile
from ..task.stones import Stones
from ..task.task import Task
from ..terrain import MeshGround, Slab, cut_out, islands, joined, rolling_hills, slabs

Array = NDArray[np.float64]


def straight(length: float) -> Path:
    """A path along x."""
    return Path([[0.0, 0.0], [length, 0.0]])


def leap(speed: float, seconds: float, seed: int) -> Task:
    """Gaps of 3 m, with 2 to 2.5 m of ground between them."""
    rng, half, at = np.random.default_rng(seed), 3.0, 4.0
    pieces = [Slab((-20.0, at), (-half, half))]
    while at < speed * seconds + 20:
        begin = at + 3.0
        at = begin + rng.uniform(2.0, 2.5)
        pieces.append(Slab((begin, at), (-half, half)))
    return Task(straight(speed * seconds + 10), SpeedProfile(speed), ground=slabs(pieces), style="run")


def hurdles(speed: float, seconds: float, seed: int) -> Task:
    """Hurdles of 0.6 m, 7.4 to 9 m apart: three steps between them, or four."""
    rng, bars, at = np.random.default_rng(seed), [], 6.0
    while at < speed * seconds + 10:
        bars.append(Hurdle((at, 0.6), (at, -0.6), 0.6))
        at += rng.uniform(7.4, 9.0)
    return Task(straight(speed * seconds + 25), SpeedProfile(speed), hurdles=tuple(bars), style="run")


def terrain_leap(speed: float, seconds: float, seed: int) -> Task:
    """Gaps of 0.1 to 1 m, with 1 to 1.8 m of hilly ground between them."""
    rng = np.random.default_rng(seed)
    ground = rolling_hills(rng, speed * seconds + 15, 8.0, bump=0.15, slope_deg=10.0)
    gaps, at = [], 4.0
    while at < speed * seconds + 10:
        gaps.append((at, at + rng.uniform(0.1, 1.0)))
        at = gaps[-1][1] + rng.uniform(1.0, 1.8)
    return Task(straight(speed * seconds + 8), SpeedProfile(speed), ground=cut_out(ground, gaps), style="run")


def _scattered(length: float, rng: np.random.Generator) -> Array:
    """Middles of stones that lie about anyhow, 33 cm from each other at least, on a strip 2 m wide. (n, 2)."""
    found: list[Array] = []
    for place in rng.uniform((2.3, -1.0), (length, 1.0), (int(120 * length), 2)):
        if all(np.hypot(*(place - other)) > 0.33 for other in found):
            found.append(place)
    return np.array(found)


def _on_stones(places: Array, height: Array, speed: float, length: float) -> Task:
    """From a bank over the stones to the other bank."""
    radius = 0.16
    low, high = height[places[:, 0] < 4.0].mean(), height[places[:, 0] > length - 2.0].mean()
    banks = slabs([Slab((-20.0, 2.0), (-2.0, 2.0), float(low)), Slab((length + 0.5, length + 20.0), (-2.0, 2.0), float(high))])
    ground = joined([banks, terrain.stones(np.column_stack([places, height]), radius)])
    return Task(straight(length + 12), SpeedProfile(speed), ground=ground, stones=Stones(islands(ground)), style="walk")


def stones(speed: float, seconds: float, seed: int) -> Task:
    """Over stones that lie about anyhow."""
    rng, length = np.random.default_rng(seed), speed * seconds + 6
    places = _scattered(length, rng)
    return _on_stones(places, np.zeros(len(places)), speed, length)


def terrain_stones(speed: float, seconds: float, seed: int) -> Task:
    """The same over hills and bumps."""
    rng, length = np.random.default_rng(seed), speed * seconds + 6
    hills = rolling_hills(rng, length + 12, 8.0, bump=0.15, slope_deg=10.0)
    places = _scattered(length, rng)
    return _on_stones(places, hills.height(places), speed, length)


def step_up_down(speed: float, seconds: float, seed: int) -> Task:
    """Boxes of 10 to 25 cm, as long as none, one or two steps."""
    rng, half, at = np.random.default_rng(seed), 2.0, 3.0
    floor = speed * seconds + 12
    pieces = [Slab((-20.0, floor), (-half, half))]
    while at < floor - 3:
        end = at + rng.uniform(0.4, 1.6)
        pieces.append(Slab((at, end), (-0.5 * half, 0.5 * half), rng.uniform(0.1, 0.25)))
        at = end + rng.uniform(0.8, 2.0)
    return Task(straight(speed * seconds + 8), SpeedProfile(speed), ground=slabs(pieces), style="walk")


def stair_walk(speed: float, seconds: float, seed: int) -> Task:
    """Flights of ten stairs up and down with landings between them."""
    return Task(straight(speed * seconds + 6), SpeedProfile(speed), ground=_flights(speed * seconds + 8), style="walk")


def stair_forefoot(speed: float, seconds: float, seed: int) -> Task:
    """Shorter ones with treads of 20 cm, on which a foot of 26 cm has no room: ball and toes alone stand on them."""
    ground = _flights(speed * seconds + 8, start=1.0, count=4, tread=0.20, landing=1.0)
    return Task(straight(speed * seconds + 6), SpeedProfile(speed), ground=ground, style="walk", tread="forefoot")


def _flights(length: float, start: float = 3.0, count: int = 10, tread: float = 0.30, landing: float = 2.5) -> MeshGround:
    """Stairs up, a landing, as many down, a landing, and so on over a length; lengths in m, `tread` is the depth of one."""
    half, at, level, rise = 1.0, start, 0.0, 0.17
    pieces, up = [Slab((-20.0, at), (-half, half))], 1
    while at < length:
        flight = terrain.stairs(at, count, tread, up * rise, 2 * half, level)
        at, level, up = flight[-1].x[1] + landing, flight[-1].height, -up
        pieces += [*flight, Slab((flight[-1].x[1], at), (-half, half), level)]
    return slabs(pieces)


def push(speed: float, seconds: float, seed: int) -> Task:
    """Every 2.5 s a push from any side: at the centre of mass with 100 to 400 N, and with 200 N at a part of the body."""
    rng, pushes = np.random.default_rng(seed), []
    for k in range(max(int((seconds - 2.0) / 2.5) + 1, 1)):
        place = "com" if k % 2 == 0 else str(rng.choice(["head", "hand.L", "hand.R", "pelvis", "foot.L", "foot.R"]))
        size = rng.uniform(100, 400) if place == "com" else 200.0
        angle = rng.uniform(0, 2 * np.pi)
        pushes.append(Push(1.5 + 2.5 * k, (size * np.cos(angle), size * np.sin(angle), 0.0), 0.2, place))
    return Task(straight(speed * seconds + 10), SpeedProfile(speed), pushes=tuple(pushes))


def random_jumps(speed: float, seconds: float, seed: int) -> Task:
    """Jumps of any height, each the way that it happens to."""
    jumps: list[Jump] = []
    rng, points, heading, at = np.random.default_rng(seed), [np.zeros(2)], 0.0, 1.3
    while at < seconds or not jumps:
        reach = rng.uniform(0.1, 1.0)
        points.append(points[-1] + reach * np.array([np.cos(heading), np.sin(heading)]))
        heading += rng.uniform(-0.6, 0.6) * np.pi
        jumps.append(Jump(at, rng.uniform(0.08, 0.45), reach))
        at += rng.uniform(2.4, 2.9)
    points.append(points[-1] + [np.cos(heading), np.sin(heading)])
    return Task(Path(points), SpeedProfile(speed), start="standing", jumps=tuple(jumps))


def super_jumps(speed: float, seconds: float, seed: int) -> Task:
    """Seven times as long in the air as the hops of 4 to 8 cm that people make between two jumps."""
    rng = np.random.default_rng(seed)
    jumps = [Jump(1.3, 49 * rng.uniform(0.04, 0.08), rng.uniform(0.5, 3.0))]
    while jumps[-1].time + 4.5 < seconds:
        jumps.append(Jump(jumps[-1].time + 4.5, 49 * rng.uniform(0.04, 0.08), rng.uniform(0.5, 3.0), rng.uniform(-1, 1) * np.pi))
    return Task(straight(3.0 * len(jumps) + 1), SpeedProfile(speed), start="standing", jumps=tuple(jumps))


def super_flips(speed: float, seconds: float, seed: int) -> Task:
    """Flips forward and backward, one or two of them."""
    jumps: list[Jump] = []
    rng, at = np.random.default_rng(seed), 1.3
    while at < seconds or not jumps:
        count = 1 + len(jumps) % 2
        way = 1 if len(jumps) % 4 < 2 else -1
        jumps.append(Jump(at, (0.5 + 0.5 * count) * rng.uniform(0.9, 1.2), way * rng.uniform(0.3, 0.8), flips=way * count))
        at += 3.6
    return Task(straight(2.0 * len(jumps) + 1), SpeedProfile(speed), start="standing", jumps=tuple(jumps))


def monkeybars(speed: float, seconds: float, seed: int) -> Task:
    """Rungs 34 to 40 cm apart, at 2.4 m and a few centimetres up or down, as many as there is time for."""
    rng, rungs = np.random.default_rng(seed), [np.array([0.0, 0.0, 2.4])]
    while rungs[-1][0] < speed * (seconds - 2.0) or len(rungs) < 4:
        rungs.append(np.array([rungs[-1][0] + rng.uniform(0.34, 0.40), 0.0, 2.4 + rng.uniform(-0.02, 0.02)]))
    return Task(straight(rungs[-1][0] + 1), SpeedProfile(speed), start="standing", bars=Bars(rungs))
