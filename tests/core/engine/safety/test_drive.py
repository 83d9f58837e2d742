"""Driven bodies: parts that are broken are planned again, or the drive ends."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from footfall.core.engine import ENGINES, create_driver, generate, note_flaws
from footfall.core.engine.base import DriveCommand, SpeedRange
from footfall.core.engine.safety.drive import JudgedDriver
from footfall.core.engine.safety.judge import MotionBounds, judge_motion
from footfall.core.errors import MotionError, PlanningError
from footfall.core.motion import Motion
from footfall.core.motion.splice import join_parts
from footfall.core.task import Path, Push, SpeedProfile, Task

TASK = Task(Path([[0, 0], [9, 0]]), SpeedProfile(1.2), seconds=1.0, fps=60)
ENGINE = ENGINES["centroidal"]


@pytest.fixture(scope="module")
def stand() -> Motion:
    """Return half a second of a body that stands, which continues itself."""
    still = replace(TASK, path=Path([[0, 0], [0.01, 0]]), speed=SpeedProfile(0.04), seconds=2.0)
    return generate(still).take_frames(slice(-30, None))


@dataclass
class ScriptedDriver:
    """A driver that breaks unless its command is gentle enough."""

    stand: Motion
    max_speed: float = np.inf
    max_force: float = np.inf
    commands: list[DriveCommand] = field(default_factory=list)
    undone: int = 0
    speed_range: SpeedRange = field(default_factory=lambda: SpeedRange(0.1, 3.0))

    def advance(self, command: DriveCommand) -> Motion:
        self.commands.append(command)
        if command.speed > self.max_speed:
            raise PlanningError("the ground cannot carry the body", 0.3)
        if any(np.linalg.norm(push.force) > self.max_force for push in command.pushes):
            flying = self.stand.link_position.copy()
            flying[len(flying) // 2 :, 3] += 4.0
            return replace(self.stand, link_position=flying)
        return self.stand

    def undo_last(self) -> None:
        self.undone += 1


def test_sound_parts_are_delivered_as_they_are(stand: Motion) -> None:
    driver = JudgedDriver(ScriptedDriver(stand), TASK, ENGINE)
    assert driver.advance(DriveCommand(1.2)) is stand
    assert driver.speed_range.fastest == 3.0


def test_broken_part_is_planned_again_with_a_weaker_push(stand: Motion) -> None:
    scripted = ScriptedDriver(stand, max_force=300.0)
    driver = JudgedDriver(scripted, TASK, ENGINE)
    driver.advance(DriveCommand(1.2))
    part = driver.advance(DriveCommand(1.2, 0.5, (Push(0, (0, 500.0, 0)),)))
    assert [command.direction for command in scripted.commands[1:]] == [0.5, 0.0, 0.0]
    assert scripted.commands[-1].pushes[0].force == (0, 250.0, 0)
    assert scripted.undone == 2
    (note,) = part.report.notes
    assert "at 0.50 s the push was weakened to 50%: otherwise, at 0.7" in note


def test_plan_that_fails_is_planned_again_as_before(stand: Motion) -> None:
    scripted = ScriptedDriver(stand, max_speed=2.0)
    driver = JudgedDriver(scripted, TASK, ENGINE)
    driver.advance(DriveCommand(1.2, 0.3))
    part = driver.advance(DriveCommand(2.9, 0.3))
    assert scripted.commands[-1] == DriveCommand(1.2, 0.3)
    assert "the body kept speed and direction: otherwise, the ground" in part.report.notes[-1]
    driver.undo_last()
    driver.advance(DriveCommand(2.9, 0.3))
    assert scripted.commands[-1] == DriveCommand(1.2, 0.3)


def test_drive_that_no_command_saves_ends_with_a_reason(stand: Motion) -> None:
    driver = JudgedDriver(ScriptedDriver(stand, max_speed=0.1), TASK, ENGINE)
    with pytest.raises(
        MotionError, match=r"cannot go on: the ground cannot carry the body\. Steer"
    ):
        driver.advance(DriveCommand(1.2))


def test_jump_between_parts_is_noticed(stand: Motion) -> None:
    away = replace(stand, link_position=stand.link_position + (5.0, 0.0, 0.0))
    scripted = ScriptedDriver(stand)
    driver = JudgedDriver(scripted, TASK, ENGINE)
    driver.advance(DriveCommand(1.2))
    scripted.stand = away
    with pytest.raises(MotionError, match=r"at 0\.50 s a part of the body moves"):
        driver.advance(DriveCommand(1.2))


@pytest.mark.parametrize(("friction", "ends"), [(0.2, False), (0.1, True)])
def test_drive_on_ice_stays_whole_or_ends(friction: float, ends: bool) -> None:
    task = replace(TASK, friction=friction)
    driver = create_driver(task)
    commands = [
        DriveCommand(
            1.2 if k < 3 else 4.0,
            2.5 if k % 2 and k > 3 else 0.0,
            (Push(0, (0, 300.0, 0)),) if k == 4 else (),
        )
        for k in range(12)
    ]
    parts: list[Motion] = []
    ended = pytest.raises(MotionError, match="The body cannot go on: at 2")
    with ended if ends else nullcontext():
        parts.extend(driver.advance(command) for command in commands)
    motion = note_flaws(task, join_parts(parts))
    assert judge_motion(motion, task.ground, MotionBounds()).is_deliverable
    assert len(parts) > 4


def test_flaws_of_a_whole_drive_are_noted(stand: Motion) -> None:
    sunk = replace(stand, contact_position=stand.contact_position - (0.0, 0.0, 0.02))
    assert "a foot is" in note_flaws(TASK, sunk).report.notes[-1]
