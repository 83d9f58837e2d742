"""Arms of a simulated body do not pass through its trunk, its thighs and each other."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.simulate.body import SimulatedBody
from footfall.core.simulate.body_state import BodyState
from footfall.core.simulate.controller import Controller, ControlResult
from footfall.core.simulate.physics import PhysicsState, create_unloaded_foot
from footfall.core.simulate.reference import RECOVERY_GAINS, ControlReference, Gains
from footfall.core.task import Push
from numpy.typing import NDArray
from observed import MAX_ARM_OVERLAP, measure_arm_overlap

Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def body() -> SimulatedBody:
    """Return the built-in human on level ground."""
    return SimulatedBody(load_character("humanoid"))


def moved(body: SimulatedBody, pose: Array, velocity: Array, seconds: float = 1.0) -> PhysicsState:
    """Return the state after moving with a velocity (nv,) for a time [s]."""
    out = pose.copy()
    mujoco.mj_integratePos(body.model.mujoco, out, velocity, seconds)
    return PhysicsState(
        0.0, out, velocity, tuple(create_unloaded_foot(len(sole)) for sole in body.model.soles)
    )


def inward(body: SimulatedBody) -> Array:
    """Return the velocity of upper arms that turn toward the trunk. (nv,) [rad/s]."""
    out = np.zeros(body.nv)
    model = body.model.mujoco
    for name, sign in (("shoulder.L", -1.0), ("shoulder.R", 1.0)):
        out[model.jnt_dofadr[model.joint(name).id]] = sign
    return out


@pytest.mark.parametrize("seed", range(4))
def test_the_jacobian_is_the_derivative_of_the_deficit(body: SimulatedBody, seed: int) -> None:
    """Jacobians against finite differences, in random poses."""
    rng = np.random.default_rng(seed)
    h = 1e-5
    bent = moved(body, body.rest_pose, 0.4 * rng.standard_normal(body.nv)).pose
    near = body.compute_state(moved(body, bent, np.zeros(body.nv), 0.0)).arm_proximity
    assert near is not None
    compared = 0
    for k in range(body.nv):
        ahead, behind = (
            body.compute_state(moved(body, bent, np.eye(body.nv)[k], sign * h)).arm_proximity
            for sign in (1.0, -1.0)
        )
        if (
            ahead is not None
            and behind is not None
            and len(ahead.deficit) == len(behind.deficit) == len(near.deficit)
        ):
            assert np.allclose(
                (behind.deficit - ahead.deficit) / (2 * h), near.jacobian[:, k], atol=3e-3
            )
            compared += 1
    assert compared > 0.8 * body.nv


def test_arms_at_rest_have_no_deficit(body: SimulatedBody) -> None:
    """The rest pose has no deficit."""
    near = body.compute_state(moved(body, body.rest_pose, np.zeros(body.nv), 0.0)).arm_proximity
    assert near is not None
    assert near.deficit.max() < 1e-9


def test_the_controller_separates_arms_and_trunk(body: SimulatedBody) -> None:
    """Arms that move into the trunk accelerate away from it, and less so without the objective."""
    state = moved(body, body.rest_pose, inward(body), 0.08)
    now = body.compute_state(state)
    reference = ControlReference(None, 0.0, 0.0, ())
    assert now.arm_proximity is not None
    closing = now.arm_proximity.jacobian @ state.velocity < -0.1
    assert closing.sum() >= 2
    assert now.arm_proximity.deficit[closing].max() > 0.01
    separated, free = (
        now.arm_proximity.jacobian[closing]
        @ Controller(body, gains).compute_torques(state, reference, now).accelerations
        for gains in (Gains(), replace(Gains(), arm_avoidance=0.0))
    )
    assert (separated > free).all()
    assert separated.max() > 2 * free.max()


@pytest.mark.long
def test_arms_do_not_pass_through_a_pushed_body() -> None:
    """Without the objective, forearms were 8 cm in the body after pushes."""
    simulation = Simulation(SCENARIOS["preview-push"].build_task(fps=60, seconds=4, seed=3), 1)
    overlaps = []
    while simulation.time < 4:
        simulation.step()
        overlaps.append(measure_arm_overlap(simulation))
    assert max(overlaps) < MAX_ARM_OVERLAP


@pytest.mark.long
def test_gains_change_during_the_recovery_from_a_push(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gains are those of a walk before a hard push, and mostly those of recovery after it."""
    task = SCENARIOS["preview-walk"].build_task(fps=60, seconds=4, seed=3)
    pushed = 1.5
    simulation = Simulation(
        replace(task, pushes=(Push(pushed, (0.0, 400.0, 0.0), 0.2, "head"),)), 1
    )
    recovery_times = list[float]()
    torques = simulation.loop.controller.compute_torques
    step = simulation.loop.dt

    def record_gains(
        state: PhysicsState, reference: ControlReference, body_state: BodyState | None = None
    ) -> ControlResult:
        if reference.gains is RECOVERY_GAINS:
            recovery_times.append(simulation.time)
        return torques(state, reference, body_state)

    monkeypatch.setattr(simulation.loop.controller, "compute_torques", record_gains)
    while simulation.time < pushed + 1.2:
        simulation.step()
    times = np.array(recovery_times)
    assert step * (times < pushed).sum() < 0.05
    assert step * (times >= pushed).sum() > 0.3
