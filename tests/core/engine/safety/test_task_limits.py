"""Pushes that throw a body away are refused, and speeds that an engine cannot hold are fitted."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.engine import ENGINES, deliver, generate
from footfall.core.engine.adaptive.speeds import compute_natural_speed, find_speed_range
from footfall.core.engine.base import SpeedRange
from footfall.core.engine.safety.deliver import find_fall_bounds
from footfall.core.engine.safety.task_limits import check_pushes, fit_speed
from footfall.core.engine.shared.character import load_task_character
from footfall.core.errors import TaskError
from footfall.core.simulate.ragdoll import ExternalPush, FallingBody, Ragdoll
from footfall.core.task import FacingOffset, Path, Push, SpeedProfile, Task
from footfall.core.terrain import FlatGround


def _push(character: str, force: float) -> Task:
    return Task(
        Path([[0, 0], [1, 0]]),
        SpeedProfile(0.1),
        character=character,
        pushes=(Push(0.5, (0.0, force, 0.0)),),
    )


def _check(task: Task) -> None:
    check_pushes(task, load_task_character(task).mass, find_fall_bounds(task).push_speed)


def test_an_insect_is_not_pushed_like_a_person() -> None:
    """The largest force that the message names is accepted."""
    with pytest.raises(TaskError, match=r"at 0.50 s of 700 N .* 0.11 kg away") as raised:
        generate(_push("spider", 700.0))
    limit = re.search(r"make it (\S+) N or less", str(raised.value))
    assert limit is not None
    _check(_push("spider", 0.95 * float(limit[1])))
    _check(_push("humanoid", 2000.0))


def test_a_simulation_that_diverges_ends_in_poses_that_are_no_numbers() -> None:
    character = load_builtin("humanoid")
    model = KinematicModel(character)
    start = FallingBody(model.neutral, np.zeros(model.nv), np.tile(np.eye(3), (2, 1, 1)))
    push = ExternalPush(0, np.array([1e9, 0.0, 0.0]), np.array([0.0, 1e9, 0.0]), 0.0, 1.0)
    fall = Ragdoll(character, FlatGround(), 1.0).fall(start, 20, fps=30.0, pushes=(push,))
    lost = ~np.isfinite(fall.poses).all(1)
    assert lost.any()
    assert not lost[0]
    assert lost[int(np.argmax(lost)) :].all()


TASK = Task(Path([[0, 0], [20, 0]]), SpeedProfile(1.3), seconds=2.0, fps=24, engine="adaptive")
ENGINE = replace(ENGINES["centroidal"], find_speed_range=lambda task: SpeedRange(0.9, 1.1))


@pytest.mark.parametrize(
    ("speeds", "nearest", "words"),
    [
        ([1.3], [1.1], "lowered from 1.30 to 1.10 m/s"),
        ([0.5, 0.0, 1.0], [0.9, 0.0, 1.0], "raised from 0.50 to 0.90 m/s"),
        ([0.5, 2.0], [0.9, 1.1], "lowered from 2.00 to 1.10 m/s"),
    ],
)
def test_speeds_are_the_nearest_that_the_engine_holds(
    speeds: list[float], nearest: list[float], words: str
) -> None:
    task = replace(TASK, speed=SpeedProfile(speeds, np.arange(len(speeds))))
    fitted = fit_speed(task, ENGINE)
    assert fitted is not None
    assert fitted.task.speed.values == pytest.approx(nearest)
    assert fitted.task.speed.times == pytest.approx(task.speed.times)
    assert words in fitted.note
    assert fit_speed(fitted.task, ENGINE) is None
    assert fit_speed(task, ENGINES["centroidal"]) is None


def test_the_adaptive_engine_holds_its_natural_speed_and_is_slower_backward() -> None:
    natural = compute_natural_speed(0.93, 9.81)
    assert fit_speed(replace(TASK, speed=SpeedProfile(natural)), ENGINES["adaptive"]) is None
    backward = find_speed_range(replace(TASK, facing_offset=FacingOffset(180.0)))
    forward = find_speed_range(TASK)
    assert forward is not None
    assert backward is not None
    assert forward.slowest < natural < forward.fastest
    assert backward.slowest < backward.fastest < natural
    assert find_speed_range(replace(TASK, speed=SpeedProfile(0.0))) is None


def test_a_task_that_is_too_fast_is_walked_with_a_note() -> None:
    delivery = deliver(replace(TASK, speed=SpeedProfile(2.5)))
    limit = find_speed_range(TASK)
    assert limit is not None
    assert delivery.task.speed.max_speed == pytest.approx(limit.fastest)
    assert any("lowered from 2.50" in note for note in delivery.motion.report.notes)
    assert np.linalg.norm(delivery.motion.goal_velocity, axis=1).max() < 1.01 * limit.fastest
