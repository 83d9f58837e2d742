"""A simulated body that walks on rough ground is turned back to its heading,
which its preview only thinks it has.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.preview.loop import HEADING_STIFFNESS, MAX_HEADING_ERROR
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import SCENARIOS


@pytest.fixture(scope="module")
def on_one_foot() -> Simulation:
    """A walk up to stairs."""
    simulation = Simulation(SCENARIOS["preview-stairs"].build_task(fps=60, seconds=20))
    while simulation.loop.phase_machine.support != "single" or simulation.loop.preview is None:
        simulation.step()
    return simulation


@pytest.mark.parametrize(
    ("rough", "off", "turned"),
    [
        (True, MAX_HEADING_ERROR + 0.05, True),
        (True, MAX_HEADING_ERROR - 0.05, False),
        (False, MAX_HEADING_ERROR + 0.05, False),
    ],
)
def test_who_is_far_off_his_heading_is_turned_back(
    on_one_foot: Simulation, rough: bool, off: float, turned: bool
) -> None:
    """On rough ground; on level ground the preview has time to learn of it."""
    loop = on_one_foot.loop
    now = loop.body_state
    wish = replace(
        loop._step_goal,
        ground_height=loop.body.ground.sample_heights if rough else None,
        foothold_distance=None,
        heading=loop.heading + off,
    )
    sample = loop._sample_preview(now)
    found = loop._make_reference(wish, now, sample).heading_acceleration
    back = HEADING_STIFFNESS * off - 2 * np.sqrt(HEADING_STIFFNESS) * now.heading_rate
    assert found == pytest.approx(back if turned else sample.heading_acceleration)
    assert abs(back - sample.heading_acceleration) > 5.0
