"""Broad jumps with the optimal policy of the indicator, on the contacts of the simulation."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from footfall.core.engine.tracker.biped import CENTER, TOE_1, PlanarBiped
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.simulation import PlanarSimulation


@pytest.fixture(scope="module")
def jumps(root: Path) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(root / "scripts")
        return importlib.import_module("broad_jumps")


@pytest.fixture(scope="module")
def flat(biped: PlanarBiped) -> PlanarSimulation:
    return PlanarSimulation(biped, PathGround.level())


@pytest.fixture(scope="module")
def policy(jumps: ModuleType, flat: PlanarSimulation) -> object:
    return jumps.JumpPolicy.optimize(flat.biped, np.linspace(-0.18, -0.06, 20))


def test_poses_have_their_phases(jumps: ModuleType, flat: PlanarSimulation) -> None:
    phase = np.linspace(-0.27, 0.0, 7)
    q = jumps.find_poses(flat.biped, phase)
    place = jumps.BodyState.compute(flat.biped, q, 0 * q).place
    assert np.allclose((place[:, CENTER] - place[:, TOE_1]).real, phase, atol=1e-9)
    assert np.allclose(place[:, CENTER].imag, jumps.HEIGHT(phase), atol=1e-9)
    assert np.allclose(q[:, 5], 0.0)


def test_policy_brakes_a_fast_body_and_speeds_a_slow_one(jumps: ModuleType, policy: object) -> None:
    assert policy.choose(-0.15, 1.4) > policy.choose(-0.15, 0.7) + 0.05
    assert policy.value[50, 30] < 0.1


def test_jumps_follow_each_other(jumps: ModuleType, flat: PlanarSimulation, policy: object) -> None:
    walker = jumps.jump(jumps.JumpWalker.start(flat, policy.choose, 1.0), 5)
    assert walker.jumps == 5
    assert not walker.is_fallen
    assert walker.q[0] > 2.0
    assert max(walker.rates) - min(walker.rates) < 0.2
