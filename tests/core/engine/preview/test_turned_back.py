"""A simulated body that walks on rough ground is turned back to its heading, which its preview only thinks it has."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.preview.loop import ASKEW, TURN_FOLLOW
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import SCENARIOS


@pytest.fixture(scope="module")
def on_one_foot() -> Simulation:
    """A walk up to stairs."""
    simulation = Simulation(SCENARIOS["preview-stairs"].task(fps=60, seconds=20))
    while simulation.loop.stepping.support != "single" or simulation.loop.preview is None:
        simulation.look()
    return simulation


@pytest.mark.parametrize(("rough", "off", "turned"), [(True, ASKEW + 0.05, True), (True, ASKEW - 0.05, False),
                                                      (False, ASKEW + 0.05, False)])
def test_who_is_far_off_his_heading_is_turned_back(on_one_foot: Simulation, rough: bool, off: float, turned: bool) -> None:
    """On rough ground; on level ground the preview has time to learn of it."""
    loop = on_one_foot.loop
    now = loop.reading
    wish = replace(loop._wish, height=loop.body.ground.height if rough else None, footing=None, heading=loop.heading + off)
    sample = loop._sample(now)
    found = loop._reference(wish, now, sample).heading_acceleration
    back = TURN_FOLLOW * off - 2 * np.sqrt(TURN_FOLLOW) * now.heading_rate
    assert found == pytest.approx(back if turned else sample.turn)
    assert abs(back - sample.turn) > 5.0
