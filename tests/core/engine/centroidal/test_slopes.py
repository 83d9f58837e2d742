"""Walks and runs up, down and across steep planes, as steep as friction allows."""

from __future__ import annotations

import numpy as np
import pytest
from footfall import measure
from footfall.core.engine import generate
from footfall.core.errors import PlanningError
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.terrain import MeshGround

DIRECTIONS = {"up": (1.0, 0.0), "down": (-1.0, 0.0), "across": (0.0, 1.0)}  # in which planes rise


def _make_task(angle: float, rise: tuple[float, float], speed: float, seconds: float) -> Task:
    """Return the task of a straight walk on a plane that rises at an angle [degrees]."""
    gradient = np.tan(np.radians(angle)) * np.array(rise)
    corners = np.array([(x, y) for x in (-10.0, 20.0) for y in (-10.0, 10.0)])
    plane = MeshGround(np.column_stack([corners, corners @ gradient]), [(0, 2, 1), (1, 2, 3)])
    path = Path([[0, 0], [15, 0]])
    return Task(path, SpeedProfile(speed), ground=plane, seconds=seconds, fps=60)


@pytest.mark.parametrize("rise", DIRECTIONS.values(), ids=DIRECTIONS)
def test_steep_planes_are_walked(rise: tuple[float, float]) -> None:
    motion = generate(_make_task(25.0, rise, 1.2, 1.5))
    assert motion.report.notes == ()
    figures = measure(motion)
    assert figures.drift_m < 0.002
    assert figures.momentum_residual < 0.05
    assert motion.com[-1, 0] - motion.com[0, 0] > 1.3


@pytest.mark.parametrize("direction", ["up", "across"])
def test_steep_planes_are_run(direction: str) -> None:
    """A plan sees the contact behind the next flight: without it these runs diverged."""
    motion = generate(_make_task(25.0, DIRECTIONS[direction], 3.0, 3.0))
    assert motion.report.notes == ()
    figures = measure(motion)
    assert figures.drift_m < 0.002
    assert figures.momentum_residual < 0.05
    assert motion.com[-1, 0] - motion.com[0, 0] > 7.0


def test_plane_on_which_feet_slip_is_refused_before_planning() -> None:
    with pytest.raises(PlanningError, match=r"slopes by 33 degrees at \(0\.00, 0\.00\) m.*slip"):
        generate(_make_task(33.0, (1.0, 0.0), 1.2, 4.0))
