"""A body that is driven, and the choice of its controllers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine import ENGINES
from footfall.core.engine.adaptive import user_controllers
from footfall.core.engine.adaptive.driver import AdaptiveDriver
from footfall.core.engine.adaptive.gait_choice import (
    MotionRequest,
    find_requested_movement,
)
from footfall.core.engine.adaptive.movement_choice import (
    can_change,
    find_drive_problem,
    find_moving_gait,
)
from footfall.core.engine.adaptive.movements import HALF_CYCLE_TIME, find_movement
from footfall.core.engine.adaptive.parameters import GaitParameters
from footfall.core.engine.adaptive.planner import HalfCycleTiming
from footfall.core.engine.adaptive.shipped import load_shipped_gaits
from footfall.core.engine.base import DriveCommand
from footfall.core.errors import MotionError, TaskError
from footfall.core.motion.splice import join_parts
from footfall.core.task import Path, Push, SpeedProfile, Task

TASK = Task(Path([[1, 2], [4, 2]]), SpeedProfile(0.0), fps=24.0)
STAND = find_movement("stand").start
GAITS = {
    **load_shipped_gaits(),
    "stand": STAND,
    "left": find_movement("left").start,
    "stand-forward": GaitParameters(STAND.first, STAND.first, (0.35, 0.55)),
    "stand-left": GaitParameters(STAND.first, STAND.first, (0.1, 0.15)),
    "left-stand": GaitParameters(STAND.first, STAND.first, (0.1, 0.05)),
}


def test_bodies_are_driven_once_there_are_controllers_to_set_off() -> None:
    assert "cannot be driven" in find_drive_problem({"stand", "forward"})
    assert not find_drive_problem({"stand", "forward", "stand-forward"})
    assert not ENGINES["adaptive"].find_drive_problem()
    assert not ENGINES["centroidal"].find_drive_problem()


def test_movements_are_chosen_by_the_direction_relative_to_the_body() -> None:
    names = [find_moving_gait(np.radians(angle)) for angle in (10, 100, -80, 170, -190)]
    assert names == ["forward", "right", "left", "backward", "backward"]
    slow = MotionRequest(0.1, 0.0, 0.0)
    assert find_requested_movement(slow, HALF_CYCLE_TIME) == "stand"
    assert find_requested_movement(replace(slow, speed=1.0), HALF_CYCLE_TIME) == "forward"
    assert can_change(GAITS, "stand", "right")
    assert can_change(GAITS, "stand", "forward")
    assert can_change(GAITS, "left", "right")
    assert can_change(GAITS, "left", "backward")
    assert not can_change({"stand", "left"}, "stand", "left")
    assert not can_change({}, "stand", "left")


def test_constants_that_blender_reads_are_those_of_the_simulation() -> None:
    assert pytest.approx(HalfCycleTiming().half_cycle_time) == HALF_CYCLE_TIME


def test_a_driven_body_stands_takes_pushes_and_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_controllers, "load_shipped_gaits", lambda: GAITS)
    driver = AdaptiveDriver(TASK)
    standing = DriveCommand(0.0)
    parts = [driver.advance(standing) for _ in range(3)]
    push = Push(0.0, (40.0, 30.0, 0.0), 0.2)
    pushed = driver.advance(replace(standing, pushes=(push,)))
    assert np.linalg.norm(pushed.push_force, axis=1).max() > 30
    driver.undo_last()
    parts.append(driver.advance(standing))
    assert not np.array_equal(parts[-1].link_position, pushed.link_position)
    driver.undo_last()
    again = driver.advance(replace(standing, pushes=(push,)))
    assert np.array_equal(again.link_position, pushed.link_position)
    throwing = Push(0.0, (900.0, 600.0, 0.0), 0.3)
    parts[-1] = again
    parts.append(driver.advance(replace(standing, pushes=(throwing,))))
    while "the body has fallen" not in parts[-1].report.notes:
        parts.append(driver.advance(standing))
    for _ in range(12):
        parts.append(driver.advance(standing))
    with pytest.raises(MotionError, match="has fallen"):
        driver.advance(standing)
    motion = join_parts(parts)
    assert motion.com[0] == pytest.approx([1.03, 2.0, 0.9], abs=0.05)
    assert np.abs(motion.com[:12] - motion.com[0]).max() < 0.03
    assert motion.com[-1, 2] < 0.4
    assert np.abs(np.diff(motion.link_position, axis=0)).max() < 0.35
    assert "the body has fallen" in motion.report.notes


def test_bodies_are_not_driven_without_controllers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_controllers, "load_shipped_gaits", dict)
    with pytest.raises(TaskError, match="no controllers to stand"):
        AdaptiveDriver(TASK)
