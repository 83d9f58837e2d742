"""Motions of the engine Side View: exact contacts, pushes, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.safety.judge import MotionBounds, judge_motion
from footfall.core.errors import TaskError
from footfall.core.motion import Motion
from footfall.core.scenarios.simulated import Strip, build_strips
from footfall.core.task import Path, Push, SpeedProfile, Task

TASK = Task(Path([[1, 2], [1, 22]]), SpeedProfile(1.3), seconds=2.0, fps=60, engine="tracker")


@pytest.fixture(scope="module")
def pushed() -> Motion:
    return generate(replace(TASK, pushes=(Push(0.8, (0, -300, 0), 0.1, "chest"),)))


def test_pushed_walk_is_sound(pushed: Motion) -> None:
    assert not judge_motion(pushed, TASK.ground, MotionBounds()).flaws


def test_walk_follows_its_path(pushed: Motion) -> None:
    assert np.abs(pushed.com[:, 0] - 1.0).max() < 0.1
    assert 1.8 < np.ptp(pushed.com[:, 1]) < 2.6


def test_resting_feet_stay_in_place(pushed: Motion) -> None:
    for point in range(pushed.contact_active.shape[1]):
        rests = pushed.contact_active[:-1, point] & pushed.contact_active[1:, point]
        moved = np.linalg.norm(np.diff(pushed.contact_position[:, point], axis=0), axis=1)
        assert moved[rests].max(initial=0.0) < 1e-3


def test_push_is_in_the_motion(pushed: Motion) -> None:
    assert pushed.push_force[:, 1].min() == pytest.approx(-300, abs=1.0)


def test_walk_on_slopes_is_sound() -> None:
    strips = [Strip(-20.0, 1.5, 0.0, 0.0), Strip(1.5, 12.0, 0.0, -10.5 * np.tan(np.radians(12)))]
    task = replace(TASK, path=Path([[0, 0], [20, 0]]), ground=build_strips(strips))
    motion = generate(task)
    assert not judge_motion(motion, task.ground, MotionBounds()).flaws
    assert motion.com[-1, 2] < motion.com[0, 2] - 0.1


def test_speed_follows_its_profile() -> None:
    walk = generate(replace(TASK, speed=SpeedProfile([1.1, 1.3], [0.0, 1.5]), seconds=3.0))
    pace = np.diff(walk.com[:, 1]) * walk.fps
    assert pace[:60].mean() == pytest.approx(1.13, abs=0.08)
    assert pace[-60:].mean() == pytest.approx(1.3, abs=0.08)
    assert not judge_motion(walk, TASK.ground, MotionBounds()).flaws


def test_standstill_is_refused() -> None:
    with pytest.raises(TaskError, match="does not stop"):
        generate(replace(TASK, speed=SpeedProfile([1.2, 0.0], [0.0, 1.0])))


def test_push_on_a_hand_is_refused() -> None:
    with pytest.raises(TaskError, match=r"acts at 'hand\.L'"):
        generate(replace(TASK, pushes=(Push(0.5, (0, 50, 0), 0.1, "hand.L"),)))
