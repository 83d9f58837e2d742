"""Scenarios of the adaptive engine on edges and with changed knees, as they are run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.adaptive import ground_sampling
from footfall.core.engine.adaptive.ground_limits import LIMITS, GroundLimits
from footfall.core.engine.adaptive.ground_sampling import sample_ground
from footfall.core.engine.adaptive.speeds import REFERENCE_LENGTH
from footfall.core.errors import TaskError
from footfall.core.geometry import so3
from footfall.core.geometry.units import HUMAN_LEG_LENGTH
from footfall.core.motion import Motion
from footfall.core.motion.file import load_motion, save_motion
from footfall.core.scenarios.adaptive import FIRST_EDGE, STEP_UP, TREAD_LENGTH, walk
from footfall.core.scenarios.scenarios import find_scenario
from footfall.core.scripting import measure
from footfall.core.task import Push, load_task, save_task
from footfall.core.task.task import Task
from footfall.core.terrain import HeightField
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _sample(task: Task, x: Array, y: Array) -> Array:
    return task.ground.sample_heights(np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1))


def test_edges_are_lower_than_the_engine_steps() -> None:
    assert LIMITS.max_step_up * HUMAN_LEG_LENGTH / REFERENCE_LENGTH > STEP_UP
    stairs = find_scenario("adaptive-stairs-up").build_task()
    treads = FIRST_EDGE + TREAD_LENGTH * (np.arange(12) + 0.5)
    heights = _sample(stairs, np.array([0.0, *treads]), np.array([-1.0, 0.0, 1.0]))
    assert heights == pytest.approx(np.tile(STEP_UP * np.arange(13)[:, None], (1, 3)))


def test_boxes_are_level_and_differ_by_their_seed() -> None:
    tasks = [find_scenario("adaptive-boxes").build_task(seed=seed) for seed in (0, 0, 1)]
    inside = np.linspace(0.1, 0.85, 6)
    corners = np.arange(4.0, 12.0)
    points = (corners[:, None] + inside).ravel()
    tops = [_sample(task, points, points - 8.0).reshape(8, 6, 8, 6) for task in tasks]
    assert np.ptp(tops[0], axis=(1, 3)).max() == pytest.approx(0.0, abs=1e-12)
    assert np.array_equal(tops[0], tops[1])
    assert not np.allclose(tops[0], tops[2])
    for top in tops:
        assert 0.0 <= top.min() < 0.1 * STEP_UP
        assert 0.9 * STEP_UP < top.max() <= STEP_UP


@pytest.mark.parametrize("name", ["adaptive-boxes", "adaptive-stairs-up"])
def test_bodies_walk_on_edges(name: str) -> None:
    task = find_scenario(name).build_task(fps=60.0, seconds=5.0)
    motion = generate(task)
    assert motion.com[-1, 0] > FIRST_EDGE + 2.0 * TREAD_LENGTH
    assert not motion.report.notes
    measures = measure(motion, task.ground)
    assert measures.drift_m < 0.02
    assert measures.penetration_m < 0.01


def _with_profile(x: Array, heights: Array) -> Task:
    """Return a walk over heights [m] at places [m] along its path, in controllers' units."""
    places = np.arange(-4.0, 12.0, 0.05)
    profile = np.interp(places, x, heights)
    ground = HeightField(np.tile(profile[:, None], (1, 161)), (-4.0, -4.0), 0.05)
    return replace(walk(1.0, 5.0, 0), ground=ground)


def _with_step(height: float) -> Task:
    return _with_profile(np.array([3.0, 3.05]), np.array([0.0, height]))


def _with_stairs(rise: float, tread: float) -> Task:
    """Return a walk up five steps of a height on treads of a length [m]."""
    edges = 3.0 + tread * np.repeat(np.arange(5), 2) + np.tile([0.0, 0.01], 5)
    return _with_profile(edges, rise * np.repeat(np.arange(6), 2)[1:-1])


