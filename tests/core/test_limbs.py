"""Limbs of a simulated body keep from passing through each other."""
from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.simulate.body import Body
from footfall.core.simulate.controller import Controller
from footfall.core.simulate.gains import Gains
from footfall.core.simulate.physics import State, no_load
from footfall.core.simulate.reference import Reference
from footfall.core.task.scenarios import SCENARIOS
from numpy.typing import NDArray

Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def body() -> Body:
    """The built-in human's, on level ground."""
    return Body(load_character("humanoid"))


def moved(body: Body, pose: Array, velocity: Array, seconds: float = 1.0) -> State:
    """That velocity later, with it."""
    out = pose.copy()
    mujoco.mj_integratePos(body.model.mujoco, out, velocity, seconds)
    return State(0.0, out, velocity, tuple(no_load(len(sole)) for sole in body.model.soles))


@pytest.mark.parametrize("seed", range(4))
def test_how_fast_they_part_is_the_slope_of_how_near_they_are(body: Body, seed: int) -> None:
    """Jacobians against differences, of bodies bent at random."""
    rng, h = np.random.default_rng(seed), 1e-6
    bent = moved(body, body.rest, 0.4 * rng.standard_normal(body.nv)).pose
    near = body.read(moved(body, bent, np.zeros(body.nv), 0.0)).near
    assert near is not None
    assert len(near.lacks) >= 3
    for k in range(body.nv):
        unit = np.eye(body.nv)[k]
        ahead, behind = (body.read(moved(body, bent, unit, sign * h)).near for sign in (1.0, -1.0))
        if ahead is not None and behind is not None and len(ahead.lacks) == len(behind.lacks) == len(near.lacks):
            assert np.allclose((behind.lacks - ahead.lacks) / (2 * h), near.jacobian[:, k], atol=1e-4)


def test_a_body_at_rest_touches_nothing_of_its_own(body: Body) -> None:
    """What is near there is as near as it may be, not nearer."""
    near = body.read(moved(body, body.rest, np.zeros(body.nv), 0.0)).near
    assert near is not None
    assert near.lacks.max() < 1e-9


def test_legs_that_have_crossed_part_the_way_they_came(body: Body) -> None:
    """Both hips turned inward farther and farther: shins pass through each other."""
    inward = np.zeros(body.nv)
    model = body.model.mujoco
    for name, sign in (("hip.L", -1.0), ("hip.R", 1.0)):
        inward[model.jnt_dofadr[model.joint(name).id]] = sign * 0.3
    deepest = [near.lacks[near.of_legs].max() for angle in (0.6, 0.7, 0.8)
               if (near := body.read(moved(body, body.rest, angle * inward)).near) is not None]
    assert len(deepest) == 3
    assert deepest[0] < deepest[1] < deepest[2]                       # farther through, though axes are farther from each other
    assert deepest[2] > 0.12                                          # more than shins are thick


def test_the_controller_parts_them(body: Body) -> None:
    """Legs in the air on their way into each other accelerate apart, and do not without that objective."""
    inward = np.zeros(body.nv)
    model = body.model.mujoco
    for name, sign in (("hip.L", -1.0), ("hip.R", 1.0)):
        inward[model.jnt_dofadr[model.joint(name).id]] = sign * 2.0
    state = moved(body, body.rest, inward, 0.05)
    now, reference = body.read(state), Reference(None, 0.0, 0.0, (), apart=True)
    assert now.near is not None
    closing = now.near.of_legs & (now.near.jacobian @ inward < -0.1)
    assert closing.any()
    parted, free = (now.near.jacobian[closing] @ Controller(body, gains).torques(state, reference, now).accelerations
                    for gains in (Gains(), replace(Gains(), legs_apart=0.0, arms_apart=0.0)))
    assert (parted > 10.0).all()
    assert (parted > free).all()


@pytest.mark.long
@pytest.mark.parametrize(("name", "seed", "deepest"),
                         [("preview-walk", 0, 0.06), ("preview-run", 0, 0.04), ("preview-push", 3, 0.12)])
def test_limbs_do_not_pass_through_each_other(name: str, seed: int, deepest: float) -> None:
    """Hardly ever by more than 3 cm; without that thighs were 12 cm in each other at a run."""
    simulation = Simulation(SCENARIOS[name].task(fps=60, seconds=4, seed=seed), 1)
    deep = []
    while simulation.time < 4:
        simulation.look()
        near = simulation.loop.reading.near
        deep.append(0.0 if near is None else near.lacks.max())
    assert max(deep) < deepest
    assert np.mean(np.array(deep) > 0.03) < 0.02
