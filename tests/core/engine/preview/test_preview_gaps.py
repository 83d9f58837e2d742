"""Gaps on the path of a simulated body: level ground before them, run-ups, and suitable steps."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.preview.goal import GoalSource
from footfall.core.engine.preview.ground.foothold_field import (
    FOOTHOLDS,
    build_foothold_field,
    sample_best_foothold_distances,
)
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.engine.preview.speed_choice import SPEED
from footfall.core.engine.preview.steps import STEPS
from footfall.core.engine.preview.stride_planner import (
    LATERAL_OFFSETS,
    STRIDE_PLAN,
    plan_step_lengths,
)
from footfall.core.motion import Motion
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.scenarios.simulated import Slab, make_slab_ground, make_straight_path
from footfall.core.slip.body import SlipBody
from footfall.core.slip.command import FootholdDistance, StepGoal, UnevenSteps
from footfall.core.slip.gauss_newton import GaussNewton
from footfall.core.slip.planner import PreviewPlanner
from footfall.core.slip.problem import PreviewProblem
from footfall.core.slip.schedule import PhaseTimeLimits
from footfall.core.slip.state import FootPose, SlipState
from footfall.core.task import SpeedProfile, Task
from footfall.core.terrain import FlatGround, MeshGround
from footfall.core.terrain.stones import join_grounds
from judging import SIMULATED_LIMITS, find_exceeded, judge_motion
from observed import generate_observed

BODY = SlipBody.from_character(load_character("humanoid"), 9.81)


def gap(width: float, begin: float = 3.0) -> Task:
    """Return a task on level ground with one gap across the path."""
    ground = make_slab_ground([Slab((-15.0, begin), (-2, 2)), Slab((begin + width, 30.0), (-2, 2))])
    return Task(make_straight_path(12.0), SpeedProfile(1.25), ground=ground)


def good(task: Task) -> FootholdDistance:
    """Return the distance from footholds."""
    result = build_foothold_field(task, BODY)
    assert result is not None
    return result


def test_ground_is_sampled_only_near_gaps() -> None:
    """The ground far before a gap is not sampled; near a gap, or with ground missing, it is."""
    task = gap(0.5)
    course = GoalSource(task, good(task))

    def goal(x: float) -> StepGoal:
        course.station = x
        return course.compute_goal(0.0, np.array([x, 0.0, 0.9]), 0.0).step_goal

    assert goal(0.5).ground_height is None
    assert goal(0.5).foothold_distance is None
    assert goal(2.0).ground_height is not None
    assert goal(2.0).foothold_distance is not None
    # the next foot may still be on the other side
    assert goal(4.2).ground_height is not None
    assert goal(5.0).ground_height is None


def test_a_first_step_on_rough_ground_is_shorter() -> None:
    """This holds for a start from standing; on level ground the first step is as long as others."""
    task = gap(0.3)
    lengths = []
    for course, sets_off in product(
        (GoalSource(task, good(task)), GoalSource(replace(task, ground=FlatGround()))),
        (False, True),
    ):
        course.station = 2.0
        lengths.append(
            course.compute_goal(
                0.0, np.array([2.0, 0.0, 0.9]), 0.0, 0.0, is_setting_off=sets_off
            ).step_goal.step_length
        )
    assert lengths[1] == pytest.approx(STEPS.first_step_ratio * lengths[0])
    assert lengths[3] == lengths[2] > 0


@pytest.mark.parametrize(
    ("width", "runs"),
    [(0.3, False), (0.5, False), (0.7, True), (0.9, True), (1.2, True), (2.0, False)],
)
def test_wide_gaps_are_run_up_to(width: float, runs: bool) -> None:
    """Wide gaps are those that a running step crosses and a walking step does not.

    The run-up also continues while the body is over the gap.
    """
    task = gap(width)
    course = GoalSource(task, good(task))
    speeds = [course.initial_speed]
    for course.station in (2.0, 3.0 + 0.5 * width, 3.1 + width):
        speeds.append(
            course.compute_goal(
                0.0, np.array([course.station, 0.0, 0.9]), 0.0, 2.6
            ).step_goal.step_length
            > 0.9
        )
    assert [
        speed > (SPEED.run_onset_speed if k == 0 else 0.5) for k, speed in enumerate(speeds)
    ] == [runs] * 4
    assert bool(course.make_notes(1.0, 1.0)) == runs


def test_feet_keep_farther_from_a_chasm_than_from_a_step() -> None:
    """Heels that hang over a chasm have no support."""
    deep, low = (
        Task(
            make_straight_path(4.0),
            SpeedProfile(1.0),
            ground=make_slab_ground([Slab((-5, 1), (-2, 2)), Slab((1.0, 9), (-2, 2), -drop, 2.0)]),
        )
        for drop in (1.2, 0.15)
    )
    place = np.array(
        [[1.0 - BODY.foot_extent[0] - 0.5 * (FOOTHOLDS.edge_margin + FOOTHOLDS.chasm_margin), 0.0]]
    )
    assert good(deep)(place, np.zeros(1))[0] > 0.01
    assert good(low)(place, np.zeros(1))[0] < 0.005


@pytest.mark.parametrize("foot", [0.4, 1.0, 1.7, 2.3])
def test_steps_before_a_gap_are_optimal(foot: float) -> None:
    """No sequence of steps on a coarser grid of lengths costs less than the result."""
    task = gap(0.8)
    path = task.path
    footings = good(task)
    result = plan_step_lengths(path, foot, 1.05, 1.05, footings)
    assert result is not None

    def cost(lengths: np.ndarray) -> np.ndarray:  # (n, k) -> (n,)
        ends = foot + np.cumsum(lengths, 1)
        # steps that begin within the lookahead
        inside = (ends - lengths < foot + STRIDE_PLAN.lookahead_length - 1e-9).astype(float)
        off = sample_best_foothold_distances(path, ends.ravel(), LATERAL_OFFSETS, footings).reshape(
            ends.shape
        )
        change = np.diff(np.column_stack([np.full(len(lengths), 1.05), lengths]), axis=1)
        return np.asarray(
            (
                inside
                * (
                    (lengths - 1.05) ** 2
                    + STRIDE_PLAN.change_weight * change**2
                    + STRIDE_PLAN.foothold_weight * off**2
                )
            ).sum(1)
        )

    steps = np.arange(0.75, STRIDE_PLAN.max_length + 1e-9, 0.05)
    rest = np.array(list(product(steps[::2], repeat=2)))
    sequences = np.array([[a, b, *tail] for a in steps for b in steps for tail in rest])
    through = np.array([[result.first, result.second, *tail] for tail in product(steps, repeat=2)])
    assert cost(through).min() <= cost(sequences).min() + 1e-9
    assert all(
        STEPS.min_adapted_length <= length <= STRIDE_PLAN.max_length
        for length in (result.first, result.second)
    )


@pytest.mark.parametrize(
    ("width", "widest"), [(0.9, STRIDE_PLAN.max_length), (1.2, STRIDE_PLAN.max_leap_length)]
)
def test_only_gaps_that_no_step_crosses_are_leapt_over(width: float, widest: float) -> None:
    """Steps are no longer than necessary."""
    task = gap(width)
    feet = [0.5]
    last = 1.05
    while feet[-1] < 3.0:
        result = plan_step_lengths(task.path, feet[-1], last, 1.05, good(task))
        assert result is not None
        last = result.first
        feet.append(feet[-1] + last)
    assert good(task)(np.array([[x, 0.0] for x in feet]), np.zeros(len(feet))).max() < 0.02
    assert widest - 0.2 < np.diff(feet).max() <= widest


def test_level_ground_needs_no_pacing() -> None:
    """Far from any edge all step lengths are equally good."""
    task = gap(0.8)
    assert plan_step_lengths(task.path, 5.0, 1.05, 1.05, good(task)) is None


def test_adapted_step_has_its_target_length() -> None:
    """The foot of a run with a longer target step lands farther from the stance foot."""
    com = np.array([0.0, 0.0, BODY.com_height - 0.05])
    feet = (
        FootPose(np.array([0.1, 0.085, 0.0]), 0.0),
        FootPose(np.array([-0.4, -0.085, 0.1]), 0.0),
    )
    state = SlipState(
        com, np.array([2.4, 0.0, -0.3]), 0.0, 0.0, feet, "single", 0, 0.05, com[:2] - [0.1, 0.0]
    )
    reached = []
    for reach in (0.9, 1.2):
        goal = StepGoal(
            "run", 1.09, 0.42, uneven_steps=UnevenSteps(np.array([0.1 + reach, 0.0]), (reach, 1.05))
        )
        problem = PreviewProblem(state, goal, BODY)
        landing = problem.build_preview(
            GaussNewton(40).solve(problem, problem.initial_guess).controls
        ).landing
        assert landing is not None
        reached.append(landing.place[0] - 0.1)
    assert reached[1] > reached[0] + 0.1


def test_run_steps_over_a_gap_from_bad_initial_parameters() -> None:
    """The foot lands at its target, even if the last parameters would place it in the gap."""
    # The gap reaches from 6.53 to 6.88 m.
    task = SCENARIOS["preview-gaps"].build_task(fps=60, seconds=10.0, seed=1)
    com = np.array([5.455648, 0.006719, 0.896194])
    velocity = np.array([2.357332, 0.118644, -0.414193])
    feet = (
        FootPose(
            np.array([5.816268, 0.082027, 0.002883]), -0.011253, np.array([0.537595, -0.004947])
        ),
        FootPose(
            np.array([5.066404, -0.05328, 0.116598]), -0.001367, np.array([3.186884, 0.237451])
        ),
    )
    state = SlipState(com, velocity, -0.009023, 0.242822, feet, "single", 0, 0.0, com[:2])
    goal = StepGoal(
        "run",
        1.3125,
        0.388,
        -0.003677,
        ground_height=task.ground.sample_heights,
        foothold_distance=good(task),
        uneven_steps=UnevenSteps(np.array([7.055891, 0.0]), (1.5625, 1.4375), (0.073905, 0.036952)),
    )
    problem = PreviewProblem(state, goal, BODY, PhaseTimeLimits(min_single=0.2))
    last = np.array(
        [
            0.0,
            0.31433,
            0.171313,
            0.31433,
            0.171313,
            -0.683038,
            -0.683038,
            0.283171,
            -0.074988,
            -1.0,
            -1.0,
            -1.0,
            -1.0,
            0.5,
            -1.0,
            -1.0,
            1.0,
            0.5,
            1.0,
            4.919918,
            2.206595,
            5.866444,
            2.206595,
            5.866444,
        ]
    )
    planner = PreviewPlanner()
    planner.adopt(last, np.inf)
    landing = planner.plan(problem).landing
    assert landing is not None
    assert landing.place[0] == pytest.approx(7.056, abs=0.05)


def test_a_runners_feet_may_cross_on_rough_ground() -> None:
    """A foot well ahead of the other may cross.

    Otherwise a body that leans away from its stance foot lands too wide and weaves.
    """
    com = np.array([0.0, 0.0, BODY.com_height - 0.03])
    feet = (
        FootPose(np.array([0.1, 0.0, 0.0]), 0.0),
        FootPose(np.array([-0.6, -0.05, 0.12]), 0.0, np.array([3.0, 0.0])),
    )
    state = SlipState(com, np.array([2.3, 0.35, -0.3]), 0.0, 0.0, feet, "single", 0, 0.0, com[:2])
    places = []
    for height in (None, lambda at: np.zeros(np.shape(at)[:-1])):
        problem = PreviewProblem(state, StepGoal("run", 1.31, 0.39, ground_height=height), BODY)
        landing = problem.build_preview(
            GaussNewton(40).solve(problem, problem.initial_guess).controls
        ).landing
        assert landing is not None
        places.append(landing.place[:2])
    assert places[1] == pytest.approx(places[0], abs=0.03)
    assert places[1][1] > -0.13


def test_ground_without_edges_requires_no_footholds() -> None:
    """On slopes and level ground footholds are free, near a gap they are not.

    On level ground heights are not sampled either.
    """
    pieces = [Slab((-15.0, 3.0), (-2, 2)), Slab((3.3, 30.0), (-2, 2))]
    slope = MeshGround(
        np.array([[30.0, -2, 0], [60, -2, 3], [60, 2, 3], [30, 2, 0]]), [[0, 1, 2], [0, 2, 3]]
    )
    task = Task(
        make_straight_path(50.0),
        SpeedProfile(1.25),
        ground=join_grounds([make_slab_ground(pieces), slope]),
    )
    course = GoalSource(task, good(task))
    sampled = []
    for course.station in (-6.0, 2.0, 10.0, 40.0):
        goal = course.compute_goal(0.0, np.array([course.station, 0.0, 0.9]), 0.0, 1.25).step_goal
        sampled.append((goal.ground_height is not None, goal.foothold_distance is not None))
    assert sampled == [(False, False), (True, True), (False, False), (True, False)]


NARROW = (Slab((-15.0, 3.0), (-2, 2)), Slab((3.3, 11.0), (-2, 2)), Slab((11.8, 30.0), (-2, 2)))


def gaits(course: GoalSource, *places: float, velocity: float = 2.6) -> list[str]:
    """Return the gaits of a body at successive positions along x."""
    result = []
    for x in places:
        course.station = x
        result.append(
            course.compute_goal(0.0, np.array([x, 0.0, 0.9]), 0.0, velocity).step_goal.gait
        )
    return result


def test_run_up_begins_before_a_smaller_gap() -> None:
    """The ground after the smaller gap is too short for a run-up."""
    task = Task(make_straight_path(16.0), SpeedProfile(1.25), ground=make_slab_ground(NARROW))
    assert GoalSource(task, good(task)).initial_speed > SPEED.run_onset_speed
    assert (
        gaits(GoalSource(task, good(task)), -1.5, 0.5, 2.2, 3.2, 10.9, 11.5)
        == ["walk"] + ["run"] * 5
    )


def test_a_run_up_begins_on_level_ground() -> None:
    """A body that is just before a narrow gap walks over it first."""
    task = Task(make_straight_path(16.0), SpeedProfile(1.25), ground=make_slab_ground(NARROW))
    assert gaits(GoalSource(task, good(task)), 2.2, 3.2, 5.0, 10.9) == ["walk"] * 2 + ["run"] * 2


def test_run_continues_over_smaller_gaps_behind_a_wide_one() -> None:
    """To walk again it needs good ground and a lower speed."""
    pieces = [Slab((-15.0, 3.0), (-2, 2)), Slab((3.8, 6.0), (-2, 2)), Slab((6.3, 30.0), (-2, 2))]
    task = Task(make_straight_path(16.0), SpeedProfile(1.25), ground=make_slab_ground(pieces))
    course = GoalSource(task, good(task))
    assert gaits(course, 0.5, 5.7, 6.2, 9.0) == ["run"] * 4
    assert gaits(course, 9.2, velocity=SPEED.run_onset_speed - 0.1) == ["walk"]


def test_body_does_not_stop_in_a_leap() -> None:
    """The body passes the end of a path just behind a wide gap by as much as it needs."""
    task = replace(gap(0.8), path=make_straight_path(4.2))
    assert gaits(GoalSource(task, good(task)), 0.5, 3.5, 4.3) == ["run", "run", "stand"]


class GapWalk(NamedTuple):
    """A walk that has to run up to a wide gap."""

    motion: Motion
    # States and goals of the previews in stance whose steps are adapted to gaps
    adapted: list[tuple[SlipState, UnevenSteps]]


@pytest.fixture(scope="module")
def over_gaps() -> GapWalk:
    """Return a walk that has to run up to a wide gap."""
    adapted = list[tuple[SlipState, UnevenSteps]]()

    def observe(simulation: Simulation) -> None:
        planned = simulation.loop.planning.last_problem
        if simulation.goal_source.station < 4.5 and planned is not None:
            steps = planned.goal.uneven_steps
            if steps is not None and planned.state.support != "flight":
                adapted.append((planned.state, steps))

    task = SCENARIOS["preview-gaps"].build_task(fps=60, seconds=6.5, seed=0)
    return GapWalk(generate_observed(task, observe), adapted)


@pytest.mark.long
def test_step_goal_is_relative_to_the_stance_foot(over_gaps: GapWalk) -> None:
    """Also at a landing: a goal at the foot's place would stop the body. It stays for the step."""
    chosen = dict[tuple[float, ...], set[float]]()
    for state, steps in over_gaps.adapted:
        place = float(steps.foot_place[0])
        assert place > state.standing_foot.place[0] + STEPS.min_adapted_length - 0.05
        chosen.setdefault(tuple(state.step_origin), set()).add(place)
    assert len(chosen) > 3
    assert all(len(places) == 1 for places in chosen.values())


@pytest.mark.long
def test_a_walk_runs_over_gaps(over_gaps: GapWalk) -> None:
    """Without a fall it flies over a gap, no foot rests in one, and the report names the run."""
    assert not any("fallen" in note for note in over_gaps.motion.report.notes)
    assert any("runs up to gaps" in note for note in over_gaps.motion.report.notes)
    assert float(over_gaps.motion.com[-1, 0]) > 6.0
    assert bool((~over_gaps.motion.contact_active.any(1)).any())


@pytest.mark.long
def test_forces_explain_a_run_over_gaps(over_gaps: GapWalk, shared: Path, tmp_path: Path) -> None:
    """The independent checker confirms it, though a runner's feet land hard."""
    assert not find_exceeded(judge_motion(shared, tmp_path, over_gaps.motion), SIMULATED_LIMITS)
