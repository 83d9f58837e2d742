"""A body that a network predicts is driven, one half cycle at a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest
from footfall.core.engine import create_driver
from footfall.core.engine.base import DriveCommand, EngineDriver
from footfall.core.errors import TaskError
from footfall.core.motion import Motion
from footfall.core.motion.splice import join_parts
from footfall.core.task import Path, Push, SpeedProfile, Task
from judging import judge_motion

FPS = 60.0
TASK = Task(Path([[0, 0], [1, 0]]), SpeedProfile(1.2), fps=FPS, engine="learned")


def _drive(driver: EngineDriver, commands: list[DriveCommand]) -> Motion:
    return join_parts(tuple(driver.advance(command) for command in commands))


def test_a_driven_body_follows_and_stays_on_the_ground(
    tmp_path: FilePath, shared: FilePath
) -> None:
    commands = [DriveCommand(1.2)] * 3 + [DriveCommand(1.4, 1.2)] * 8 + [DriveCommand(2.6, 1.2)] * 6
    motion = _drive(create_driver(TASK), commands)
    velocity = np.diff(motion.com[:, :2], axis=0) * FPS
    assert velocity[:30].mean(0) == pytest.approx([1.2, 0.0], abs=0.15)
    late = velocity[-40:].mean(0)
    assert np.linalg.norm(late) == pytest.approx(2.6, abs=0.3)
    assert np.arctan2(late[1], late[0]) == pytest.approx(1.2, abs=0.15)
    acceleration = np.diff(velocity, axis=0) * FPS
    assert np.abs(acceleration).max() < 12
    figures = judge_motion(shared, tmp_path, motion)
    assert figures["drift_max_m"] < 0.001
    assert figures["penetration_max_m"] < 0.005
    assert figures["momentum_residual_bw"] < 0.08


def test_feet_of_slow_steps_land_where_they_are_expected(
    tmp_path: FilePath, shared: FilePath
) -> None:
    commands = [DriveCommand(1.2)] * 3 + [DriveCommand(0.4, 0.4)] * 6
    figures = judge_motion(shared, tmp_path, _drive(create_driver(TASK), commands))
    assert figures["penetration_max_m"] < 0.005


def test_the_last_part_can_be_replaced() -> None:
    driver = create_driver(TASK)
    driver.advance(DriveCommand(1.2))
    first = driver.advance(DriveCommand(1.2, 0.5))
    driver.undo_last()
    other = driver.advance(DriveCommand(1.2, -0.5))
    driver.undo_last()
    again = driver.advance(DriveCommand(1.2, 0.5))
    assert np.array_equal(first.link_position, again.link_position)
    assert not np.array_equal(first.link_position, other.link_position)


def test_a_push_moves_a_driven_body() -> None:
    moved = []
    for push in ((), (Push(0.0, (0.0, 150.0, 0.0), 0.2),)):
        driver = create_driver(TASK)
        commands = [DriveCommand(1.2)] * 2 + [DriveCommand(1.2, 0.0, push)] + [DriveCommand(1.2)]
        motion = _drive(driver, commands)
        moved.append(motion.com[-1, 1])
        assert (np.abs(motion.push_force) > 0).any() == bool(push)
    assert moved[1] - moved[0] > 0.1


def test_speeds_are_those_of_the_network() -> None:
    assert create_driver(TASK).speed_range.fastest == pytest.approx(4.0, abs=0.3)
    with pytest.raises(TaskError, match="no network for humanoid in the style 'old'"):
        create_driver(replace(TASK, style="old"))
