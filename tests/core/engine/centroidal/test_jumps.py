"""Jumps: accepted tasks, their motions, and limits by the independent checker."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from footfall import measure
from footfall.core.engine import generate
from footfall.core.errors import TaskError, TerrainError
from footfall.core.geometry import so3
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import Jump, Push, SpeedProfile, Task, load_task, save_task
from footfall.core.task import Path as Way
from footfall.core.terrain import Slab, make_slab_ground
from judging import find_exceeded, judge_motion


def _task(*jumps: Jump, **values: object) -> Task:
    return Task(Way([[0, 0], [6, 0]]), SpeedProfile(0.0), start="standing", jumps=jumps, **values)  # type: ignore[arg-type]


def test_a_file_keeps_jumps(tmp_path: Path) -> None:
    task = _task(Jump(1.2, 0.3, 0.5, 0.4), Jump(4.0, 1.1, -0.2, flips=-1))
    save_task(task, tmp_path / "task.toml")
    assert load_task(tmp_path / "task.toml").jumps == task.jumps


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"time": -1.0, "height": 0.3}, "at 0 or later"),
        ({"time": 1.0, "height": 0.0}, "between 0.02 and 50 m"),
        ({"time": 1.0, "height": float("nan")}, "finite"),
        ({"time": 1.0, "height": 0.3, "turn": 7.0}, "at most 360"),
        ({"time": 1.0, "height": 0.3, "flips": 0.5}, "whole number"),
    ],
)
def test_impossible_jump_is_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        Jump(**values)  # type: ignore[arg-type]


def test_fields_that_conflict_with_jumps_are_refused() -> None:
    with pytest.raises(TaskError, match="standing"):
        generate(Task(Way([[0, 0], [6, 0]]), SpeedProfile(1.0), jumps=(Jump(1.0, 0.3),)))
    with pytest.raises(TaskError, match="take out the pushes"):
        generate(_task(Jump(1.0, 0.3), pushes=(Push(1.0, (0.0, 100.0, 0.0)),)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("time = 1.0", "needs a height"),
        ("time = 1.0\nheight = 0.3\nspin = 1", "unknown entry"),
        ("time = 1.0\nheight = 0.3\nflips = 0.5", "whole number"),
    ],
)
def test_file_with_an_invalid_jump_is_refused(tmp_path: Path, line: str, message: str) -> None:
    save_task(_task(), tmp_path / "task.toml")
    text = (tmp_path / "task.toml").read_text()
    (tmp_path / "task.toml").write_text(f"{text}\n[[jump]]\n{line}\n")
    with pytest.raises(TaskError, match=message):
        load_task(tmp_path / "task.toml")


def test_jumps_too_soon_and_too_low_are_refused() -> None:
    with pytest.raises(TaskError, match="at the earliest"):
        generate(_task(Jump(0.2, 0.3), seconds=2.0))
    with pytest.raises(TaskError, match="at the earliest"):
        generate(_task(Jump(1.2, 0.3), Jump(1.9, 0.3), seconds=3.0))
    ground = make_slab_ground([Slab((-3.0, 1.0), (-2.0, 2.0)), Slab((1.0, 5.0), (-2.0, 2.0), 0.6)])
    with pytest.raises(TaskError, match="higher; make it at least"):
        generate(_task(Jump(1.2, 0.2, 2.0), seconds=2.0, ground=ground))
    with pytest.raises(TerrainError, match="no ground"):
        generate(_task(Jump(1.2, 0.2, 6.0), seconds=2.0, ground=ground))


def test_long_jump_leaves_and_lands_without_jerks() -> None:
    task = _task(Jump(1.0, 0.2, 1.5), seconds=1.8, fps=120.0)
    motion = generate(task)
    assert motion.report.notes == ()
    assert measure(motion).pop_deg < 12  # 39 with a body as high over its feet as an upright one


def test_jump_that_is_too_low_for_its_length_is_shortened() -> None:
    motion = generate(_task(Jump(0.8, 0.02, 1.1), seconds=1.5))
    (note,) = motion.report.notes
    assert "jumps were shortened to 70%" in note
    assert "too low for its length" in note


@pytest.mark.parametrize(("height", "climb"), [(0.1, 0.0), (0.4, 0.0), (0.5, 0.3)])
def test_jump_has_the_requested_height_and_distance(height: float, climb: float) -> None:
    ground = make_slab_ground(
        [Slab((-3.0, 0.5), (-2.0, 2.0)), Slab((0.5, 5.0), (-2.0, 2.0), climb)]
    )
    motion = generate(_task(Jump(1.2, height, 0.9), seconds=3.2, fps=120.0, ground=ground))
    rise = motion.com[:, 2].max() - motion.com[int(1.2 * 120), 2]
    assert abs(rise - height) < 0.1 * height
    assert abs(motion.com[-1, 0] - motion.com[0, 0] - 0.9) < 0.05
    assert abs(motion.com[-1, 2] - motion.com[0, 2] - climb) < 0.03
    both = [[f for f in motion.footsteps if f.leg == leg and f.flat > 0] for leg in (0, 1)]
    assert len(both[0]) == len(both[1]) == 1
    assert both[0][0].flat == both[1][0].flat


def test_a_jump_turns_the_body() -> None:
    motion = generate(_task(Jump(1.2, 0.35, 0.0, turn=0.5 * np.pi), seconds=3.2, fps=60.0))
    forward = so3.quat_to_matrix(motion.link_orientation[[0, -1], 0])[:, :2, 0]
    turned = np.arctan2(forward[1, 1], forward[1, 0]) - np.arctan2(forward[0, 1], forward[0, 0])
    assert abs(turned - 0.5 * np.pi) < 0.1


@pytest.mark.parametrize("direction", [1, -1])
def test_a_flip_turns_once(direction: int) -> None:
    motion = generate(_task(Jump(1.2, 1.0, 0.3, flips=direction), seconds=3.4, fps=60.0))
    pelvis = so3.quat_to_matrix(motion.link_orientation[:, 0])
    turned = so3.log(pelvis[1:] @ np.swapaxes(pelvis[:-1], 1, 2))[:, 1].sum()
    assert abs(turned - direction * 2 * np.pi) < 0.3
    assert pelvis[:, 2, 2].min() < -0.9


def test_jump_on_the_moon_has_the_requested_height() -> None:
    motion = generate(_task(Jump(3.5, 0.4), seconds=7.5, fps=60.0, gravity=1.62))
    rise = motion.com[:, 2].max() - motion.com[int(3.5 * 60), 2]
    assert abs(rise - 0.4) < 0.04


# Limits of each scenario. Super jumps and flips exceed the usual limit of pops, 8 degrees/frame^2.
POPS = {"humanoid-random-jumps": 8.0, "humanoid-super-jumps": 10.0, "humanoid-super-flips": 16.0}


@pytest.mark.parametrize("name", POPS)
def test_jump_scenarios_are_within_the_limits(name: str, shared: Path, tmp_path: Path) -> None:
    motion = generate(SCENARIOS[name].build_task(fps=120, seconds=8))
    figures = judge_motion(shared, tmp_path, motion)
    bars = {
        "drift_max_m": 0.002,
        "penetration_max_m": 0.005,
        "momentum_residual_bw": 0.03,
        "angular_residual": 0.03,
        "relaxed_share": 0.01,
        "friction_p99": 0.8,
        "off_terrain_contacts": 0,
        "pop_max_deg_per_frame2": POPS[name],
    }
    assert not find_exceeded(figures, bars)
    assert figures["pull_min_n"] >= -1
