"""Successive previews of a simulated walk: each begins with the result of the previous one."""

import numpy as np
import pytest
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import find_scenario
from footfall.core.slip.gauss_newton import GaussNewton
from footfall.core.slip.planner import PREVIEW_SEARCH


@pytest.mark.parametrize(("every", "most"), [(0, 1.4), (1, 1.2), (5, 1.4)])
def test_previews_of_a_calm_walk_stay_good(every: int, most: float) -> None:
    """Costs stay low both between contacts and just after a foot has landed.

    When the double support time was used one control step too late, previews at contacts cost
    three times as much.
    """
    walk = Simulation(find_scenario("preview-walk").build_task(seconds=60.0, seed=0), every)
    costs = list[float]()
    for _ in range(960):
        walk.step()
        costs.append(walk.loop.planning.planner.cost)
    assert not walk.loop.state.trouble
    finite = np.array(costs[480:])
    finite = finite[np.isfinite(finite)]
    assert finite.mean() < most
    assert finite.max() < PREVIEW_SEARCH.alarm_cost
    assert walk.loop.planning.planner.restarts <= 1


def test_unverified_steps_of_the_search_do_not_shake_the_body() -> None:
    """Joint speeds change as evenly as with a search whose steps are all verified."""
    shakes = []
    for gentle in (
        GaussNewton(1, damping=0.3),
        GaussNewton(1, damping=0.3, allows_unchecked_steps=True),
    ):
        walk = Simulation(find_scenario("preview-walk").build_task(seconds=60.0, seed=0))
        walk.loop.planning.planner.calm_solver = gentle
        speeds = []
        for _ in range(960):
            walk.step()
            speeds.append(walk.loop.state.velocity[6:].copy())
        shakes.append(float(np.sqrt((np.diff(speeds[480:], 2, axis=0) ** 2).mean())))
    assert shakes[1] < 1.25 * shakes[0]
    assert shakes[1] < 0.23
