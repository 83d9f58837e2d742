"""What the walker expects of the ground, and which grounds a task may have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.tracker.ground_gaits import LEVEL, StepGround
from footfall.core.engine.tracker.ground_view import expect_ground
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.task_checks import sample_path_ground
from footfall.core.engine.tracker.yielding_ground import make_contact_ground
from footfall.core.errors import TaskError
from footfall.core.scenarios.simulated import Strip, build_strips
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.terrain import Slab, make_slab_ground

TASK = Task(Path([[0, 0], [20, 0]]), SpeedProfile(1.3), seconds=2.0, fps=60, engine="tracker")


def _slope(degrees: float) -> Task:
    rise = 6.0 * np.tan(np.radians(degrees))
    strips = [Strip(-20.0, 2.0, 0.0, 0.0), Strip(2.0, 8.0, 0.0, rise)]
    return replace(TASK, ground=build_strips(strips))


def test_slope_is_sampled_along_the_path() -> None:
    ground = sample_path_ground(_slope(8.0), 5.0)
    assert ground.locate(1.0).height == pytest.approx(0.0, abs=1e-9)
    assert ground.locate(4.0).height == pytest.approx(2.0 * np.tan(np.radians(8.0)), abs=1e-3)


@pytest.mark.parametrize("degrees", [-30, 20])
def test_steep_slope_is_refused(degrees: float) -> None:
    with pytest.raises(TaskError, match=r"too steep .* along the path"):
        sample_path_ground(_slope(degrees), 5.0)


def _step(rise: float, speed: SpeedProfile) -> Task:
    slabs = [Slab((-20.0, 3.0), (-1.0, 1.0)), Slab((3.0, 20.0), (-1.0, 1.0), rise)]
    return replace(TASK, speed=speed, ground=make_slab_ground(slabs))


@pytest.mark.parametrize(
    ("rise", "speeds", "up"),
    [(0.16, [1.3, 1.3], "0.15"), (0.06, [1.2, 1.4], "0.05"), (-0.06, [1.3, 1.3], "0.15")],
)
def test_high_step_is_refused(rise: float, speeds: list[float], up: str) -> None:
    with pytest.raises(TaskError, match=rf"step 3\.0 m along .* {up} m up and 0\.05 m down"):
        make_contact_ground(_step(rise, SpeedProfile(speeds, [0.0, 2.0])), 5.0)


def test_stair_is_walked_at_one_speed() -> None:
    ground = make_contact_ground(_step(0.15, SpeedProfile(1.3)), 5.0)
    assert isinstance(ground, PathGround)
    assert ground.steps == pytest.approx(np.array([[3.0, 3.0]]), abs=0.02)


def test_ground_beside_a_curb_is_refused() -> None:
    slabs = [Slab((-20.0, 20.0), (-1.0, 0.0)), Slab((-20.0, 20.0), (0.0, 1.0), 0.04)]
    with pytest.raises(TaskError, match="tilts sideways"):
        sample_path_ground(replace(TASK, ground=make_slab_ground(slabs)), 5.0)


def test_stretches_of_one_height() -> None:
    stairs = PathGround.stairs(0.1, 0.5, begin=2.0, count=4)
    assert stairs.has_one_height(-5.0, 1.9)
    assert not stairs.has_one_height(-5.0, 2.1)
    assert stairs.has_one_height(2.1, 2.4)
    assert stairs.has_one_height(4.0, 50.0)
    assert not PathGround.slope(0.1, 1.0).has_one_height(2.0, 2.5)


def test_foot_on_a_slope_expects_it_to_continue() -> None:
    felt = StepGround(behind=0.02)
    assert expect_ground(felt, 0.1, 0.0, 0.7) == StepGround(0.1, 0.02, np.tan(0.1), 0.1)


def test_level_feet_expect_the_last_rise_again() -> None:
    felt = StepGround(behind=0.08)
    stairs = expect_ground(felt, 0.0, 0.0, 0.7)
    assert stairs.ahead == 0.08
    assert stairs.lift > 0.05
    # A foot that leaves a slope does not.
    assert expect_ground(felt, 0.0, 0.15, 0.7).ahead == 0.0


def test_ground_next_to_level_is_level() -> None:
    assert StepGround(0.002, -0.004, 0.009, -0.003, 0.004).rounded == LEVEL
