"""Simulation with PyBullet: equal to MuJoCo without contacts, and stable with the controller."""

from __future__ import annotations

import gc
import sys

import mujoco
import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.preview.generate import generate
from footfall.core.errors import TaskError
from footfall.core.geometry import so3
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.simulate import (
    BulletPhysics,
    MujocoPhysics,
    Physics,
    PhysicsState,
    SimulatedBody,
)
from footfall.core.terrain import HeightField, Slab, make_slab_ground
from numpy.typing import NDArray
from standing import StandingBody

Array = NDArray[np.float64]


@pytest.fixture
def bullet() -> object:
    return pytest.importorskip(
        "pybullet", reason="PyBullet is not installed: it has wheels for Linux and Python 3.11 only"
    )


@pytest.fixture(scope="module")
def body() -> SimulatedBody:
    return SimulatedBody(load_character("humanoid"))


def _make_state_in_air(body: SimulatedBody, seed: int) -> tuple[Array, Array]:
    """Return a pose within all ranges at a height of 3 m, and a velocity."""
    m = body.model.mujoco
    rng = np.random.default_rng(seed)
    pose = body.rest_pose.copy()
    mujoco.mj_integratePos(m, pose, rng.normal(scale=0.2, size=body.nv), 1.0)
    pose[2] = 3.0
    for joint in np.flatnonzero(m.jnt_type == mujoco.mjtJoint.mjJNT_HINGE):
        low, high = m.jnt_range[joint]
        pose[m.jnt_qposadr[joint]] = rng.uniform(0.7 * low + 0.3 * high, 0.3 * low + 0.7 * high)
    return pose, rng.normal(size=body.nv)


def _step(physics: Physics, torques: Array, steps: int, seconds: float = 0.004) -> PhysicsState:
    state = physics.state
    for _ in range(steps):
        state = physics.step(torques, seconds)
    return state


@pytest.mark.parametrize("name", ["humanoid", "cassie"])
def test_without_contacts_the_motion_equals_that_of_mujoco(bullet: object, name: str) -> None:
    """Accelerations under torques and a push, and the state after a free fall."""
    simulated = SimulatedBody(load_character(name))
    engines = BulletPhysics(simulated.model), MujocoPhysics(simulated.model)
    for seed in range(3):
        pose, velocity = _make_state_in_air(simulated, seed)
        torques = (
            np.random.default_rng(seed).uniform(-0.2, 0.2, simulated.nv - 6)
            * simulated.model.torque_limit
        )
        rates = []
        ends = []
        for physics in engines:
            physics.reset(pose, velocity)
            physics.push(
                simulated.character.legs[0].links[-1],
                np.array([20.0, -10.0, 30.0]),
                1.0,
                np.array([0.0, 0.02, -0.01]),
            )
            rates.append((physics.step(torques, 0.001).velocity - velocity) / 0.001)
            physics.reset(pose, velocity)
            ends.append(_step(physics, 0 * torques, 15))
        assert np.abs(rates[1]).max() > 100
        assert np.allclose(rates[0], rates[1], atol=1e-3 * np.abs(rates[1]).max())
        assert ends[0].time == pytest.approx(0.06)
        assert np.allclose(ends[0].velocity, ends[1].velocity, atol=2e-3)
        assert np.allclose(ends[0].pose, ends[1].pose, atol=1e-4)


def test_reset_sets_the_state(bullet: object, body: SimulatedBody) -> None:
    pose, velocity = _make_state_in_air(body, 5)
    physics = BulletPhysics(body.model)
    other = BulletPhysics(body.model)
    assert np.allclose(physics.reset(pose, velocity, time=2.0).pose, pose)
    state = physics.step(np.zeros(body.nv - 6), 1e-7)
    assert np.allclose(state.pose, pose, atol=1e-5)
    assert np.allclose(state.velocity, velocity, atol=1e-4)
    assert np.allclose(other.state.pose, body.model.mujoco.qpos0), "instances are independent"


