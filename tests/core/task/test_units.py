"""Ranges and messages are in the units that a user wrote, whatever units an engine plans in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from footfall.core.engine import generate
from footfall.core.errors import TaskError
from footfall.core.task import Hurdle, Path, Push, SpeedProfile, Task
from footfall.core.task.units import LENGTH, SPEED, TaskUnits
from hypothesis import given
from hypothesis import strategies as st

STRAIGHT = Path([[0, 0], [30, 0]])
UNITS = st.floats(min_value=1e-3, max_value=1e3)


@given(length=UNITS, time=UNITS, speed=st.floats(min_value=0.1, max_value=10.0))
def test_numbers_lead_back_to_those_of_the_user(length: float, time: float, speed: float) -> None:
    task = Task(STRAIGHT, SpeedProfile(speed), fps=240.0).in_units(length, time).shifted(2.0)
    assert task.units.to_user(task.speed.max_speed, SPEED) == pytest.approx(speed)
    assert task.units.to_user(task.path.length, LENGTH) == pytest.approx(30.0)
    assert task.units.to_user_time(2.0) == pytest.approx(0.0, abs=1e-9)


@given(length=UNITS, time=UNITS)
def test_valid_task_stays_valid_in_other_units(length: float, time: float) -> None:
    task = Task(
        STRAIGHT,
        SpeedProfile(1.0),
        seconds=0.1,
        fps=1000.0,
        friction=0.05,
        gravity=0.1,
        pushes=(Push(0.05, (0.0, 10.0, 0.0), seconds=0.02),),
        hurdles=(Hurdle((5.0, 0.0), (5.0, 0.1), height=0.1),),
    )
    other = task.in_units(length, time)
    assert replace(other, seed=3).pushes[0].seconds == pytest.approx(0.02 / time)


def test_range_is_stated_in_the_units_of_the_user() -> None:
    task = Task(STRAIGHT, SpeedProfile(1.0)).in_units(0.5, 4.0)
    with pytest.raises(TaskError, match="The frame rate is 2000; it must be at most 1000"):
        replace(task, fps=2000.0 * 4.0)


def test_units_are_not_stored() -> None:
    task = Task(STRAIGHT, SpeedProfile(1.0))
    assert task.units == TaskUnits()
    assert "units" not in task.to_table()
    with pytest.raises(TaskError, match="SI units"):
        Task.from_table({**task.to_table(), "units": 2.0})


@pytest.mark.parametrize(
    "task",
    [
        Task(STRAIGHT, SpeedProfile(0.3), gravity=0.5, fps=240, seconds=0.5),
        Task(STRAIGHT, SpeedProfile(0.3), character="spider", fps=4, seconds=2.0),
        Task(
            STRAIGHT,
            SpeedProfile(1.0),
            gravity=1.62,
            seconds=2.0,
            pushes=(Push(1.0, (0.0, 100.0, 0.0), seconds=0.04),),
        ),
    ],
    ids=["slow motion", "spider at 4 frames a second", "short push on the moon"],
)
def test_valid_task_is_generated_at_any_scale(task: Task) -> None:
    motion = generate(task)
    assert motion.frames == task.frames
    assert motion.fps == pytest.approx(task.fps)


def test_too_fast_on_the_moon_is_refused_in_the_numbers_of_the_task() -> None:
    task = Task(STRAIGHT, SpeedProfile(6.0), gravity=1.62, seconds=3.0)
    with pytest.raises(TaskError, match=r"The speed is 6 m/s; .* at most 4\.2 m/s"):
        generate(task)


@pytest.mark.parametrize("length", [0.1, 3.0])
@pytest.mark.parametrize("time", [0.5, 2.0])
def test_a_push_changes_the_speed_of_a_body_alike_in_any_units(length: float, time: float) -> None:
    """Newton's second law: 300 N for 0.2 s make 70 kg faster by 0.86 m/s, whatever the units."""
    mass = 70.0
    push = Push(1.0, (0.0, 300.0, 0.0), 0.2, moment=(0.0, 0.0, 50.0))
    converted = push.in_units(length, time)
    speed = converted.force[1] * converted.seconds / mass * length / time  # back in m/s
    assert speed == pytest.approx(300.0 * 0.2 / mass)
    inertia = 10.0  # [kg m^2]
    spin = converted.moment[2] * converted.seconds / (inertia / length**2) / time
    assert spin == pytest.approx(50.0 * 0.2 / inertia)
