"""How hard people turn, stop and step: the sketch stays within what a body can do.

The bounds are those of people, in SI units; none is taken from the code.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from footfall.core.character.load import load_builtin
from footfall.core.clip import load_builtin_style
from footfall.core.sketch.sketch import Sketch, sketch_walk
from footfall.core.task import FacingOffset, Path, PinnedStep, SpeedProfile, Task

GRAVITY = 9.81  # [m/s^2]
MIN_STEP_TIME = 0.2  # Step time of the fastest sprinters, five steps a second [s]


def _draw(task: Task) -> Sketch:
    return sketch_walk(task, load_builtin("humanoid"), load_builtin_style(task.style), 0.95, 0.45)


@pytest.mark.parametrize("radius", [2.0, 4.0])
def test_a_body_leans_moderately_in_a_circle(radius: float) -> None:
    """A running body slows down until it leans by 6 to 12 degrees."""
    angle = np.linspace(0, 4 * np.pi, 200)
    circle = radius * np.column_stack([np.sin(angle), 1 - np.cos(angle)])
    course = _draw(Task(Path(circle), SpeedProfile(3.5), style="natural", seconds=6)).course
    steady = (course.time > 2) & (course.time < 5)
    lean = np.degrees(np.arctan(course.speed[steady] ** 2 / radius / GRAVITY))
    assert 6 < lean.mean() < 12


@pytest.mark.parametrize("speed", [1.4, 3.0])
def test_body_slows_down_gently_to_the_end_of_its_path(speed: float) -> None:
    """A body that stops at the end of its path brakes no harder than people do."""
    course = _draw(Task(Path([[0, 0], [8, 0]]), SpeedProfile(speed), seconds=10)).course
    speeds = np.linalg.norm(course.target_velocity, axis=1)
    last = int(np.flatnonzero(speeds > 0.98 * speed)[-1])
    assert speeds[-1] < 0.01
    distance = course.distance[-1] - course.distance[last]
    assert 0.6 < speed**2 / (2 * distance) < 1.5


@pytest.mark.parametrize("speeds", [(3.5, 1.0), (1.0, 3.5)])
def test_a_body_changes_its_speed_as_people_do(speeds: tuple[float, float]) -> None:
    """Between a run and a walk the ground pushes with 0.15 to 0.35 of the weight."""
    profile = SpeedProfile([speeds[0], speeds[0], speeds[1], speeds[1]], [0.0, 3.0, 3.01, 8.0])
    course = _draw(Task(Path([[0, 0], [60, 0]]), profile, seconds=8)).course
    push = np.abs(np.gradient(course.speed, course.time)).max() / GRAVITY
    assert 0.15 < push < 0.35


def test_a_body_is_back_on_its_path_after_a_corner() -> None:
    """A body that cuts a corner by a step is on the path again a few steps later."""
    task = Task(Path([[0, 0], [4, 0], [4, 12]]), SpeedProfile(1.4), seconds=8)
    course = _draw(task).course
    position = course.pendulum.sample(course.time[course.time > 7.5], "cart")
    assert np.abs(position[:, 0] - 4).max() < 0.02


def test_a_body_shifts_its_weight_before_its_first_step() -> None:
    """People lift the first foot about 0.6 s after their weight begins to shift."""
    task = Task(Path([[0, 0], [20, 0]]), SpeedProfile(1.2), seconds=4, start="standing")
    first_lift = min(step.footstep.lift for step in _draw(task).steps)
    assert 0.4 < first_lift < 1.2


@pytest.mark.parametrize(
    "task",
    [
        Task(Path([[0, 0], [20, 0]]), SpeedProfile([0.6, 2.0, 0.6], [0.0, 2.0, 3.5]), seconds=5),
        Task(
            Path([[0, 0], [20, 0]]),
            SpeedProfile(1.2),
            seconds=5,
            pinned_steps=(PinnedStep("L", 2.0, (2.4, 0.09)), PinnedStep("R", 2.715, (3.18, -0.09))),
        ),
    ],
    ids=["changing speed", "a step that waits"],
)
def test_a_walk_has_both_feet_down_between_its_steps(task: Task) -> None:
    """In walks of people both feet are down for at least a twentieth of a second."""
    steps = sorted(_draw(task).steps, key=lambda step: step.footstep.strike)
    both_down = [
        before.footstep.lift - after.footstep.strike
        for before, after in pairwise(steps)
        if before.gait.is_walk and after.gait.is_walk
    ]
    assert len(both_down) > 6
    assert min(both_down) > 0.04


def test_the_first_swing_is_not_hasty() -> None:
    """People swing a leg for about 0.35 s when they set off."""
    task = Task(Path([[0, 0], [20, 0]]), SpeedProfile(1.8), seconds=4, start="standing")
    steps = _draw(task).steps
    swings = [
        after.footstep.strike - before.footstep.lift
        for leg in (0, 1)
        for before, after in pairwise(step for step in steps if step.footstep.leg == leg)
    ]
    assert min(swings) > 0.28


def test_a_body_that_spins_as_it_walks_does_not_trip_along() -> None:
    """Steps of a walk that turns once around take at least half the time of those of a walk."""
    task = Task(
        Path([[0, 0], [20, 0]]),
        SpeedProfile(0.8),
        seconds=8,
        facing_offset=FacingOffset([0.0, 360.0], [1.0, 7.0]),
    )
    times = np.array([step.time for step in _draw(task).steps])
    assert np.diff(times).min() > 0.27


@pytest.mark.parametrize("gap", [0.06, 0.1, 0.15])
def test_feet_do_not_come_down_faster_than_a_sprinters(gap: float) -> None:
    """A footstep that is pinned right after another one is not made."""
    pinned = (
        PinnedStep("L", 1.5, (1.8, 0.09)),
        PinnedStep("R", 1.5 + gap, (1.8 + 1.2 * gap, -0.09)),
    )
    task = Task(Path([[0, 0], [9, 0]]), SpeedProfile(1.2), seconds=4, pinned_steps=pinned)
    times = np.array([step.time for step in _draw(task).steps])
    assert np.abs(times - 1.5).min() < 0.01
    assert np.diff(times).min() > MIN_STEP_TIME