def test_joints_stop_at_the_ends_of_their_ranges(bullet: object, body: SimulatedBody) -> None:
    m = body.model.mujoco
    physics = BulletPhysics(body.model)
    pose, _ = _make_state_in_air(body, 0)
    physics.reset(pose)
    knee = m.joint("knee.L.0")
    neck = m.joint("neck")
    torques = np.zeros(body.nv - 6)
    torques[knee.dofadr[0] - 6] = -20.0
    torques[neck.dofadr[0] - 6] = 10.0
    state = _step(physics, torques, 100)
    assert -0.02 < state.pose[knee.qposadr[0]] < 0.02
    angle = 2 * np.arccos(abs(state.pose[neck.qposadr[0]]))
    assert 1.1 < angle < m.jnt_range[neck.id, 1] + 0.15


def test_a_standing_body_is_supported_by_the_ground(bullet: object, body: SimulatedBody) -> None:
    standing = StandingBody(body, physics=BulletPhysics)
    standing.run(1.0)
    assert standing.state.trouble == ""
    assert standing.com_errors[-1] < 0.003
    assert np.abs(standing.state.velocity).max() < 0.02
    assert sum(foot.normal for foot in standing.state.foot_loads) == pytest.approx(
        body.weight, rel=0.005
    )
    now = body.compute_state(standing.state)
    for foot, points in zip(standing.state.foot_loads, now.sole_points, strict=True):
        assert (foot.forces[:, 2] >= 0).all()
        assert np.allclose(foot.forces.sum(0), foot.force)
        assert (points[:, :2].min(0) < foot.pressure[:2]).all()
        assert (foot.pressure[:2] < points[:, :2].max(0)).all()


def test_momentum_follows_from_reported_forces_and_pushes(
    bullet: object, body: SimulatedBody
) -> None:
    """The change of momentum is the impulse of feet, weight and push, and the body stays up."""
    standing = StandingBody(body, physics=BulletPhysics)
    standing.run(0.3)
    begin = body.compute_state(standing.state)
    impulse = np.zeros(3)
    push = np.array([60.0, 120.0, 0.0])
    standing.physics.push(body.character.trunk[-1], push, 0.1)
    for _ in range(25):
        standing.run(0.004)
        impulse += 0.004 * sum(foot.force for foot in standing.state.foot_loads)
    gained = body.mass * (body.compute_state(standing.state).com_velocity - begin.com_velocity)
    assert np.allclose(
        gained, impulse + 0.1 * push - [0, 0, 0.1 * body.weight], atol=0.002 * body.weight * 0.1
    )
    assert np.linalg.norm(gained[:2]) > 4.0
    standing.run(0.9)
    assert standing.state.trouble == ""
    assert max(standing.com_errors) > 0.01
    assert standing.com_errors[-1] < 0.005


def test_it_stands_on_slabs_and_on_slopes(bullet: object) -> None:
    """On solids and on smooth ground, where the forces on a slope support the weight."""
    human = load_character("humanoid")
    high = SimulatedBody(
        human,
        make_slab_ground(
            [Slab((-1, 0.02), (-1, 1), 0.3), Slab((0.0, 2), (-1, 1), 0.3), Slab((2.2, 4), (-1, 1))]
        ),
    )
    standing = StandingBody(high, high.compute_standing_pose(np.zeros(2)), BulletPhysics)
    standing.run(0.5)
    assert standing.state.trouble == ""
    assert np.allclose(high.compute_state(standing.state).foot_frames.place[:, 2], 0.3, atol=0.005)
    x = np.arange(-2, 2.01, 0.1)
    hill = SimulatedBody(
        human, HeightField(np.repeat(np.tan(np.radians(12)) * x[:, None], len(x), 1), (-2, -2), 0.1)
    )
    standing = StandingBody(hill, hill.compute_standing_pose(np.zeros(2), 0.3), BulletPhysics)
    standing.run(0.8, heading=0.3)
    now = hill.compute_state(standing.state)
    assert standing.state.trouble == ""
    assert standing.com_errors[-1] < 0.003
    assert np.allclose(now.foot_frames.rotation[:, :, 2], now.normals, atol=0.01)
    total = sum(foot.force for foot in standing.state.foot_loads)
    assert np.allclose(total, [0, 0, hill.weight], atol=0.01 * hill.weight)


