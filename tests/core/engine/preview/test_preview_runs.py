"""Runs of a simulated body: level ground in the air, even steps, and feet that are left to come down."""
from __future__ import annotations

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.preview.goal import Course
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import scenario
from footfall.core.slip.body import SlipBody
from footfall.core.slip.command import StepWish
from footfall.core.slip.planner import SOON, PreviewPlanner
from footfall.core.slip.problem import PreviewProblem
from footfall.core.slip.schedule import T2
from footfall.core.slip.state import PlacedFoot, SlipState

BODY = SlipBody.of(load_character("humanoid"), 9.81)


@pytest.mark.long
def test_a_run_lands_on_time_and_evenly() -> None:
    """In the air it makes for the ground, not for where the heel of the foot is that has left, and steps are alike."""
    simulation = Simulation(scenario("preview-run").task(seconds=60.0, seed=8))
    loop, landings, flights, was, due = simulation.loop, list[float](), list[float](), "double", 0.0
    while loop.state.time < 8.0:
        simulation.look()
        assert loop.state.trouble == ""
        preview, support = loop.preview, loop._previewed.state.support if loop._previewed is not None else was
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
    """One step ahead is too near: it would weave."""
    turns = []
    for name in ("walk", "run"):
        course = Course(scenario(f"preview-{name}").task(seconds=10.0))
        goal = course.at(1.0, np.array([0.0, 0.3, 0.9]), 0.0)
        turns.append(-goal.wish.direction)
    assert 0 < turns[1] < 0.6 * turns[0]


@pytest.mark.parametrize(("elapsed", "sought"), [(0.1, True), (0.55, False)])
def test_a_foot_about_to_come_down_among_edges_is_left_to_do_so(elapsed: float, sought: bool) -> None:
    """Other beginnings of the search are tried before, not in its last moments."""
    com = np.array([0.0, 0.0, BODY.height])
    stands = np.array([0.0 if elapsed < 0.3 else -0.1, 0.085, 0.0])
    feet = (PlacedFoot(stands, 0.0), PlacedFoot(np.array([0.25, -0.085, 0.02]), 0.0))
    state = SlipState(com, np.array([1.2, 0.0, 0.0]), 0.0, 0.0, feet, "single", 0, elapsed, com[:2] - [1.2 * elapsed, 0.0])
    wish = StepWish("walk", 0.7, 0.6, height=lambda xy: 0.0 * xy[..., 0], footing=lambda places, headings: np.zeros(len(places)))
    problem, planner = PreviewProblem(state, wish, BODY), PreviewPlanner(every=1)
    planner.plan(problem)
    planner.count = 1
    planner.plan(problem)
    assert planner.controls is not None
    assert (planner.controls[T2] < SOON) != sought
    assert (planner.count == 0) == sought
