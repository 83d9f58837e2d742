"""Runs of a simulated body: flights over level ground, even steps, and landings."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.preview.goal import GoalSource
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import find_scenario
from footfall.core.slip.body import SlipBody
from footfall.core.slip.command import StepGoal
from footfall.core.slip.planner import PREVIEW_SEARCH, PreviewPlanner
from footfall.core.slip.problem import PreviewProblem
from footfall.core.slip.schedule import T2
from footfall.core.slip.state import FootPose, SlipState

BODY = SlipBody.from_character(load_character("humanoid"), 9.81)


@pytest.mark.long
def test_a_run_lands_on_time_and_evenly() -> None:
    """A flight targets the ground, not the height of the last heel, and steps are alike."""
    simulation = Simulation(find_scenario("preview-run").build_task(seconds=60.0, seed=8))
    loop = simulation.loop
    landings = list[float]()
    flights = list[float]()
    was = "double"
    due = 0.0
    while loop.state.time < 8.0:
        simulation.step()
        assert loop.state.trouble == ""
        preview = loop.planning.preview
        problem = loop.planning.last_problem
        support = was if problem is None else problem.state.support
        if support == "flight" and preview is not None and preview.landing is not None:
            assert abs(preview.landing.place[2]) < 1e-3
            if was != "flight":
                due = loop.state.time + preview.landing.time
        elif was == "flight" and loop.state.time > 6.0:
            landings.append(loop.state.time)
            flights.append(loop.state.time - due)
        was = support
    assert len(landings) > 3
    assert np.ptp(np.diff(landings)) < 0.03
    assert np.abs(flights).max() < 0.04


def test_a_run_looks_farther_along_its_path_than_a_walk() -> None:
    """With a target one step ahead the run would weave."""
    turns = []
    for name in ("walk", "run"):
        course = GoalSource(find_scenario(f"preview-{name}").build_task(seconds=10.0))
        goal = course.compute_goal(1.0, np.array([0.0, 0.3, 0.9]), 0.0)
        turns.append(-goal.step_goal.direction)
    assert 0 < turns[1] < 0.6 * turns[0]


@pytest.mark.parametrize(("elapsed", "sought"), [(0.1, True), (0.55, False)])
def test_a_foot_about_to_come_down_among_edges_is_left_to_do_so(
    elapsed: float, sought: bool
) -> None:
    """Other initial values of the search are tried earlier, not in the last moments of a swing."""
    com = np.array([0.0, 0.0, BODY.com_height])
    stands = np.array([0.0 if elapsed < 0.3 else -0.1, 0.085, 0.0])
    feet = (FootPose(stands, 0.0), FootPose(np.array([0.25, -0.085, 0.02]), 0.0))
    state = SlipState(
        com,
        np.array([1.2, 0.0, 0.0]),
        0.0,
        0.0,
        feet,
        "single",
        0,
        elapsed,
        com[:2] - [1.2 * elapsed, 0.0],
    )
    goal = StepGoal(
        "walk",
        0.7,
        0.6,
        ground_height=lambda xy: 0.0 * xy[..., 0],
        foothold_distance=lambda places, headings: np.zeros(len(places)),
    )
    problem = PreviewProblem(state, goal, BODY)
    planner = PreviewPlanner(restart_interval=1)
    planner.plan(problem)
    planner.previews_since_restart = 1
    planner.plan(problem)
    assert planner.controls is not None
    assert (planner.controls[T2] < PREVIEW_SEARCH.imminent_landing_time) != sought
    assert (planner.previews_since_restart == 0) == sought
