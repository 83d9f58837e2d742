"""The planar biped: its dynamics against finite differences and MuJoCo, impacts, energy."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine.tracker.biped import (
    ANKLE_1,
    CENTER,
    HEEL_1,
    HEEL_2,
    TOE_1,
    PlanarBiped,
)
from footfall.core.engine.tracker.impact import compute_landing_velocity
from footfall.core.engine.tracker.side_view import SideView
from footfall.core.errors import TaskError
from numpy.typing import NDArray

Array = NDArray[np.float64]
GRAVITY = 9.81
STEP = 1e-6
# MuJoCo's joint angles are relative: each row is a joint, as a difference of absolute pitches.
RELATIVE = np.eye(9)
for _child, _parent in ((3, 2), (4, 3), (5, 4), (6, 2), (7, 6), (8, 7)):
    RELATIVE[_child, _parent] = -1.0


@pytest.fixture(scope="module")
def biped() -> PlanarBiped:
    return PlanarBiped(SideView.from_model(KinematicModel(load_character("humanoid"))), GRAVITY)


def _random_state(seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    return 0.5 * rng.normal(size=9), rng.normal(size=9)


def _build_mujoco(view: SideView) -> mujoco.MjModel:
    """Return the biped as a body of MuJoCo, whose hinges turn about -y."""

    def write_inertia(k: int) -> str:
        center = view.center[k]
        return (
            f'<inertial pos="{center.real} 0 {center.imag}" mass="{view.mass[k]}" '
            f'diaginertia="{view.inertia[k]} {view.inertia[k]} {view.inertia[k]}"/>'
        )

    def write_leg(n: int) -> str:
        return (
            f'<body><joint axis="0 -1 0"/>{write_inertia(n)}'
            f'<body pos="{view.thigh.real} 0 {view.thigh.imag}"><joint axis="0 -1 0"/>'
            f"{write_inertia(n + 1)}"
            f'<body pos="{view.shin.real} 0 {view.shin.imag}"><joint axis="0 -1 0"/>'
            f"{write_inertia(n + 2)}</body></body></body>"
        )

    return mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body>"
        '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
        f'<joint axis="0 -1 0"/>{write_inertia(0)}{write_leg(1)}{write_leg(4)}'
        "</body></worldbody></mujoco>"
    )


@pytest.mark.parametrize("seed", range(3))
def test_mass_matrix_and_bias_equal_those_of_mujoco(biped: PlanarBiped, seed: int) -> None:
    model = _build_mujoco(biped.side_view)
    data = mujoco.MjData(model)
    q, v = _random_state(seed)
    data.qpos[:], data.qvel[:] = RELATIVE @ q, RELATIVE @ v
    mujoco.mj_forward(model, data)
    full = np.zeros((9, 9))
    for column, unit in zip(full, np.eye(9), strict=True):
        mujoco.mj_mulM(model, data, column, unit)
    dynamics = biped.compute_dynamics(q, v)
    assert np.allclose(dynamics.mass, RELATIVE.T @ full @ RELATIVE, atol=1e-10)
    assert np.allclose(dynamics.bias, RELATIVE.T @ data.qfrc_bias, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_free_body_keeps_its_energy(biped: PlanarBiped, seed: int) -> None:
    q, v = _random_state(seed)
    dynamics = biped.compute_dynamics(q, v)
    a = np.linalg.solve(dynamics.mass, -dynamics.bias)
    ahead = biped.compute_energy(q + STEP * v, v + STEP * a)
    behind = biped.compute_energy(q - STEP * v, v - STEP * a)
    assert (ahead - behind) / (2 * STEP) == pytest.approx(0.0, abs=1e-5)


def test_free_body_falls_with_gravity(biped: PlanarBiped) -> None:
    q, v = _random_state(1)
    dynamics = biped.compute_dynamics(q, v)
    a = np.linalg.solve(dynamics.mass, -dynamics.bias)
    moving = biped.move_points(q, v)
    fall = moving.jacobian[CENTER] @ a + moving.bias[CENTER]
    assert np.allclose(fall, [0.0, -GRAVITY], atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_points_move_as_their_jacobians_say(biped: PlanarBiped, seed: int) -> None:
    q, v = _random_state(seed)
    moving = biped.move_points(q, v)
    places = [biped.locate(q + d * v) for d in (-STEP, STEP)]
    velocity = (places[1] - places[0]) / (2 * STEP)
    assert np.allclose(moving.jacobian @ v, np.stack([velocity.real, velocity.imag], -1), atol=1e-8)
    rates = [biped.move_points(q + d * v, v).jacobian @ v for d in (-STEP, STEP)]
    assert np.allclose(moving.bias, (rates[1] - rates[0]) / (2 * STEP), atol=1e-7)


@pytest.mark.parametrize("resting", [HEEL_1, ANKLE_1, TOE_1])
def test_leg_angle_moves_as_its_jacobian_says(biped: PlanarBiped, resting: int) -> None:
    q, v = _random_state(2)
    now = biped.measure_leg_angle(q, v, 0.1, resting)
    before, after = (biped.measure_leg_angle(q + d * v, v, 0.1, resting) for d in (-STEP, STEP))
    assert now.rate == pytest.approx(float(after.value - before.value) / (2 * STEP), abs=1e-7)
    assert now.jacobian @ v == pytest.approx(float(now.rate), abs=1e-12)
    assert now.bias == pytest.approx(float(after.rate - before.rate) / (2 * STEP), abs=1e-6)


def test_batches_equal_single_states(biped: PlanarBiped) -> None:
    states = [_random_state(seed) for seed in range(4)]
    q, v = (np.stack(part) for part in zip(*states, strict=True))
    dynamics = biped.compute_dynamics(q, v)
    moving = biped.move_points(q, v)
    for k in range(4):
        assert np.allclose(dynamics.bias[k], biped.compute_dynamics(q[k], v[k]).bias)
        assert np.allclose(moving.position[k], biped.move_points(q[k], v[k]).position)


def test_landing_stops_heel_and_toes_and_loses_energy(biped: PlanarBiped) -> None:
    q, v = _random_state(3)
    landed = compute_landing_velocity(biped, q, v)
    moving = biped.move_points(q, landed)
    assert np.allclose(moving.jacobian[[HEEL_2, TOE_1]] @ landed, 0.0, atol=1e-9)
    assert biped.compute_energy(q, landed) < biped.compute_energy(q, v)
    assert np.allclose(compute_landing_velocity(biped, q, landed), landed, atol=1e-9)


def test_side_view_has_the_mass_and_height_of_the_body(biped: PlanarBiped) -> None:
    character = load_character("humanoid")
    view = biped.side_view
    assert view.total_mass == pytest.approx(character.mass)
    standing = biped.locate(np.zeros(9))
    height = -(standing[ANKLE_1].imag - view.ankle_height)
    assert height == pytest.approx(character.leg_length, abs=1e-6)


def test_body_on_four_legs_is_refused() -> None:
    with pytest.raises(TaskError, match="two human legs"):
        SideView.from_model(KinematicModel(load_character("dog")))
