"""A simulated body that is steered while it moves."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine import create_driver
from footfall.core.engine.base import FALLEN_DISPLAY_TIME, LIVE_ENGINE_NAME, DriveCommand
from footfall.core.engine.preview.driver import PreviewDriver
from footfall.core.engine.preview.session import PreviewSession
from footfall.core.errors import MotionError
from footfall.core.motion import Motion
from footfall.core.motion.splice import join_parts
from footfall.core.task import Path, Push, SpeedProfile, Task

TASK = Task(Path([[0, 0], [1, 0]]), SpeedProfile(0.0), engine="preview", start="standing", fps=30)


class Steered:
    """A session and the parts of its motion."""

    def __init__(self) -> None:
        self.session = PreviewSession(TASK)
        self.parts = list[Motion]()

    def go(self, seconds: float, command: DriveCommand, part: float = 0.2) -> None:
        """Advance under a command; pushes of the command act once."""
        for _ in range(round(seconds / part)):
            self.parts.append(self.session.advance(command, part))
            command = DriveCommand(command.speed, command.direction)

    @property
    def velocity(self) -> np.ndarray:
        """Mean velocity of the last second [m/s]. (3,)."""
        com = join_parts(self.parts).com
        return np.asarray(com[-1] - com[-31])


@pytest.mark.long
def test_body_follows_commands_and_stops() -> None:
    """It turns left and right, is pushed in the middle of a step, and stands."""
    steered = Steered()
    steered.go(3.0, DriveCommand(1.25))
    assert steered.velocity[0] > 1.0
    steered.go(2.6, DriveCommand(1.25, 0.5 * np.pi))
    assert steered.velocity[1] > 0.9
    steered.go(0.4, DriveCommand(1.25, 0.0))
    steered.go(2.2, DriveCommand(1.25, 0.0, (Push(0.0, (0.0, 300.0, 0.0), 0.1, "head"),)))
    assert steered.velocity[0] > 0.9
    steered.go(4.0, DriveCommand(0.0))
    assert np.linalg.norm(steered.velocity) < 0.1
    assert steered.session.fall_cause == ""
    motion = join_parts(steered.parts)
    pushed = np.flatnonzero(motion.push_force.any(1))
    assert 179 <= pushed[0] <= 181
    assert pushed[-1] <= 184
    walked = [f for f in motion.footsteps if f.strike > 0.1]
    assert [f.leg for f in walked[:-2]] == [(walked[0].leg + k) % 2 for k in range(len(walked) - 2)]


def test_motion_does_not_depend_on_the_length_of_parts() -> None:
    """Positions, forces and footsteps equal those of one part, also after a part was undone."""
    one = PreviewSession(TASK)
    driver = create_driver(TASK)
    parts = []
    whole = one.advance(DriveCommand(1.25, 0.3), 52 / 30)
    for k in range(13):
        if k in (5, 11):
            driver.advance(DriveCommand(0.3, -1.0, (Push(0, (150, 0, 0)),)))
            driver.undo_last()
        parts.append(driver.advance(DriveCommand(1.25, 0.3)))
    motion = join_parts(parts)
    assert motion.report.engine == LIVE_ENGINE_NAME
    assert motion.frames == whole.frames == 52
    np.testing.assert_allclose(motion.link_position, whole.link_position, rtol=0, atol=1e-6)
    np.testing.assert_allclose(
        motion.contact_force[:-4], whole.contact_force[:-4], rtol=0, atol=0.1
    )
    footsteps = [
        sorted((round(f.strike, 6), f.leg) for f in of.footsteps) for of in (motion, whole)
    ]
    assert footsteps[0] == footsteps[1]
    assert len(motion.footsteps) >= 2


def test_fall_is_reported_and_ends_the_drive() -> None:
    """The fall is shown for a while and then raises an error."""
    driver = PreviewDriver(TASK)
    parts = list[Motion]()

    def drive_on(pushes: tuple[Push, ...]) -> None:
        while len(parts) < 40:
            parts.append(driver.advance(DriveCommand(0.0, 0.0, pushes)))
            pushes = ()

    with pytest.raises(MotionError, match="has fallen"):
        drive_on((Push(0.0, (0.0, 3000.0, 0.0), 0.2, "chest"),))
    has_notes = [bool(part.report.notes) for part in parts]
    assert not has_notes[0]
    assert sum(has_notes) == pytest.approx(FALLEN_DISPLAY_TIME / (4 / 30), abs=1.1)
    motion = join_parts(parts)
    assert motion.link_position[-1, motion.link_names.index("head"), 2] < 0.3
