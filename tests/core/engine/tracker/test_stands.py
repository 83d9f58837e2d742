"""Walks that begin and end in a stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.safety.judge import MotionBounds, judge_motion
from footfall.core.errors import TaskError
from footfall.core.motion import Motion
from footfall.core.scenarios.simulated import Strip, build_strips
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.task.task import Start

TASK = Task(
    Path([[1, 2], [1, 9.5]]),
    SpeedProfile(1.3),
    seconds=9.0,
    fps=30,
    engine="tracker",
    start="standing",
    stop_at_end=True,
)


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(TASK)


def test_walk_from_stand_to_stand_is_sound(walk: Motion) -> None:
    assert not judge_motion(walk, TASK.ground, MotionBounds()).flaws


def test_walk_begins_and_ends_at_rest(walk: Motion) -> None:
    speed = np.linalg.norm(np.diff(walk.com, axis=0), axis=1) * walk.fps
    assert speed[0] < 0.02
    assert speed[-5:].max() < 0.02
    assert speed.max() > 1.2
    heel_and_ball = [0, 1, 3, 4]
    assert walk.contact_active[[0, -1]][:, heel_and_ball].all()


def test_feet_stand_at_the_ends_of_the_path(walk: Motion) -> None:
    by_strike = sorted(walk.footsteps, key=lambda step: step.strike)
    first, last = ([f.position[1] for f in pair] for pair in (by_strike[:2], by_strike[-2:]))
    assert first == pytest.approx([2.0, 2.0], abs=0.01)
    assert last == pytest.approx([9.5, 9.5], abs=0.03)


def test_last_foot_comes_beside_the_other_one_without_a_pause(walk: Motion) -> None:
    before, last = sorted(walk.footsteps, key=lambda step: step.strike)[-2:]
    assert last.strike - before.strike < 0.8


def test_short_walk_is_planned_as_a_whole() -> None:
    task = replace(TASK, path=Path([[1, 2], [1, 4]]), seconds=4.0)
    walk = generate(task)
    assert not judge_motion(walk, task.ground, MotionBounds()).flaws
    assert walk.footsteps[-1].position[1] == pytest.approx(4.0, abs=0.04)


def test_start_with_toes_that_roll_far_does_not_fall() -> None:
    path, speed = Path([[0, 0], [9, 0]]), SpeedProfile(1.2)
    walk = generate(replace(TASK, path=path, speed=speed, style="proud", seconds=2.5))
    assert walk.com[-1, 0] > 1.0


@pytest.mark.parametrize("start", ["standing", "moving"])
def test_stop_whose_hip_pauses_does_not_fall(start: Start) -> None:
    path = Path([[0, 0], [5, 0]])
    walk = generate(replace(TASK, path=path, style="march", start=start, seconds=6.0))
    assert 4.7 < walk.com[-1, 0] < 5.3


@pytest.mark.parametrize(("length", "speed"), [(6.0, 1.3), (7.0, 1.5)])
def test_stops_do_not_fall(length: float, speed: float) -> None:
    path = Path([[0, 0], [length, 0]])
    walk = generate(replace(TASK, path=path, speed=SpeedProfile(speed), seconds=length / speed + 3))
    assert length - 0.3 < walk.com[-1, 0] < length + 0.3


def test_stop_on_a_slope_is_refused() -> None:
    strips = [Strip(-20.0, 6.0, 0.0, 0.0), Strip(6.0, 30.0, 0.0, -1.2)]
    task = replace(TASK, path=Path([[0, 0], [8, 0]]), ground=build_strips(strips))
    with pytest.raises(TaskError, match="where the engine 'tracker' stops"):
        generate(task)
