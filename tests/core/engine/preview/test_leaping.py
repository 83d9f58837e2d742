"""A simulated body leaps and changes between gaits."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine import generate
from footfall.core.engine.preview.goal_modifiers import GoalView
from footfall.core.engine.preview.jumps import JumpScheduler
from footfall.core.engine.preview.path_view import PathView
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.errors import TaskError
from footfall.core.motion import Motion
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.simulate import BodyState
from footfall.core.slip.body import SlipBody
from footfall.core.slip.command import StepGoal
from footfall.core.slip.gauss_newton import GaussNewton
from footfall.core.slip.problem import PreviewProblem
from footfall.core.slip.state import FootPose, SlipState, Support
from footfall.core.task import Jump, Path, Push, SpeedProfile, Task
from numpy.typing import NDArray

Array = NDArray[np.float64]


def test_a_previewed_leap_rises_from_its_take_off() -> None:
    """It rises by the requested height within a fifth, not falls deeper, and its step is longer."""
    body = SlipBody.from_character(load_character("humanoid"), 9.81)
    feet = (FootPose(np.array([-0.5, 0.09, 0.1]), 0.0), FootPose(np.array([0.25, -0.09, 0.0]), 0.0))
    state = SlipState(
        np.array([0.0, 0.0, 0.87]), np.array([2.4, 0.0, -0.5]), 0.0, 0.0, feet, "single", 1
    )
    rise = []
    durations = []
    for leap in (None, 0.2):
        problem = PreviewProblem(state, StepGoal("run", 1.0, 0.4, leap_height=leap), body)
        preview = problem.build_preview(
            GaussNewton(60).solve(problem, problem.initial_guess).controls
        )
        assert [slot.kind for slot in preview.slots[:2]] == ["single", "flight"]
        off = preview.sample(preview.get_phase_duration(0))
        rise.append(off.velocity[2] ** 2 / (2 * 9.81))
        durations.append(preview.get_phase_duration(0) + preview.get_phase_duration(1))
    assert rise[1] == pytest.approx(0.2, rel=0.2)
    assert rise[1] > 2 * rise[0]
    assert durations[1] > durations[0] + 0.1


def view_leap(time: float, phase_age: float, support: Support, com: Array) -> GoalView:
    """Make a view of a body in a contact phase."""
    state = SimpleNamespace(com=com, com_velocity=np.zeros(3))
    path = PathView(Task(Path([[0, 0], [9, 0]]), SpeedProfile(1.2)), 0.0, None, None)
    return GoalView(
        time,
        path,
        is_running=True,
        body=cast(BodyState, state),
        heading=0.0,
        support=support,
        stance_foot=0,
        phase_age=phase_age,
        step_start=0.0,
        is_setting_off=False,
        is_in_maneuver=False,
    )


def test_leap_begins_with_the_next_stance() -> None:
    """A leap is active from the begin of a stance until the landing, and only once.

    A body that stands sets off for it.
    """
    leaps = JumpScheduler((Jump(2.0, 0.2, 3.0),))
    run = StepGoal("run", 1.0, 0.4)
    com = np.array([0.0, 0.0, 0.9])

    def modify(
        goal: StepGoal, time: float, phase_age: float, support: Support, at: Array = com
    ) -> StepGoal:
        return leaps.modify_goal(goal, view_leap(time, phase_age, support, at))

    assert modify(run, 1.0, 0.0, "single").leap_height is None
    assert modify(run, 1.7, 0.2, "single").leap_height is None
    assert modify(StepGoal(), 1.7, 0.2, "single").gait == "walk"
    assert modify(run, 1.75, 0.0, "single").leap_height == 0.2
    assert modify(run, 1.9, 0.15, "single").leap_height == 0.2
    assert modify(run, 2.0, 0.0, "flight").leap_height == 0.2
    modify(run, 2.1, 0.1, "flight", com + [0.5, 0.0, 0.19])
    assert modify(run, 2.2, 0.0, "single", com + [0.9, 0.0, 0.0]).leap_height is None
    assert leaps.completed[0].time == 2.0
    assert leaps.completed[0].rise == pytest.approx(0.19)
    assert leaps.make_notes(1.0, 1.0) == (
        "the jump at 2.00 s takes off at 2.00 s, rises by 0.19 m and reaches 0.90 m, which depends "
        "on its speed",
    )


def test_only_this_engine_leaps_out_of_a_walk() -> None:
    """The planned engine stands between jumps."""
    walk = Task(
        Path([[0, 0], [9, 0]]),
        SpeedProfile(1.2),
        engine="preview",
        jumps=(Jump(1.0, 0.1),),
        pushes=(Push(2.0, (0.0, 50.0, 0.0)),),
    )
    with pytest.raises(TaskError, match="begins from standing"):
        generate(replace(walk, engine="centroidal"))
    with pytest.raises(TaskError, match="take out the pushes"):
        generate(replace(walk, engine="centroidal", start="standing"))


@pytest.mark.long
def test_run_leaps_and_continues() -> None:
    """Two leaps of 15 cm near their moments: most of the height, no fall, and the speed is kept."""
    task = replace(
        SCENARIOS["preview-run"].build_task(seconds=7.0), jumps=(Jump(2.0, 0.15), Jump(4.5, 0.15))
    )
    simulation = Simulation(task)
    while simulation.time < task.seconds:
        simulation.step()
    assert simulation.loop.state.trouble == ""
    assert [leap.time for leap in simulation.jump_scheduler.completed] == pytest.approx(
        [2.0, 4.5], abs=0.35
    )
    assert min(leap.rise for leap in simulation.jump_scheduler.completed) > 0.09
    assert simulation.loop.body_state.com_velocity[0] > 1.8


@pytest.fixture(scope="module")
def transitions() -> Motion:
    """Return a motion that stands, walks, runs, walks and stands."""
    return generate(SCENARIOS["preview-transitions"].build_task(fps=60, seconds=14.4))


@pytest.mark.long
def test_body_stands_walks_runs_walks_and_stands(transitions: Motion) -> None:
    """The speed determines the gait, so only the middle part has flights.

    A flight of 0.1 s is hardly longer than a frame at 30 frames a second.
    """
    assert transitions.report.notes == ()
    speed = np.linalg.norm(np.gradient(transitions.com, 1 / 60, axis=0)[:, :2], axis=1)
    flies = ~transitions.contact_active.any(1)
    assert flies[390:510].mean() > 0.1
    assert flies[:240].mean() < 0.02
    assert flies[660:].mean() < 0.02
    assert speed[150:230].mean() == pytest.approx(1.25, rel=0.2)
    assert speed[390:510].mean() > 1.9
    assert speed[-30:].max() < 0.15
