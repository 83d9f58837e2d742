"""Scenarios of the engine that walks in the plane of a straight path.

Each function returns a task for a speed [m/s], a length [s] and a seed.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np

from ..task.profile import SpeedProfile
from ..task.push import Push
from ..task.task import Task
from ..terrain import BridgeTerrain, Slab, SpongyTerrain, make_slab_ground, make_stair_slabs
from .scenario import Scenario
from .simulated import HALF_WIDTH, Strip, build_strips
from .trials import make_straight_path

# Name of the engine.
ENGINE = "tracker"
# Force per depth of a heel or ball of the spongy mat [N/m]
SOFTNESS = 10_000.0
# A walk that is leaned back and springs, written by scripts/small_data.py.
CLIP = Path(__file__).parent / "clips" / "saunter.bvh"


def walk(speed: float, seconds: float, seed: int) -> Task:
    """Walk straight on."""
    return Task(make_straight_path(speed * seconds + 10), SpeedProfile(speed), engine=ENGINE)


def push(speed: float, seconds: float, seed: int) -> Task:
    """Walk with a push of 300 N on the chest from the front every 3 s."""
    times = np.arange(2.0, max(seconds, 2.1), 3.0)
    return replace(
        walk(speed, seconds, seed),
        pushes=tuple(Push(float(t), (-300.0, 0.0, 0.0), 0.1, "chest") for t in times),
    )


def old(speed: float, seconds: float, seed: int) -> Task:
    """Walk like an old person."""
    return replace(walk(speed, seconds, seed), style="old")


def slopes(speed: float, seconds: float, seed: int) -> Task:
    """Walk up slopes of 8 degrees and down slopes of 12 degrees, with level ground between them."""
    strips = [Strip(-20.0, 3.0, 0.0, 0.0)]
    angles = cycle(np.radians([8.0, 0.0, -12.0, 0.0]))
    while strips[-1].end < 1.3 * speed * seconds + 10:
        last = strips[-1]
        angle = next(angles)
        length = 4.0 if angle else 2.5
        strips.append(
            Strip(
                last.end,
                last.end + length,
                last.end_height,
                last.end_height + length * np.tan(angle),
            )
        )
    return replace(walk(speed, seconds, seed), ground=build_strips(strips))


def clip(speed: float, seconds: float, seed: int) -> Task:
    """Walk as a clip shows; `footfall run --style` takes another one."""
    return replace(walk(speed, seconds, seed), style=str(CLIP))


def gaps(speed: float, seconds: float, seed: int) -> Task:
    """Cross gaps of 0.1 to 0.35 m, 0.8 to 1.8 m apart."""
    rng = np.random.default_rng(seed)
    end = 2.5
    pieces = [Slab((-20.0, end), (-HALF_WIDTH, HALF_WIDTH))]
    while end < speed * seconds:
        begin = end + rng.uniform(0.1, 0.35)
        end = begin + rng.uniform(0.8, 1.8)
        pieces.append(Slab((begin, end), (-HALF_WIDTH, HALF_WIDTH)))
    pieces.append(Slab((end, end + speed * seconds + 20.0), (-HALF_WIDTH, HALF_WIDTH)))
    return replace(walk(speed, seconds, seed), ground=make_slab_ground(pieces))


def jumps(speed: float, seconds: float, seed: int) -> Task:
    """Jump on both feet, again and again, from a deep squat to straight legs."""
    return replace(walk(speed, seconds, seed), style="jump")


def stairs(speed: float, seconds: float, seed: int) -> Task:
    """Walk eight low stairs up and eight down, with level ground between them."""
    station = 3.0
    level = 0.0
    rise = 0.05
    slabs = [Slab((-20.0, station), (-HALF_WIDTH, HALF_WIDTH))]
    while station < 1.3 * speed * seconds + 10:
        flight = make_stair_slabs(station, 8, 0.6, rise, width=2 * HALF_WIDTH, level=level)
        level = flight[-1].height
        begin = flight[-1].x[1]
        station = begin + 2.5
        slabs += [*flight, Slab((begin, station), (-HALF_WIDTH, HALF_WIDTH), level)]
        rise = -rise
    return replace(walk(speed, seconds, seed), ground=make_slab_ground(slabs))


def spongy(speed: float, seconds: float, seed: int) -> Task:
    """Walk from firm ground onto a spongy mat, which yields by 4 cm."""
    mat = SpongyTerrain((2.5, 0.0), (1.3 * speed * seconds + 10, 0.0), stiffness=SOFTNESS)
    return replace(walk(speed, seconds, seed), ground=mat)


def bridge(speed: float, seconds: float, seed: int) -> Task:
    """Walk over a bridge of 16 links that hangs between two banks and moves."""
    length = max(speed * seconds - 4.5, 4.0)
    end = (2.5 + length, 0.0)
    span = BridgeTerrain((2.5, 0.0), end, links=16, sag=0.04 * length, mass=20.0)
    return replace(walk(speed, seconds, seed), ground=span)


SCENARIOS = [
    Scenario("tracker-walk", "a walk simulated in its plane", 1.3, walk),
    Scenario("tracker-push", "the same with pushes of 300 N from the front", 1.3, push),
    Scenario("tracker-slopes", "the same up and down slopes", 1.3, slopes),
    Scenario("tracker-stairs", "the same up and down low stairs", 1.3, stairs),
    Scenario("tracker-spongy", "the same over a spongy mat", 1.3, spongy),
    Scenario("tracker-bridge", "the same over a bridge of moving links", 1.3, bridge),
    Scenario("tracker-gaps", "over gaps of 0.1 to 0.35 m, with chosen steps", 1.3, gaps),
    Scenario("tracker-jumps", "broad jumps one after another", 1.0, jumps),
    Scenario("tracker-old", "a walk in the style old", 1.0, old),
    Scenario("tracker-clip", "a walk as a clip shows it", 1.1, clip),
]