def test_limits_of_edges_and_slopes_are_those_of_one_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = GroundLimits(max_step_up=0.12)
    refused = (
        _with_step(1.02 * LIMITS.max_step_up),
        _with_step(-1.02 * LIMITS.max_step_down),
        _with_profile(np.array([3.0, 6.0]), np.array([0.0, 3.06 * LIMITS.max_slope])),
    )
    accepted = (
        _with_step(0.99 * LIMITS.max_step_up),
        _with_step(-0.99 * LIMITS.max_step_down),
        _with_profile(np.array([3.0, 6.0]), np.array([0.0, 2.97 * LIMITS.max_slope])),
    )
    for task in accepted:
        for distance in (0.0, 5.0):
            sample_ground(task, distance, 0.0)
    for task in refused:
        with pytest.raises(TaskError, match="too steep near"):
            sample_ground(task, 5.0, 0.0)
    monkeypatch.setattr(ground_sampling, "LIMITS", limits)
    sample_ground(_with_step(0.99 * limits.max_step_up), 5.0, 0.0)
    sample_ground(
        _with_stairs(limits.max_step_up, 1.1 * limits.max_step_up / LIMITS.max_slope), 5.0, 0.0
    )
    for task in (
        _with_step(1.02 * limits.max_step_up),
        _with_stairs(limits.max_step_up, 0.9 * limits.max_step_up / LIMITS.max_slope),
        *refused[1:],
    ):
        with pytest.raises(TaskError, match=r"up steps of 0\.12 m"):
            sample_ground(task, 5.0, 0.0)


def _measure_knee(motion: Motion, side: str) -> Array:
    """Return the bend of a knee (n,), positive backward [rad]."""
    thigh, shin = (motion.link_names.index(f"{name}.{side}") for name in ("thigh", "shin"))
    rotation = so3.quat_to_matrix(motion.link_orientation)
    relative = np.swapaxes(rotation[:, thigh], 1, 2) @ rotation[:, shin]
    return np.asarray(so3.log(relative)[:, 1])


def _run(name: str, folder: Path) -> Motion:
    """Return the motion of a scenario whose task and motion went through their files."""
    task = find_scenario(name).build_task(fps=60.0, seconds=4.0)
    save_task(task, folder / "task.toml")
    loaded = load_task(folder / "task.toml")
    assert loaded.character == task.character
    motion = generate(loaded)
    assert motion.report.character == task.character
    again = load_motion(save_motion(motion, folder))
    assert again.link_names == motion.link_names
    assert again.link_position == pytest.approx(motion.link_position, abs=1e-6)
    return again


def test_a_frozen_knee_stays_straight(tmp_path: Path) -> None:
    motion = _run("adaptive-frozen-knee", tmp_path)
    # Limits of MuJoCo's joints yield: by 1.5 degrees where the leg lands
    assert np.abs(_measure_knee(motion, "L")).max() < np.radians(2.0)
    assert np.ptp(_measure_knee(motion, "R")) > np.radians(20.0)
    assert len(motion.footsteps) >= 8


def test_inverted_knees_bend_backward(tmp_path: Path) -> None:
    motion = _run("adaptive-inverted-knees", tmp_path)
    for side in "LR":
        knee = _measure_knee(motion, side)
        assert knee.max() < np.radians(2.0)
        assert np.ptp(knee) > np.radians(20.0)
    assert len(motion.footsteps) >= 6
    # Feet that turn their ankles beyond the range slide by 5 cm
    assert measure(motion).drift_m < 0.02


@pytest.mark.parametrize("name", ["humanoid-frozen-knee", "humanoid-inverted-knees"])
def test_falls_of_changed_bodies_are_noted(name: str) -> None:
    task = find_scenario(f"adaptive-{name.removeprefix('humanoid-')}").build_task(seconds=3.0)
    motion = generate(replace(task, pushes=(Push(0.5, (0.0, 1200.0, 0.0)),)))
    assert motion.report.character == name
    assert motion.frames == task.frames
    assert any("falls at" in note for note in motion.report.notes)
    assert motion.com[-1, 2] < 0.6
