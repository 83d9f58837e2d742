"""The engine `preview`: a simulated body walks, stands and falls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine import generate
from footfall.core.engine.preview.feet.clearance import (
    CLEARANCE,
    SwingHeight,
    compute_clearance_deficit,
    compute_swing_height,
)
from footfall.core.engine.preview.feet.swing import compute_min_landing_time
from footfall.core.engine.preview.goal import GoalSource
from footfall.core.engine.preview.ground.foothold_field import build_foothold_field
from footfall.core.engine.preview.phases.double_support import DoubleSupportPolicy
from footfall.core.engine.preview.phases.phase_machine import PhaseMachine
from footfall.core.engine.preview.steps import STEPS
from footfall.core.errors import CharacterError, TaskError
from footfall.core.motion import Motion
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.simulate.swinging import (
    SWING,
    compute_peel,
    compute_progress,
    evaluate_swing_height,
)
from footfall.core.slip.body import SlipBody
from footfall.core.slip.command import StepGoal
from footfall.core.slip.planner import PREVIEW_SEARCH
from footfall.core.slip.problem import PreviewProblem
from footfall.core.slip.state import FootPose, SlipState
from footfall.core.task import Jump, Push, SpeedProfile, Task
from footfall.core.terrain import Slab, make_slab_ground, make_stair_slabs
from judging import find_exceeded, judge_motion
from observed import MAX_ARM_OVERLAP, generate_observed, measure_arm_overlap

BARS = {
    "drift_max_m": 0.02,
    "penetration_max_m": 0.01,
    "momentum_residual_bw": 0.02,
    "angular_residual": 0.02,
    "speed_error": 0.1,
}


class Gait(NamedTuple):
    """A motion of a simulated body."""

    motion: Motion
    max_overlap: float  # of the arms with the body [m]


def simulate_gait(name: str, fps: float) -> Gait:
    """Return four seconds of a scenario."""
    overlaps = list[float]()
    motion = generate_observed(
        SCENARIOS[name].build_task(fps=fps, seconds=4),
        lambda simulation: overlaps.append(measure_arm_overlap(simulation)),
    )
    return Gait(motion, max(overlaps))


@pytest.fixture(scope="module")
def walking() -> Gait:
    """Return a walk."""
    return simulate_gait("preview-walk", fps=60)


@pytest.fixture(scope="module")
def running() -> Gait:
    """Return a run."""
    return simulate_gait("preview-run", fps=120)


@pytest.fixture(scope="module")
def walk(walking: Gait) -> Motion:
    """Return the motion of a walk."""
    return walking.motion


@pytest.mark.long
def test_a_simulated_body_walks(walk: Motion, shared: Path, tmp_path: Path) -> None:
    """Steps are 0.75 m in 0.6 s within a tenth, without a fall.

    Forces explain the momentum, and stance feet rest.
    """
    assert walk.report.notes == ()
    assert find_exceeded(judge_motion(shared, tmp_path, walk), BARS) == {}
    steps = [f for f in walk.footsteps if 0 < f.strike < 3.0]
    times = np.array([f.strike for f in steps])
    places = np.array([f.position for f in steps])
    assert len(steps) >= 4
    assert [f.leg for f in steps] == [(steps[0].leg + k) % 2 for k in range(len(steps))]
    assert np.allclose(np.diff(times), 0.6, rtol=0.1)
    assert np.allclose(np.diff(places[:, 0]), 0.75, rtol=0.1)
    head = walk.link_position[:, walk.link_names.index("head"), 2]
    assert head.min() > 0.9 * head.max()


@pytest.mark.long
def test_a_simulated_body_runs(running: Gait, shared: Path, tmp_path: Path) -> None:
    """Steps are 1.05 m in 0.4 s within a tenth, with a flight after each, without a fall."""
    run = running.motion
    assert run.report.notes == ()
    assert find_exceeded(judge_motion(shared, tmp_path, run), BARS) == {}
    steps = [f for f in run.footsteps if f.strike > 0]
    assert np.isclose(np.mean(np.diff([f.strike for f in steps])), 0.4, rtol=0.1)
    assert np.isclose(np.mean(np.diff([f.position[0] for f in steps])), 1.05, rtol=0.1)
    assert 0.15 < 1 - run.contact_active.any(1).mean() < 0.4


@pytest.mark.long
def test_arms_do_not_pass_through_the_body(walking: Gait, running: Gait) -> None:
    """Without the objective, forearms were 5 cm in thighs in a walk, and 14 cm in the pelvis in a
    run.
    """
    assert walking.max_overlap < MAX_ARM_OVERLAP
    assert running.max_overlap < MAX_ARM_OVERLAP


@pytest.mark.long
def test_both_feet_are_down_between_steps(walk: Motion) -> None:
    """A walk has double support, and the mean of the total force is the weight."""
    down = np.stack(
        [
            walk.contact_active[:, [limb == name for limb in walk.contact_limb]].any(1)
            for name in dict.fromkeys(walk.contact_limb)
        ],
        -1,
    )
    assert down.any(1).all()
    assert 0.04 < down.all(1).mean() < 0.35
    weight = walk.link_mass.sum() * 9.81
    assert np.isclose(walk.contact_force[..., 2].sum(1).mean(), weight, rtol=0.03)


def standing(seconds: float, **changes: object) -> Task:
    """Return a task of standing on the spot."""
    task = Task(
        make_straight_path(5.0),
        SpeedProfile(0.0),
        engine="preview",
        start="standing",
        seconds=seconds,
        fps=30,
    )
    return replace(task, **changes)  # type: ignore[arg-type]


def test_same_task_gives_the_same_motion() -> None:
    """A body that stands also stays at its place."""
    one, other = (generate(standing(0.3)) for _ in range(2))
    np.testing.assert_allclose(one.link_position, other.link_position, rtol=0, atol=1e-6)
    assert np.linalg.norm(one.com[-1] - one.com[0]) < 0.01


def test_fall_is_reported_and_simulated_to_its_end() -> None:
    """The push is stronger than any body can withstand."""
    task = standing(1.6, pushes=(Push(0.1, (0.0, 3000.0, 0.0), 0.2, "chest"),))
    motion = generate(task)
    assert motion.frames == task.frames
    assert any("fallen" in note for note in motion.report.notes)
    assert motion.relaxed[-1]
    head = motion.link_position[:, motion.link_names.index("head"), 2]
    assert head[-1] < 0.5 * head[0]
    assert np.linalg.norm(motion.push_force, axis=1).max() > 2000


def test_impossible_tasks_are_refused_by_name() -> None:
    """The message names the field before anything is simulated."""
    with pytest.raises(TaskError, match="turn over"):
        generate(standing(1.0, jumps=(Jump(0.5, 0.3, flips=1),)))
    with pytest.raises(CharacterError, match="soles"):
        generate(standing(1.0, character="dog"))


def test_good_ground_is_away_from_edges() -> None:
    """Feet move from the edges of a gap by as far as they reach into it, and nowhere else."""
    task = Task(
        make_straight_path(4.0),
        SpeedProfile(1.0),
        ground=make_slab_ground([Slab((-5, 1), (-2, 2)), Slab((1.5, 9), (-2, 2))]),
    )
    off = build_foothold_field(task, SlipBody.from_character(load_character("humanoid"), 9.81))
    assert off is not None
    result = off(np.array([[0.0, 0.0], [1.0, 0.0], [1.25, 0.0], [3.0, 0.0]]), np.zeros(4))
    assert result[0] == result[3] == 0
    assert 0.1 < result[1] < 0.3
    assert result[2] > 0.2
    assert (
        build_foothold_field(
            replace(task, ground=Task(make_straight_path(1.0), SpeedProfile(1.0)).ground),
            SlipBody.from_character(load_character("humanoid"), 9.81),
        )
        is None
    )


def test_feet_swing_over_obstacles() -> None:
    """They swing higher where a step is between both places, and as usual on level ground."""
    left = np.array([0.0, 0.0, 0.0])
    place = np.array([0.8, 0.0, 0.15])

    def up(xy: np.ndarray) -> np.ndarray:
        return np.where(xy[..., 0] > 0.4, 0.15, 0.0)

    usual = SwingHeight(CLEARANCE.min_apex, SWING.sink_start_share)
    assert compute_swing_height(None, left, place, 0.15, 0.1) == usual
    assert compute_swing_height(up, left, place, 0.15, 0.1).apex > 1.5 * CLEARANCE.min_apex
    assert (
        compute_swing_height(
            lambda xy: np.zeros(xy.shape[:-1]), left, left + [0.7, 0, 0], 0.15, 0.1
        )
        == usual
    )


def test_shorter_double_support_on_rough_ground_persists_until_the_phase_ends() -> None:
    """If it were decided in each control step as on level ground, the requested time would vary."""
    for rough, again in ((False, True), (True, False)):
        policy = DoubleSupportPolicy()
        # a foot has come down, and so on
        costs = (
            np.inf,
            0.5 * PREVIEW_SEARCH.alarm_cost,
            2.0 * PREVIEW_SEARCH.alarm_cost,
            0.5 * PREVIEW_SEARCH.alarm_cost,
        )
        assert [policy.allows_double_support(cost, 1.0, rough) for cost in costs] == [
            False,
            True,
            False,
            again,
        ]
        assert policy.allows_double_support(0.5 * PREVIEW_SEARCH.alarm_cost, 1.4, rough)


def test_hanging_toes_clear_an_edge() -> None:
    """A foot whose heel lifts first is past an edge before its toes strike it.

    A level foot clears the edge in any case.
    """
    toe = 0.15
    rise = 0.1
    edge = 0.5
    left = np.zeros(3)
    place = np.array([1.2, 0.0, rise])

    def lowest(edgy: bool) -> float:
        """Return the smallest height of the toes above the edge while they pass it."""
        swing = compute_swing_height(
            lambda xy: np.where(xy[..., 0] > edge, rise, 0.0), left, place, toe, 0.1, edgy
        )
        share = np.linspace(0.0, 1.0, 400)
        high = evaluate_swing_height(share, rise, swing.apex, swing.sink_share).value
        at = place[0] * compute_progress(share, 0.1) + toe
        toes = high - toe * np.sin(compute_peel(share, high / toe))
        return float((toes - rise)[(at > edge) & (at < edge + 0.1)].min())

    assert lowest(False) < -0.01
    assert lowest(True) > 0.01


def test_feet_come_down_slopes_at_once_and_stairs_late() -> None:
    """On slopes they descend from the begin of a swing, on stairs once they are past the edge."""
    left = np.zeros(3)
    place = np.array([0.6, 0.0, -0.16])
    slope = compute_swing_height(lambda xy: -0.16 / 0.6 * xy[..., 0], left, place, 0.15, 0.1)
    assert slope == SwingHeight(CLEARANCE.min_apex, 0.0)
    late = compute_swing_height(
        lambda xy: np.where(xy[..., 0] > 0.45, -0.16, 0.0), left, place, 0.15, 0.1
    ).sink_share
    assert late == SWING.sink_start_share
    middle = [
        evaluate_swing_height(np.array(0.5), -0.16, 0.0, share).value for share in (0.0, late)
    ]
    assert middle[0] < -0.07
    assert middle[1] > -0.02


def test_a_foot_above_its_place_up_a_slope_needs_no_more_time() -> None:
    """The height of its target counts, not that of its last place, 0.3 m lower."""
    body = SlipBody.from_character(load_character("humanoid"), 9.81)
    feet = FootPose(np.array([0.0, 0.1, 0.15]), 0.0), FootPose(np.array([0.5, -0.1, 0.35]), 0.0)
    slope = StepGoal("walk", 0.6, 0.6, ground_height=lambda xy: 0.15 + 0.27 * xy[..., 0])
    state = SlipState(
        np.array([0.1, 0.0, 1.05]), np.array([1.0, 0.0, 0.2]), 0.0, 0.0, feet, "single", 0
    )
    problem = PreviewProblem(state, slope, body)
    preview = problem.build_preview(problem.initial_guess)
    assert preview.landing is not None
    stepping = PhaseMachine(0.004, "single", 0)
    assert (
        compute_min_landing_time(stepping, replace(slope, ground_height=None), feet, preview) > 0.25
    )
    assert compute_min_landing_time(stepping, slope, feet, preview) < 0.06


def test_goals_lead_back_to_the_path_and_stop_at_its_end() -> None:
    """Direction, heading, gait and length of the next step depend on position and target speed."""
    task = Task(make_straight_path(5.0), SpeedProfile(1.25))
    course = GoalSource(task)
    beside = course.compute_goal(0.0, np.array([1.0, 0.5, 0.9]), 0.0).step_goal
    assert beside.direction < -0.2
    assert np.isclose(beside.step_length, STEPS.walk_length_factor * 0.75)
    assert np.isclose(beside.step_time, 0.6)
    assert course.compute_goal(
        0.0, np.array([2.0, 0.0, 0.9]), 2 * np.pi
    ).step_goal.heading == pytest.approx(2 * np.pi)
    course.station = 4.8
    assert course.compute_goal(0.0, np.array([4.8, 0.0, 0.9]), 0.0).step_goal.gait == "stand"
    assert (
        GoalSource(replace(task, speed=SpeedProfile(3.0)))
        .compute_goal(0.0, np.zeros(3), 0.0)
        .step_goal.gait
        == "run"
    )


def stepped(rise: float, tread: float = 0.3, start: float = 3.0) -> Task:
    """Return level ground, then treads that rise or descend by each given height."""
    treads = make_stair_slabs(start, 8, tread, rise, 4.0)
    return Task(
        make_straight_path(6.0),
        SpeedProfile(1.0),
        ground=make_slab_ground([Slab((-5.0, start), (-2, 2), 0.0, 2.0), *treads]),
    )


def test_feet_do_not_stand_across_edges() -> None:
    """A foot in the middle of a tread is better than one with its toes on the next."""
    off = build_foothold_field(
        stepped(0.15), SlipBody.from_character(load_character("humanoid"), 9.81)
    )
    assert off is not None
    middle, across = off(np.array([[3.72, 0.0], [3.84, 0.0]]), np.zeros(2))
    assert middle < 0.04
    assert across > middle + 0.05


def test_toes_may_hang_over_a_drop() -> None:
    """They may do so by some centimeters over a drop, but not over a gap, and not with the ball."""
    body = SlipBody.from_character(load_character("humanoid"), 9.81)
    gap = Task(
        make_straight_path(4.0),
        SpeedProfile(1.0),
        ground=make_slab_ground([Slab((-5, 3.0), (-2, 2)), Slab((3.5, 9), (-2, 2))]),
    )
    # of the tips: at 3 m is the edge
    places = np.array([[3.04 - body.foot_extent[0], 0.0], [3.1 - body.foot_extent[0], 0.0]])
    for task, well in ((stepped(-0.15), True), (gap, False)):
        off = build_foothold_field(task, body)
        assert off is not None
        hangs, falls = off(places, np.zeros(2))
        assert (hangs < 0.01) == well
        assert falls > 0.05


def test_a_foot_before_a_riser_is_too_low_and_one_on_a_slope_is_not() -> None:
    """By as much as the riser is higher, and no more once it is above,
    or where the ground only slopes.
    """
    sole = np.array([[2.7, 0.0, 0.02], [2.95, 0.0, 0.02]])
    foot = np.array([2.8, 0.0, 0.02])
    ahead = np.array([2.0, 0.0, 0.0])
    place = np.array([3.2, 0.0, 0.15])
    height = stepped(0.15).ground.sample_heights
    assert compute_clearance_deficit(height, sole, foot, ahead, place) == pytest.approx(0.13)
    assert (
        compute_clearance_deficit(height, sole + [0, 0, 0.2], foot + [0, 0, 0.2], ahead, place)
        == 0.0
    )
    assert (
        compute_clearance_deficit(
            lambda xy: 0.25 * (xy[..., 0] - 2.7), sole + [0, 0, 0.05], foot, ahead, place
        )
        == 0.0
    )
    assert compute_clearance_deficit(None, sole, foot, ahead, place) == 0.0


def test_steps_are_as_long_as_rough_ground_allows() -> None:
    """Shorter on stairs, over the ball where they go down, and past an edge that a foot stands near
    before, but from no farther.
    """
    com = np.array([3.3, 0.0, 1.0])

    def goal(rise: float, foot: np.ndarray | None = None, at: np.ndarray = com) -> StepGoal:
        task = stepped(rise, 3.0 if abs(rise) > 0.3 else 0.3)
        course = GoalSource(
            task,
            build_foothold_field(task, SlipBody.from_character(load_character("humanoid"), 9.81)),
        )
        course.station = float(at[0])
        return course.compute_goal(0.0, at, 0.0, stance_place=foot).step_goal

    assert goal(0.15).step_length < 0.4 < goal(0.01).step_length
    assert not goal(0.15).allows_heel_rise
    assert goal(-0.15).allows_heel_rise
    next_tread = goal(-0.15, np.array([3.15, 0.0, -0.15])).foothold_distance
    assert next_tread is not None
    same, past = next_tread(np.array([[3.15, 0.0], [3.45, 0.0]]), np.zeros(2))
    assert same > 0.2
    assert past < 0.04
    from_near, from_afar = (
        goal(-0.15, np.array([x, 0.0, 0.0]), np.array([x - 0.1, 0.0, 0.9])).foothold_distance
        for x in (2.75, 2.6)
    )
    assert from_near is not None
    assert from_afar is not None
    # the first edge is at 3
    above = np.array([[2.8, 0.0]])
    below = np.array([[3.15, 0.0]])
    assert from_near(above, np.zeros(1))[0] > 0.3
    assert from_near(below, np.zeros(1))[0] < 0.04
    assert from_afar(above, np.zeros(1))[0] < 0.04
    assert from_afar(below, np.zeros(1))[0] > 0.14
    near, far = (
        goal(0.5, np.array([x, 0.0, 0.0]), np.array([x - 0.1, 0.0, 0.9])).foothold_distance
        for x in (2.6, 2.3)
    )
    assert near is not None
    assert far is not None
    before = np.array([[2.6, 0.0]])
    assert near(before, np.zeros(1))[0] > 0.5
    assert far(before, np.zeros(1))[0] == 0.0
