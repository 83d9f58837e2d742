"""Arms of a simulated body keep from passing through its trunk, its thighs and each other."""
from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.simulate.body import Body
from footfall.core.simulate.body_state import Reading
from footfall.core.simulate.controller import Controller, Torques
from footfall.core.simulate.gains import CATCHING, Gains
from footfall.core.simulate.physics import State, no_load
from footfall.core.simulate.reference import Reference
from footfall.core.task import Push
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


def inward(body: Body) -> Array:
    """Both upper arms turn toward the trunk, (nv,) rad/s."""
    out, model = np.zeros(body.nv), body.model.mujoco
    for name, sign in (("shoulder.L", -1.0), ("shoulder.R", 1.0)):
        out[model.jnt_dofadr[model.joint(name).id]] = sign
    return out


@pytest.mark.parametrize("seed", range(4))
def test_how_fast_they_part_is_the_slope_of_how_near_they_are(body: Body, seed: int) -> None:
    """Jacobians against differences, of bodies bent at random."""
    rng, h = np.random.default_rng(seed), 1e-5
    bent = moved(body, body.rest, 0.4 * rng.standard_normal(body.nv)).pose
    near = body.read(moved(body, bent, np.zeros(body.nv), 0.0)).arms
    assert near is not None
    compared = 0
    for k in range(body.nv):
        ahead, behind = (body.read(moved(body, bent, np.eye(body.nv)[k], sign * h)).arms for sign in (1.0, -1.0))
        if ahead is not None and behind is not None and len(ahead.lacks) == len(behind.lacks) == len(near.lacks):
            assert np.allclose((behind.lacks - ahead.lacks) / (2 * h), near.jacobian[:, k], atol=3e-3)
            compared += 1
    assert compared > 0.8 * body.nv


def test_a_body_at_rest_touches_nothing_of_its_own(body: Body) -> None:
    """What is near there is as near as it may be, not nearer."""
    near = body.read(moved(body, body.rest, np.zeros(body.nv), 0.0)).arms
    assert near is not None
    assert near.lacks.max() < 1e-9


def test_the_controller_parts_them(body: Body) -> None:
    """Arms on their way into the trunk accelerate away from it, and less without that objective."""
    state = moved(body, body.rest, inward(body), 0.08)
    now, reference = body.read(state), Reference(None, 0.0, 0.0, ())
    assert now.arms is not None
    closing = now.arms.jacobian @ state.velocity < -0.1
    assert closing.sum() >= 2
    assert now.arms.lacks[closing].max() > 0.01
    parted, free = (now.arms.jacobian[closing] @ Controller(body, gains).torques(state, reference, now).accelerations
                    for gains in (Gains(), replace(Gains(), arms_apart=0.0)))
    assert (parted > free).all()
    assert parted.max() > 2 * free.max()


@pytest.mark.long
@pytest.mark.parametrize(("name", "seed"), [("preview-walk", 0), ("preview-run", 0), ("preview-push", 3)])
def test_arms_do_not_pass_through_the_body(name: str, seed: int) -> None:
    """Without that forearms were 5 cm in thighs in a walk, 14 cm in the pelvis at a run, 8 cm in it after pushes."""
    simulation = Simulation(SCENARIOS[name].task(fps=60, seconds=4, seed=seed), 1)
    deep = []
    while simulation.time < 4:
        simulation.look()
        near = simulation.loop.reading.arms
        deep.append(0.0 if near is None else near.lacks.max())
    assert max(deep) < 0.03


@pytest.mark.long
def test_who_catches_himself_lets_his_arms_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gains of a walk but for some looks; for a good part of the second after a hard push those of who catches himself."""
    task, pushed = SCENARIOS["preview-walk"].task(fps=60, seconds=4, seed=3), 1.5
    simulation = Simulation(replace(task, pushes=(Push(pushed, (0.0, 400.0, 0.0), 0.2, "head"),)), 1)
    catching, torques, step = list[float](), simulation.loop.controller.torques, simulation.loop.step

    def noted(state: State, reference: Reference, reading: Reading | None = None) -> Torques:
        if reference.gains is CATCHING:
            catching.append(simulation.time)
        return torques(state, reference, reading)

    monkeypatch.setattr(simulation.loop.controller, "torques", noted)
    while simulation.time < pushed + 1.2:
        simulation.look()
    times = np.array(catching)
    assert step * (times < pushed).sum() < 0.05
    assert step * (times >= pushed).sum() > 0.3
