"""Driving of a walker: speed and pushes along the path, undoing, what is left out."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine import create_driver, note_flaws
from footfall.core.engine.base import DriveCommand, EngineDriver
from footfall.core.motion import Motion
from footfall.core.motion.splice import join_parts
from footfall.core.task import Path, Push, SpeedProfile, Task

TASK = Task(Path([[1, 2], [1, 9]]), SpeedProfile(1.2), fps=60, engine="tracker")
AHEAD = np.pi / 2
BACKWARD_PUSH = Push(0.0, (0.0, -250.0, 0.0), 0.1, "chest")


@pytest.fixture(scope="module")
def driver() -> EngineDriver:
    return create_driver(TASK)


@pytest.fixture(scope="module")
def parts(driver: EngineDriver) -> list[Motion]:
    """Return parts of a walk that speeds up, is pushed, and is steered aside."""
    commands = [
        *[DriveCommand(1.4, AHEAD)] * 5,
        DriveCommand(1.4, AHEAD, (BACKWARD_PUSH,)),
        DriveCommand(1.4, AHEAD + 0.8, (Push(0.0, (100.0, 0.0, 0.0)),)),
    ]
    return [driver.advance(command) for command in commands]


def test_whole_drive_is_sound(parts: list[Motion]) -> None:
    notes = note_flaws(TASK, join_parts(parts)).report.notes
    assert len(notes) == 2
    assert "walked straight on" in notes[0]
    assert "pushes across the path" in notes[1]


def test_speed_follows_the_command(parts: list[Motion]) -> None:
    speeds = [np.ptp(p.com[:, 1]) * p.fps / (p.frames - 1) for p in parts]
    assert speeds[0] == pytest.approx(1.2, rel=0.05)
    assert speeds[4] > 1.3


def test_body_keeps_its_line(parts: list[Motion]) -> None:
    assert np.abs(join_parts(parts).com[:, 0] - 1.0).max() < 0.06


def test_push_slows_the_walk(parts: list[Motion]) -> None:
    motion = join_parts(parts)
    pushed = np.flatnonzero(motion.push_force[:, 1])
    assert motion.push_force[:, 1].min() == pytest.approx(-250.0, abs=1.0)
    pace = np.diff(motion.com[:, 1]) * motion.fps
    assert pace[pushed[-1] : pushed[-1] + 3].mean() < pace[pushed[0] - 3 : pushed[0]].mean() - 0.1


def test_undone_part_is_made_again(driver: EngineDriver, parts: list[Motion]) -> None:
    first = driver.advance(DriveCommand(1.2, AHEAD))
    driver.undo_last()
    again = driver.advance(DriveCommand(1.2, AHEAD))
    assert np.array_equal(first.link_position, again.link_position)


def test_push_that_is_too_strong_is_weakened(driver: EngineDriver, parts: list[Motion]) -> None:
    strong = Push(0.0, (0.0, -3000.0, 0.0), 0.5)
    part = driver.advance(DriveCommand(1.2, AHEAD, (strong,)))
    assert "the push was " in part.report.notes[-1]
    assert "otherwise, The walker falls" in part.report.notes[-1]
