"""A simulated body on rough ground corrects its heading."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.engine.preview.tracking import TRACKING
from footfall.core.scenarios.scenarios import SCENARIOS


@pytest.fixture(scope="module")
def on_one_foot() -> Simulation:
    """Return a walk up to stairs."""
    simulation = Simulation(SCENARIOS["preview-stairs"].build_task(fps=60, seconds=20))
    while (
        simulation.loop.phase_machine.support != "single"
        or simulation.loop.planning.preview is None
    ):
        simulation.step()
    return simulation


@pytest.mark.parametrize(
    ("rough", "off", "turned"),
    [
        (True, TRACKING.max_heading_error + 0.05, True),
        (True, TRACKING.max_heading_error - 0.05, False),
        (False, TRACKING.max_heading_error + 0.05, False),
    ],
)
def test_large_heading_error_is_corrected(
    on_one_foot: Simulation, rough: bool, off: float, turned: bool
) -> None:
    """This holds on rough ground; on level ground the preview has time to correct the heading."""
    loop = on_one_foot.loop
    now = loop.body_state
    goal = replace(
        loop._step_goal,
        ground_height=loop.body.ground.sample_heights if rough else None,
        foothold_distance=None,
        heading=loop.heading + off,
    )
    tick = loop.make_tick(goal)
    followed = loop.planning.follow(tick.time)
    sample = loop.tracker.sample_preview(followed, tick, loop.phase_machine)
    reference = loop.tracker.make_reference(followed, sample, tick, loop.phase_machine)
    acceleration = reference.heading_acceleration
    stiffness = TRACKING.heading_stiffness
    back = stiffness * off - 2 * np.sqrt(stiffness) * now.heading_rate
    assert acceleration == pytest.approx(back if turned else sample.heading_acceleration)
    assert abs(back - sample.heading_acceleration) > 5.0
