"""Pushes that throw a body away are refused before anything is planned."""

from __future__ import annotations

import re

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.engine import generate
from footfall.core.engine.safety.deliver import find_fall_bounds
from footfall.core.engine.safety.push_limit import check_pushes
from footfall.core.engine.shared.character import load_task_character
from footfall.core.errors import TaskError
from footfall.core.simulate.ragdoll import ExternalPush, FallingBody, Ragdoll
from footfall.core.task import Path, Push, SpeedProfile, Task
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
