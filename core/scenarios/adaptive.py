"""Scenarios of the adaptive engine, whose body walks by the torques of its joints.

Each function returns a task for a speed [m/s], a length [s] and a seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..task.path import Path
from ..task.profile import FacingOffset, SpeedProfile
from ..task.push import Push
from ..task.task import Task
from ..terrain import HeightField
from .trials import make_straight_path

# Name of the engine.
ENGINE = "adaptive"
# Extent of the ground around the path [m], beyond which no push or bend leads.
MARGIN = 8.0
# Length of a slope [m].
SLOPE_LENGTH = 5.0
# Distance of the samples of boxes and stairs, place of the first edge, after six steps of the body,
# and length of a tread [m]: a step of 0.65 m of the trained walk, at the leg length of a human.
EDGE_SPACING = 0.05
FIRST_EDGE = 3.0
TREAD_LENGTH = 0.54
# Side of a box [m]
BOX_LENGTH = 1.0
# Height of stairs up, and largest height of boxes [m]. Tuned: where they are as high as the engine
# steps (`GroundLimits`), soles come to be 14 mm deep in the ground,
# test_scenarios.test_bodies_walk_on_edges
STEP_UP = 0.05
# Length of path between two corners [m], on which a walk settles, and the turns there [deg]: each
# kind once.
LEG_LENGTH = 5.0
CORNER_TURNS = (90.0, -90.0, 180.0)
# Time between two pushes [s], in which a body recovers, and duration of each [s], as in trainings
# (`evaluation.PUSH_SECONDS`).
PUSH_INTERVAL = 2.5
PUSH_SECONDS = 0.1


def walk(speed: float, seconds: float, seed: int) -> Task:
    """Walk straight on."""
    return Task(make_straight_path(speed * seconds + 10), SpeedProfile(speed), engine=ENGINE)


def bend(speed: float, seconds: float, seed: int) -> Task:
    """Walk along wide bends to either side."""
    x = np.linspace(0.0, speed * seconds + 10, 200)
    return replace(
        walk(speed, seconds, seed),
        path=Path(np.column_stack([x, 0.8 * np.sin(x / 4.0) - 0.2 * x])),
    )


def turns(speed: float, seconds: float, seed: int) -> Task:
    """Walk around corners to the left, to the right and back, again and again."""
    count = int(speed * seconds / LEG_LENGTH) + 2
    headings = np.radians(np.cumsum([0.0, *np.resize(CORNER_TURNS, count)]))
    legs = LEG_LENGTH * np.column_stack([np.cos(headings), np.sin(headings)])
    points = np.concatenate([np.zeros((1, 2)), np.cumsum(legs, axis=0)])
    return replace(walk(speed, seconds, seed), path=Path(points))


def backward(speed: float, seconds: float, seed: int) -> Task:
    """Walk straight on, facing backward."""
    return replace(walk(speed, seconds, seed), facing_offset=FacingOffset(180.0))


def sidestep(speed: float, seconds: float, seed: int) -> Task:
    """Step to the left along a straight path."""
    return replace(walk(speed, seconds, seed), facing_offset=FacingOffset(-90.0))


def over_random_field(height: float) -> Callable[[float, float, int], Task]:
    """Return a scenario over random heights from 0 to a maximum [m], 1 m apart."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        """Walk over a random field."""
        rng = np.random.default_rng(seed)
        size = (int(speed * seconds + 3 * MARGIN), int(2 * MARGIN) + 1)
        ground = HeightField(rng.uniform(0.0, height, size), (-MARGIN, -MARGIN), 1.0)
        return replace(walk(speed, seconds, seed), ground=ground)

    return build


def slopes(gradient: float) -> Callable[[float, float, int], Task]:
    """Return a scenario up and down slopes of a gradient, 5 m long each."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        """Walk up and down."""
        count = int(speed * seconds + 3 * MARGIN)
        x = np.arange(count) - MARGIN
        rises = np.where((x // SLOPE_LENGTH) % 2 == 0, gradient, -gradient) * (x >= SLOPE_LENGTH)
        heights = np.concatenate([[0.0], np.cumsum(rises[:-1])])
        ground = HeightField(np.tile(heights[:, None], (1, 17)), (-MARGIN, -MARGIN), 1.0)
        return replace(walk(speed, seconds, seed), ground=ground)

    return build


def stairs(rise: float) -> Callable[[float, float, int], Task]:
    """Return a scenario on stairs with steps of a height [m], negative for stairs down."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        """Walk on stairs that begin after some steps."""
        x = _list_edge_samples(speed * seconds)
        heights = rise * np.ceil(np.maximum(x - FIRST_EDGE, 0.0) / TREAD_LENGTH)
        ground = HeightField(
            np.tile(heights[:, None], (1, 81)), (-MARGIN, -40 * EDGE_SPACING), EDGE_SPACING
        )
        return replace(walk(speed, seconds, seed), ground=ground)

    return build


def boxes(max_height: float) -> Callable[[float, float, int], Task]:
    """Return a scenario on boxes of 1 m by 1 m, with random heights from 0 to a maximum [m]."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        """Walk on boxes that begin after some steps."""
        x = _list_edge_samples(speed * seconds)
        y = np.arange(-MARGIN, MARGIN, EDGE_SPACING)
        columns, rows = (((along + MARGIN) // BOX_LENGTH).astype(int) for along in (x, y))
        rng = np.random.default_rng(seed)
        tops = rng.uniform(0.0, max_height, (columns.max() + 1, rows.max() + 1))
        heights = tops[columns[:, None], rows]
        heights[x <= FIRST_EDGE] = 0.5 * max_height
        ground = HeightField(heights, (-MARGIN, -MARGIN), EDGE_SPACING)
        return replace(walk(speed, seconds, seed), ground=ground)

    return build


def _list_edge_samples(distance: float) -> NDArray[np.float64]:
    """Return where a ground with edges is sampled along a path of a length [m] (n,)."""
    count = int((distance + 3 * MARGIN) / EDGE_SPACING)
    return np.asarray(-MARGIN + EDGE_SPACING * np.arange(count))


def with_character(name: str) -> Callable[[float, float, int], Task]:
    """Return a scenario in which another character walks straight on."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        """Walk straight on as the character."""
        return replace(walk(speed, seconds, seed), character=name)

    return build


def navigate(speed: float, seconds: float, seed: int) -> Task:
    """Walk along wide bends over uneven ground, faster and slower, and stand twice."""
    task = over_random_field(0.05)(speed, seconds, seed)
    x = np.linspace(0.0, speed * seconds + 10, 400)
    shares = [1.0, 1.0, 0.0, 0.0, 1.0, 0.7, 0.7, 1.0, 0.0, 0.0, 1.0]
    parts = [0.0, 0.28, 0.3, 0.36, 0.38, 0.5, 0.6, 0.66, 0.7, 0.78, 0.8]
    return replace(
        task,
        path=Path(np.column_stack([x, 1.2 * np.sin(x / 5.0)])),
        speed=SpeedProfile(speed * np.array(shares), seconds * np.array(parts)),
        start="standing",
    )


def pushes(force: float) -> Callable[[float, float, int], Task]:
    """Return a scenario with pushes of a force [N] on the chest, from random sides.

    A body without a speed stands.
    """

    def build(speed: float, seconds: float, seed: int) -> Task:
        """Walk or stand, and be pushed again and again."""
        rng = np.random.default_rng(seed)
        times = np.arange(1.5, max(seconds - 1.0, 2.0), PUSH_INTERVAL)
        angles = rng.uniform(0.0, 2.0 * np.pi, len(times))
        return replace(
            walk(speed, seconds, seed),
            start="standing" if speed == 0 else "moving",
            pushes=tuple(
                Push(
                    float(time),
                    (float(force * np.cos(angle)), float(force * np.sin(angle)), 0.0),
                    PUSH_SECONDS,
                    body_part="chest",
                )
                for time, angle in zip(times, angles, strict=True)
            ),
        )

    return build
