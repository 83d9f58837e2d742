"""Stepping stones: the choice of stones, and a body that steps on no other ground."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations
from pathlib import Path as FilePath

import numpy as np
import pytest
from footfall.core.character.load import load_builtin
from footfall.core.clip import load_builtin_style
from footfall.core.engine import generate
from footfall.core.errors import TaskError
from footfall.core.scenarios.scenarios import find_scenario
from footfall.core.sketch.course.offset_path import fit_offset_path
from footfall.core.sketch.gait.gait import StyleGaitLaw
from footfall.core.sketch.placement.sole import measure_sole_depth, place_foot
from footfall.core.sketch.stones.clear_place import find_clear_place
from footfall.core.sketch.stones.genetic import evolve_sequence
from footfall.core.sketch.stones.stone_contact import StoneContact
from footfall.core.sketch.stones.stone_steps import choose_stones
from footfall.core.task import Path, SpeedProfile, SteppingStones, load_task, save_task
from footfall.core.terrain import (
    FlatGround,
    Slab,
    find_island_centers,
    join_grounds,
    make_slab_ground,
    make_stepping_stones,
)


def test_stones_support_feet_and_gaps_do_not() -> None:
    ground = make_stepping_stones([[0, 0, 0.1], [1, 0, 0.3]], 0.2)
    np.testing.assert_allclose(
        ground.sample_heights([[0, 0], [0.15, 0.05], [1, 0.1]]), [0.1, 0.1, 0.3]
    )
    assert np.isnan(ground.sample_heights([0.5, 0.0]))


def test_foot_avoids_a_higher_stone_beside_it() -> None:
    foot = load_builtin("humanoid").feet[0]
    low_and_high = make_stepping_stones([[0, 0, 0.0], [0.32, 0, 0.05]], 0.2)
    apart = make_stepping_stones([[0, 0, 0.0], [0.6, 0, 0.05]], 0.2)
    ahead = np.zeros(1)
    place = np.zeros(2)
    moved = find_clear_place(low_and_high, foot, place, ahead)

    def measure_rise(xy: np.ndarray) -> float:
        pose = place_foot(low_and_high, foot, xy, 0.0, level=0.0)
        return measure_sole_depth(low_and_high, foot, pose)

    assert measure_rise(place) > 0.02
    assert measure_rise(moved) <= 0.006
    assert low_and_high.sample_heights(moved) == 0.0
    np.testing.assert_array_equal(find_clear_place(apart, foot, place, ahead), place)


def test_islands_are_the_small_pieces() -> None:
    ground = join_grounds(
        [
            make_slab_ground([Slab((-10, -1), (-2, 2))]),
            make_stepping_stones([[0, 0, 0.1], [1, 0.5, 0.3]], [0.2, 0.3]),
        ]
    )
    np.testing.assert_allclose(find_island_centers(ground), [[0, 0], [1, 0.5]], atol=1e-9)
    assert find_island_centers(FlatGround()).shape == (0, 2)


@pytest.mark.parametrize(
    ("places", "says"),
    [
        (np.empty((0, 2)), "no stepping stones"),
        ([[0, np.nan]], "finite"),
        ([0, 1], "x and y"),
    ],
)
def test_invalid_stones_are_refused(places: object, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        SteppingStones(places)  # type: ignore[arg-type]


def test_a_task_file_keeps_stones(tmp_path: FilePath) -> None:
    task = find_scenario("humanoid-stones").build_task(seconds=2.0)
    save_task(task, tmp_path / "stones.toml")
    again = load_task(tmp_path / "stones.toml").stepping_stones
    assert task.stepping_stones is not None
    assert again is not None
    np.testing.assert_allclose(again.places, task.stepping_stones.places)


def test_evolution_equals_exhaustive_search() -> None:
    value = np.random.default_rng(3).normal(size=(3, 12))
    meeting = np.random.default_rng(4).normal(size=(12, 12))

    def cost(x: np.ndarray) -> np.ndarray:
        assert (np.diff(np.sort(x, 1), axis=1) > 0).all()
        return np.asarray(
            value[np.arange(3), x].sum(1) + meeting[x[:, 0], x[:, 1]] + meeting[x[:, 1], x[:, 2]]
        )

    everything = cost(np.array(list(permutations(range(12), 3))))
    result = [
        float(cost(evolve_sequence(cost, 12, 3, np.random.default_rng(seed))[None])[0])
        for seed in range(10)
    ]
    assert np.median(result) == pytest.approx(everything.min())
    assert max(result) < np.quantile(everything, 0.01)
    with pytest.raises(ValueError, match="choose 3 distinct integers from 2"):
        evolve_sequence(cost, 2, 3, np.random.default_rng(0))


def treads(speed: float, seed: int = 0) -> list[StoneContact]:
    """Return the chosen stones for a speed; the stones are always the same."""
    task = find_scenario("humanoid-stones").build_task(seconds=8.0, seed=seed)
    body = load_builtin("humanoid")
    assert task.stepping_stones is not None
    return choose_stones(
        replace(task, speed=SpeedProfile(speed)),
        task.stepping_stones,
        body,
        StyleGaitLaw.from_style(load_builtin_style("walk"), body, 9.81),
    )


def test_feet_alternate_and_each_stone_has_one_footstep() -> None:
    result = treads(1.2)[2:]
    assert len(result) > 12
    assert all(a.leg != b.leg and a.time < b.time for a, b in pairwise(result))
    xy = np.array([t.xy for t in result])
    assert len(np.unique(xy.round(6), axis=0)) == len(xy)
    assert np.linalg.norm(np.diff(xy, axis=0), axis=1).max() < 0.95


def test_stones_depend_on_seed_and_speed() -> None:
    once, again, faster = (np.array([t.xy for t in treads(speed)[2:]]) for speed in (1.2, 1.2, 1.6))
    np.testing.assert_array_equal(once, again)
    on = {tuple(p) for p in faster.round(6)[faster[:, 0] > 2.3]}
    assert len(on & {tuple(p) for p in once.round(6)}) < 0.7 * len(on)


def test_line_over_footsteps_is_smooth() -> None:
    path = Path([[0, 0], [20, 0]])
    times = 0.5 * np.arange(12)
    straight = np.column_stack([0.6 * np.arange(12), np.zeros(12)])
    line = fit_offset_path(path, straight, times, float(straight[-1, 0]), 3.3)
    np.testing.assert_allclose(line.path.position_at(line.stations), straight, atol=0.02)
    aside = straight + np.array([0, 0.3]) * (np.arange(12) % 2)[:, None]
    line = fit_offset_path(path, aside, times, float(straight[-1, 0]), 3.3)
    middle = line.path.position_at(line.stations)[2:-2]
    assert np.ptp(middle[:, 1]) < 0.15
    assert abs(middle[:, 1].mean() - 0.15) < 0.03
    assert line.path.length == pytest.approx(20, abs=0.5)


@pytest.mark.parametrize("name", ["humanoid-stones", "humanoid-terrain-stones"])
def test_feet_rest_on_stones_only(name: str) -> None:
    task = find_scenario(name).build_task(fps=30, seconds=5.0)
    motion = generate(task)
    resting = motion.contact_position[motion.contact_active]
    assert np.isfinite(task.ground.sample_heights(resting[:, :2])).mean() > 0.995
    assert motion.com[-1, 0] > 0.85 * 1.2 * 5.0
