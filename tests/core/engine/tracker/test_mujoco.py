"""The walker on MuJoCo's contacts."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine.tracker.biped import PlanarBiped
from footfall.core.engine.tracker.constraints import StepConstraints
from footfall.core.engine.tracker.ground_gaits import GroundGaits
from footfall.core.engine.tracker.input_walk import StepSamples
from footfall.core.engine.tracker.mujoco_simulation import MujocoSimulation
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.walker import PlanarWalker
from footfall.core.engine.tracker.walker_state import TrunkPush
from footfall.core.errors import TaskError


def test_bias_is_that_of_mujoco(biped: PlanarBiped) -> None:
    rng = np.random.default_rng(0)
    q = rng.normal(size=9) * 0.3 + np.eye(9)[1] * 3.0
    v = rng.normal(size=9)
    simulation = MujocoSimulation(biped, PathGround.level())
    bias = simulation.compute_bias(q, v)
    assert np.allclose(bias, biped.compute_dynamics(q, v).bias, atol=1e-11)


@pytest.mark.parametrize("push", [-200.0, 200.0])
def test_pushed_walk_on_soft_contacts(
    biped: PlanarBiped,
    steps: tuple[StepSamples, ...],
    gait: tuple[StepConstraints, ...],
    push: float,
) -> None:
    simulation = MujocoSimulation(biped, PathGround.level())
    walker = PlanarWalker(simulation, gait, ground_gaits=GroundGaits(biped, steps))
    state = walker.start()
    force = TrunkPush.on_trunk(biped, np.array([push, 0.0]))
    while state.time < 3.5 and not walker.is_fallen(state):
        state = walker.advance(state, [force] if 1.5 <= state.time < 1.6 else [])
    assert not walker.is_fallen(state)
    assert state.q[0] > 3.0


def test_slopes_are_refused(biped: PlanarBiped) -> None:
    with pytest.raises(TaskError, match="not level"):
        MujocoSimulation(biped, PathGround.slope(0.1))
