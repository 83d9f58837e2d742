"""Level 1: the pendulum keeps up, the search finds the optimum, steps obey their rules."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from footfall.core.character.load import load_builtin
from footfall.core.clip import load_builtin_style
from footfall.core.errors import TaskError, TerrainError
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.sketch.course.pendulum import CartPendulum
from footfall.core.sketch.footsteps.cost import FootstepProblem, PastContact
from footfall.core.sketch.footsteps.foot_targets import LinePoints
from footfall.core.sketch.footsteps.search import search_lattice, search_step_times
from footfall.core.sketch.placement.footholds import Footholds
from footfall.core.sketch.sketch import Sketch, sketch_walk
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.terrain import HeightField, Slab, make_slab_ground


def _nowhere(places: np.ndarray, _: np.ndarray) -> np.ndarray:
    return np.zeros(len(places), bool)


def _draw(task: Task) -> Sketch:
    return sketch_walk(task, load_builtin("humanoid"), load_builtin_style(task.style), 0.95, 0.45)


def test_pendulum_balances_and_reaches_its_speed() -> None:
    pendulum = CartPendulum(0.95, 0.45, 9.81, 1 / 30)
    state = np.zeros((4, 2))
    goal = np.array([1.2, -0.4])
    for _ in range(150):
        state = pendulum.step(state, goal)
    np.testing.assert_allclose(pendulum.compute_com_velocity(state), goal, atol=1e-3)
    np.testing.assert_allclose(state[1], 0, atol=1e-3)


def _problem(**changes: object) -> FootstepProblem:
    def sample(times: np.ndarray) -> LinePoints:
        return LinePoints(np.stack([1.2 * times, 0 * times], -1), 0 * times)

    last = (
        PastContact(0, 0.0, np.array([0.0, 0.09])),
        PastContact(1, 0.55, np.array([0.66, -0.09])),
    )
    problem = FootstepProblem(
        last, sample, lambda t: 0 * t, 1.1, 1.32, np.array([0.09, -0.09]), 0.0
    )
    return replace(problem, **changes)  # type: ignore[arg-type]


def test_search_on_a_straight_walk_keeps_the_rhythm() -> None:
    times = search_step_times(_problem())
    np.testing.assert_allclose(np.diff(times), 0.55, atol=0.01)


def test_search_shuns_forbidden_ground() -> None:
    def ditch(places: np.ndarray, _: np.ndarray) -> np.ndarray:
        return (places[:, 0] > 1.2) & (places[:, 0] < 1.5)

    problem = _problem(footholds=Footholds(ditch, _nowhere, lambda xy: 0 * xy[..., 0], 0.5))
    free = _problem().compute_places(search_step_times(_problem())[None]).position[0]
    assert ditch(free, free).any(), "the ditch must lie where a foot would have stood"
    place = problem.compute_places(search_step_times(problem)[None]).position[0]
    assert not ditch(place, place).any()


def test_lattice_finds_what_the_gradient_finds_where_all_is_allowed() -> None:
    # not quite in its rhythm
    last = (PastContact(0, 0.0, np.array([0.0, 0.09])), PastContact(1, 0.5, np.array([0.6, -0.09])))
    problem = _problem(last_contacts=last)
    np.testing.assert_allclose(search_lattice(problem), search_step_times(problem), atol=0.02)


def test_lattice_finds_steps_among_many_ditches() -> None:
    def stones(places: np.ndarray, _: np.ndarray) -> np.ndarray:
        # a foot may only stand near multiples of 0.7 m
        return np.abs((places[:, 0] + 0.35) % 0.7 - 0.35) > 0.06

    problem = _problem(footholds=Footholds(stones, _nowhere, lambda xy: 0 * xy[..., 0], 0.5))
    place = problem.compute_places(search_step_times(problem)[None]).position[0]
    assert not stones(place, place).any()
    np.testing.assert_allclose(np.diff(place[:, 0]), 0.7, atol=0.12)


def test_no_foot_in_a_gap() -> None:
    task = SCENARIOS["humanoid-leap"].build_task(seconds=8)
    drawn = _draw(task)
    foot = load_builtin("humanoid").feet[0]
    for s in drawn.steps:
        if s.footstep.strike < task.seconds:
            for end in (foot.heel, foot.tip):
                place = s.footstep.position + s.footstep.rotation @ (end - foot.sole_center)
                assert np.isfinite(task.ground.sample_heights(place[:2])), (
                    f"{place} at {s.footstep.strike:.2f} s"
                )


def test_a_walk_on_stones_from_standing_begins_with_both_feet_beside_each_other() -> None:
    task = replace(SCENARIOS["humanoid-stones"].build_task(seconds=3), start="standing")
    drawn = _draw(task)
    first, second, third = (s.footstep for s in drawn.steps[:3])
    assert np.abs(np.stack([first.position, second.position])[:, 0]).max() < 0.01
    assert 0.08 < second.position[1] - first.position[1] < 0.3
    assert 0.3 < first.lift < third.strike < second.lift
    assert drawn.course.speed[0] < 0.01


def test_no_foot_steps_onto_a_block_as_high_as_a_thigh() -> None:
    """A block of 0.6 m has room for a foot, which would not reach it from the ground."""
    block = Slab((2.4, 2.9), (-4.0, 4.0), height=0.6)
    ground = make_slab_ground([Slab((-20.0, 40.0), (-4.0, 4.0)), block])
    drawn = _draw(Task(Path([[0, 0], [10, 0]]), SpeedProfile(1.3), seconds=4, ground=ground))
    assert [s.footstep.position[2] for s in drawn.steps if s.footstep.position[2] > 0] == []


@pytest.mark.parametrize(
    "name",
    [n for n in SCENARIOS if n.startswith("humanoid-") and not n.endswith(("-jumps", "-flips"))],
)
def test_steps_are_in_order_and_feet_take_turns(name: str) -> None:
    drawn = _draw(SCENARIOS[name].build_task(seconds=8))
    steps = [s.footstep for s in drawn.steps]
    for f in steps:
        assert f.strike <= f.flat <= f.heel_off <= f.lift
    for a, b in zip(steps[:-2], steps[2:], strict=True):
        if a.leg == b.leg:
            assert a.lift < b.strike
    assert all(a.leg != b.leg for a, b in pairwise(steps))


def test_walk_and_stop_stands_still() -> None:
    drawn = _draw(SCENARIOS["humanoid-walk-and-stop"].build_task(seconds=8))
    assert any(s.is_standing for s in drawn.steps)


def test_feet_do_not_cross_in_turns() -> None:
    drawn = _draw(SCENARIOS["humanoid-sharp-turn"].build_task(seconds=9))
    for s in drawn.steps:
        at = drawn.course.pendulum.sample(np.array(s.time), "cart")
        left = np.array([-np.sin(s.footstep.yaw), np.cos(s.footstep.yaw)])
        side = float((s.footstep.position[:2] - at) @ left)
        assert side * (1 if s.footstep.leg == 0 else -1) > -0.03


def test_too_fast_for_the_legs() -> None:
    with pytest.raises(TaskError, match="at most"):
        _draw(Task(Path([[0, 0], [9, 0]]), SpeedProfile(40.0), style="run"))


def test_path_off_the_terrain() -> None:
    task = Task(
        Path([[0, 0], [30, 0]]),
        SpeedProfile(1.2),
        ground=HeightField(np.zeros((9, 9)), (-2, -2), 0.5),
    )
    with pytest.raises(TerrainError, match="leaves the terrain"):
        _draw(task)


def test_slopes_slow_the_walk() -> None:
    x = np.arange(-3, 30, 0.25)
    ramp = HeightField(
        np.tan(np.radians(20)) * np.maximum(x - 1, 0)[:, None] + np.zeros((1, 9)), (-3, -1), 0.25
    )
    up = _draw(Task(Path([[0, 0], [20, 0]]), SpeedProfile(1.2), ground=ramp, seconds=6))
    late = up.course.time > 4
    assert np.linalg.norm(up.course.target_velocity[late], axis=1).max() == pytest.approx(
        1.2 * np.cos(np.radians(20)), rel=0.05
    )


def test_a_body_without_speed_stands_before_its_stones() -> None:
    """Times of steps onto stones follow from the distance that the body covers, here none."""
    task = replace(SCENARIOS["humanoid-stones"].build_task(seconds=2), speed=SpeedProfile(0.0))
    drawn = _draw(task)
    assert len(drawn.steps) == 2
    assert min(s.footstep.lift for s in drawn.steps) > task.seconds
