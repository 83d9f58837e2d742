"""Hurdles: valid bars, the gap that feet leave below, and bodies that touch none."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.clip import load_builtin_style
from footfall.core.engine import generate
from footfall.core.engine.centroidal.hurdles import compute_max_hurdle_height, has_hurdle_between
from footfall.core.errors import TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Footstep, Motion
from footfall.core.scenarios.scenarios import find_scenario
from footfall.core.sketch.placement.footholds import compute_hurdle_zone
from footfall.core.task import (
    Hurdle,
    Jump,
    SpeedProfile,
    SteppingStones,
    Task,
    load_task,
    save_task,
)
from footfall.core.task import Path as Way
from footfall.core.task.file import task_from_data
from footfall.core.task.hurdle import BAR_RADIUS

TASK = """footfall_task = 1
speed = 1.2
[path]
points = [[0, 0], [5, 0]]
"""
LEG = 0.93
GRAVITY = 9.81


@pytest.mark.parametrize(
    ("start", "end", "height", "said"),
    [
        ((0, 0), (0, 0.01), 0.6, "shorter"),
        ((0, 0), (0, 1), 0.0, "above the ground"),
        ((0, 0), (0, 1), np.nan, "above the ground"),
        ((0, np.inf), (0, 1), 0.6, "two places"),
        ((0, 0, 0), (0, 1, 0), 0.6, "two places"),
    ],
)
def test_invalid_hurdle_is_refused(
    start: tuple[float, ...], end: tuple[float, ...], height: float, said: str
) -> None:
    with pytest.raises(TaskError, match=said):
        Hurdle(start, end, height)  # type: ignore[arg-type]


def test_a_task_file_keeps_hurdles(tmp_path: Path) -> None:
    task = find_scenario("humanoid-hurdles").build_task(seconds=3.0)
    assert len(task.hurdles) >= 2
    save_task(task, tmp_path / "hurdles.toml")
    assert load_task(tmp_path / "hurdles.toml").hurdles == task.hurdles


@pytest.mark.parametrize(
    ("line", "says"),
    [("hight = 1", "'hight'"), ("start = [1.0]", "2 numbers"), ("height = 'x'", "number")],
)
def test_invalid_hurdle_in_a_file_is_refused(line: str, says: str) -> None:
    rest = "" if line.startswith("start") else "start = [2, 1]\n"
    with pytest.raises(TaskError, match=says):
        task_from_data(tomllib.loads(f"{TASK}[[hurdle]]\n{rest}end = [2, -1]\n{line}\n"))


def test_crossing_differs_from_running_along_a_bar() -> None:
    offsets = Hurdle((2.0, 1.0), (2.0, -1.0)).measure_offsets(
        np.array([[0.0, 0.0], [3.0, 0.5], [2.0, -1.5]])
    )
    assert np.allclose(np.abs(offsets.across), [2, 1, 0])
    assert offsets.across[0] * offsets.across[1] < 0
    assert np.allclose(offsets.past_end, [0, 0, 0.5])


def test_the_gap_under_a_hurdle_grows_with_speed_and_height() -> None:
    def gap(height: float, speed: float) -> float:
        leap = compute_hurdle_zone(Hurdle((0, 1), (0, -1), height), speed, LEG, GRAVITY)
        return leap.take_off_distance + leap.landing_distance

    # between the centers of the feet; 3 m between soles
    assert gap(0.6, 5.0) == pytest.approx(3.3, abs=0.1)
    assert gap(0.3, 5.0) < gap(0.6, 5.0) < gap(0.8, 5.0)
    assert gap(0.6, 3.0) < gap(0.6, 5.0)


def test_feet_keep_out_of_the_gap_from_either_side() -> None:
    leap = compute_hurdle_zone(Hurdle((0, 1), (0, -1), 0.6), 5.0, LEG, GRAVITY)
    x = np.array([-2.5, -1.7, 0.0, 1.2, 1.7, 2.5])
    places = np.stack([x, np.zeros(6)], -1)
    assert leap.is_forbidden(places, np.zeros(6)).tolist() == [
        False,
        True,
        True,
        True,
        False,
        False,
    ]
    assert leap.is_forbidden(places, np.full(6, np.pi)).tolist() == [
        False,
        False,
        True,
        True,
        True,
        False,
    ]
    assert not leap.is_forbidden(places + [0.0, 2.0], np.zeros(6)).any()
    beside = np.array(
        [[-0.5, 0.0], [0.05, 0.0]]
    )  # footsteps are allowed along the bar, but not on it
    assert leap.is_forbidden(beside, np.full(2, 0.5 * np.pi)).tolist() == [False, True]


def test_flight_over_a_bar_is_recognized() -> None:
    def step(x: float, y: float) -> Footstep:
        return Footstep(0, 0.0, 0.1, 0.2, 0.3, np.array([x, y, 0.0]), np.eye(3))

    bar = (Hurdle((2.0, 1.0), (2.0, -1.0)),)
    assert has_hurdle_between(step(0, 0), step(3, 0), bar)
    assert not has_hurdle_between(step(0, 0), step(1, 0), bar)
    assert not has_hurdle_between(step(0, 2), step(3, 2), bar)


def clearance(motion: Motion, hurdle: Hurdle) -> dict[str, float]:
    """Return the distance of a bar from each capsule of a body, by the name of the link."""
    a, b = (np.array([*end, hurdle.height]) for end in (hurdle.start, hurdle.end))
    rotation = so3.quat_to_matrix(motion.link_orientation)
    out: dict[str, float] = {}
    for s in motion.solids:
        centre = motion.link_position[:, s.link]
        turn = rotation[:, s.link]
        p = centre + turn @ s.start
        q = centre + turn @ s.end
        along = p[:, None] + np.linspace(0, 1, 60)[:, None] * (q - p)[:, None]
        share = np.clip((along - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        away = (
            np.linalg.norm(along - a - share[..., None] * (b - a), axis=-1).min()
            - s.radius
            - BAR_RADIUS
        )
        name = motion.link_names[s.link]
        out[name] = min(out.get(name, np.inf), away)
    return out


@pytest.mark.parametrize("fps", [30.0, 120.0])
def test_nothing_touches_the_bars(fps: float) -> None:
    task = find_scenario("humanoid-hurdles").build_task(fps=fps, seconds=8.0)
    motion = generate(task)
    reached = [h for h in task.hurdles if h.start[0] < motion.com[-1, 0] - 0.5]
    assert len(reached) >= 5
    for hurdle in reached:
        assert min(clearance(motion, hurdle).values()) > 0
    assert not motion.relaxed.any()


def test_a_hurdle_scales_with_the_body() -> None:
    assert Hurdle((1, 2), (1, 4), 0.5, 0.1).in_units(0.5, 1.0) == Hurdle((2, 4), (2, 8), 1.0, 0.2)


def test_feet_keep_away_from_a_deep_hurdle_by_half_its_depth_more() -> None:
    bar, box = (
        compute_hurdle_zone(Hurdle((0, 1), (0, -1), 0.6, depth), 3.0, LEG, GRAVITY)
        for depth in (0.0, 0.5)
    )
    assert box.take_off_distance - bar.take_off_distance == pytest.approx(0.25)
    assert box.landing_distance - bar.landing_distance == pytest.approx(0.25)
    with pytest.raises(TaskError, match="deep"):
        Hurdle((0, 1), (0, -1), 0.6, -0.1)


def test_walk_steps_over_low_bars_and_run_leaps_over_higher_ones() -> None:
    natural = load_builtin_style("natural")
    assert compute_max_hurdle_height(natural, 1.2, LEG, GRAVITY) < 0.3
    assert 0.8 < compute_max_hurdle_height(natural, 3.0, LEG, GRAVITY) < 1.0
    assert compute_max_hurdle_height(natural, 1.2, 0.5 * LEG, GRAVITY) == pytest.approx(
        0.5 * compute_max_hurdle_height(natural, 1.2, LEG, GRAVITY)
    )
    assert compute_max_hurdle_height(
        load_builtin_style("walk"), 2.2, LEG, GRAVITY
    ) == compute_max_hurdle_height(natural, 1.2, LEG, GRAVITY)


def test_walk_ends_before_a_hurdle_that_it_cannot_clear() -> None:
    task = Task(
        Way([[0, 0], [20, 0]]),
        SpeedProfile(1.2),
        hurdles=(Hurdle((3, 0.6), (3, -0.6), 0.8),),
        seconds=5.0,
    )
    motion = generate(task)
    assert any("before the hurdle at (3.00, 0.00)" in note for note in motion.report.notes)
    assert 2.0 < motion.com[-1, 0] < 3.0
    assert not any("touches" in note for note in motion.report.notes)


def test_touched_hurdle_is_reported() -> None:
    task = Task(
        Way([[0, 0], [20, 0]]),
        SpeedProfile(1.2),
        hurdles=(Hurdle((3, 0.6), (3, -0.6), 0.35),),
        seconds=5.0,
    )
    notes = [note for note in generate(task).report.notes if "touches" in note]
    assert len(notes) == 1
    assert "(3.00, 0.00)" in notes[0]
    low = replace(task, hurdles=(Hurdle((3, 0.6), (3, -0.6), 0.2),))
    assert not [note for note in generate(low).report.notes if "touches" in note]


def test_hurdles_conflict_with_stones_and_jumps() -> None:
    task = Task(Way([[0, 0], [20, 0]]), SpeedProfile(1.2), hurdles=(Hurdle((3, 0.6), (3, -0.6)),))
    with pytest.raises(TaskError, match="take out the hurdles or the stones"):
        replace(task, stepping_stones=SteppingStones([[5.0, 0.0]]))
    with pytest.raises(TaskError, match="take out the hurdles, or the jumps"):
        generate(replace(task, start="standing", jumps=(Jump(1.0, 0.3),)))