def test_a_body_lies_on_hills(bullet: object) -> None:
    """A body that has fallen lies at the height of the ground."""
    x = np.arange(-3, 3.01, 0.1)
    ground = HeightField(0.3 + 0.2 * np.cos(x)[:, None] * np.cos(x), (-3, -3), 0.1)
    body = SimulatedBody(load_character("humanoid"), ground)
    physics = BulletPhysics(body.model)
    pose = body.compute_standing_pose(np.array([0.5, 0.3]))
    pose[2] += 0.1
    physics.reset(pose)
    state = _step(physics, np.zeros(body.nv - 6), 375)
    assert state.trouble.startswith("fallen: ")
    assert 0.03 < state.pose[2] - float(ground.sample_heights(state.pose[:2])) < 0.35
    assert np.abs(state.velocity[:3]).max() < 0.5


def test_falls_are_reported_as_in_mujoco(bullet: object, body: SimulatedBody) -> None:
    """The first part that touches and its time, for a body that sits down and one that lies."""
    sits = body.rest_pose.copy()
    lies = body.rest_pose.copy()
    for name in ("hip.L", "hip.R"):
        at = body.model.mujoco.joint(name).qposadr[0]
        sits[at : at + 4] = so3.quat_exp(np.array([0.0, -1.5, 0.0]))
    sits[2] = 0.4
    lies[2] = 0.4
    lies[3:7] = so3.quat_exp(np.array([0.0, 1.5, 0.0]))
    for pose in (sits, lies):
        falls = []
        for engine in (BulletPhysics, MujocoPhysics):
            physics = engine(body.model)
            state = physics.reset(pose)
            while not state.trouble and state.time < 1:
                state = physics.step(np.zeros(body.nv - 6), 0.004)
            falls.append((state.trouble.rpartition(" at ")[0], state.time))
        assert falls[0][0].startswith("fallen: ")
        assert falls[0][0] == falls[1][0]
        assert falls[0][1] == pytest.approx(falls[1][1], abs=0.005)


def test_numbers_that_are_not_finite_are_reported(bullet: object, body: SimulatedBody) -> None:
    physics = BulletPhysics(body.model)
    assert physics.step(np.full(body.nv - 6, np.nan), 0.004).trouble.startswith("not finite: ")
    assert physics.reset(body.rest_pose, 1e6 * np.eye(body.nv)[0]).trouble == ""
    assert physics.step(np.zeros(body.nv - 6), 0.004).trouble.startswith("not finite: ")


def test_the_client_is_disconnected(bullet: object, body: SimulatedBody) -> None:
    physics = BulletPhysics(body.model)
    client = physics._client
    assert bullet.isConnected(client)  # type: ignore[attr-defined]
    del physics
    gc.collect()
    assert not bullet.isConnected(client)  # type: ignore[attr-defined]


def test_without_pybullet_the_message_names_what_to_install(
    body: SimulatedBody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(TaskError, match="pip install"):
        BulletPhysics(body.model)


@pytest.mark.long
def test_it_walks(bullet: object) -> None:
    """Steps of 0.75 m in 0.6 s within a tenth, and no fall in 6 s."""
    motion = generate(
        SCENARIOS["preview-walk"].build_task(fps=60, seconds=6.0), make_physics=BulletPhysics
    )
    assert motion.report.notes == ()
    steps = [f for f in motion.footsteps if 0 < f.strike < 5.8]
    assert len(steps) >= 8
    assert [f.leg for f in steps] == [(steps[0].leg + k) % 2 for k in range(len(steps))]
    assert np.isclose(np.diff([f.strike for f in steps]).mean(), 0.6, rtol=0.1)
    assert np.isclose(np.diff([f.position[0] for f in steps]).mean(), 0.75, rtol=0.1)
