"""Torques of the adaptive engine: virtual work, optimality, bounds."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from footfall.core.engine.adaptive.biped import create_reference_biped
from footfall.core.engine.adaptive.biped_model import BipedModel, build_biped_model
from footfall.core.engine.adaptive.costs import COST_WEIGHTS, measure_closeness
from footfall.core.engine.adaptive.evaluation import find_body
from footfall.core.engine.adaptive.force_solver import (
    FORCES,
    ForceProblem,
    ForceSolver,
)
from footfall.core.geometry import so3
from numpy.typing import NDArray

Array = NDArray[np.float64]


@pytest.fixture(scope="module", params=["reference", "humanoid"])
def model(request: pytest.FixtureRequest) -> BipedModel:
    return build_biped_model(find_body(request.param), None, 1 / 490)


def _make_state(model: BipedModel, seed: int) -> mujoco.MjData:
    """Return a random bent pose."""
    data = mujoco.MjData(model.mujoco)
    rng = np.random.default_rng(seed)
    change = rng.uniform(-0.3, 0.3, model.mujoco.nv)
    change[model.knees] = rng.uniform(0.4, 0.9, 2)
    mujoco.mj_integratePos(model.mujoco, data.qpos, change, 1.0)
    mujoco.mj_forward(model.mujoco, data)
    return data


def _make_problem(model: BipedModel, data: mujoco.MjData, seed: int) -> ForceProblem:
    rng = np.random.default_rng(seed)
    jacobian = np.zeros((2, 2, 3, model.mujoco.nv))
    for k, body in enumerate(model.feet):
        mujoco.mj_jacBody(model.mujoco, data, jacobian[k, 0], jacobian[k, 1], body)
    feet = list(model.feet)
    rotation = data.xmat[feet].reshape(2, 3, 3)
    local = np.swapaxes(rotation, 1, 2)[:, None] @ jacobian
    return ForceProblem(
        local[..., 6:].reshape(12, -1),
        rotation,
        data.xpos[feet] - data.xpos[1],
        rng.normal(0, 200, 6),
        rng.normal(0, 60, (2, 12)),
        pinned=np.zeros((2, 4), bool),
        body_weight=1.5,
    )


def _solver(model: BipedModel) -> ForceSolver:
    return ForceSolver(model.biped, model.frames, model.max_torque)


def _frame_map(model: BipedModel) -> Array:
    """Return the velocities of a foot's frames by its twist (12, 6)."""
    levers = so3.hat(model.frames.offsets)
    return np.concatenate([np.tile(np.eye(3), (4, 1)), -levers.reshape(12, 3)], 1)


def _errors(model: BipedModel, problem: ForceProblem, force: Array) -> Array:
    """Return the weighted errors of forces on the frames (2, 12), term by term of equation 4."""
    world = np.einsum("kij,kfj->kfi", problem.rotation, force.reshape(2, 4, 3))
    place = problem.arm[:, None] + np.einsum("kij,fj->kfi", problem.rotation, model.frames.offsets)
    body = np.concatenate([-world.sum((0, 1)), -np.cross(place, world).sum((0, 1))])
    foot = (force - problem.foot_force)[~np.repeat(problem.pinned, 3, axis=1)]
    return np.concatenate([np.sqrt(problem.body_weight) * (body - problem.body_force), foot])


def test_torques_do_the_work_of_force_pairs(model: BipedModel) -> None:
    data = _make_state(model, 1)
    problem = _make_problem(model, data, 2)
    solution = _solver(model).solve(problem)
    generalized = np.zeros(model.mujoco.nv)
    for k, foot in enumerate(model.feet):
        for offset, force in zip(
            model.frames.offsets, solution.force[k].reshape(4, 3), strict=True
        ):
            point = data.xpos[foot] + problem.rotation[k] @ offset
            push = problem.rotation[k] @ force
            for body, sign in ((foot, 1.0), (model.parts[0], -1.0)):
                mujoco.mj_applyFT(
                    model.mujoco, data, sign * push, np.zeros(3), point, body, generalized
                )
    assert generalized[:6] == pytest.approx(np.zeros(6), abs=1e-6)
    assert generalized[6:] == pytest.approx(solution.torque, abs=1e-6)


def test_the_jacobian_agrees_with_finite_differences(model: BipedModel) -> None:
    data = _make_state(model, 3)
    problem = _make_problem(model, data, 4)
    feet = list(model.feet)
    step = 1e-6
    for joint in range(len(model.max_torque)):
        change = np.zeros(model.mujoco.nv)
        change[6 + joint] = step
        other = mujoco.MjData(model.mujoco)
        other.qpos[:] = data.qpos
        mujoco.mj_integratePos(model.mujoco, other.qpos, change, 1.0)
        mujoco.mj_kinematics(model.mujoco, other)
        points = [
            d.xpos[feet][:, None]
            + np.einsum("kij,fj->kfi", d.xmat[feet].reshape(2, 3, 3), model.frames.offsets)
            for d in (data, other)
        ]
        velocity = np.einsum("kij,kfi->kfj", problem.rotation, (points[1] - points[0]) / step)
        expected = _frame_map(model) @ problem.jacobian[:, joint].reshape(2, 6)[..., None]
        assert velocity.reshape(2, 12) == pytest.approx(expected[..., 0], abs=1e-5)


def test_no_other_forces_within_the_bounds_have_a_smaller_error(model: BipedModel) -> None:
    data = _make_state(model, 5)
    rng = np.random.default_rng(0)
    for scale in (1.0, 60.0):
        problem = _make_problem(model, data, 6)
        problem = replace(problem, body_force=scale * problem.body_force)
        solution = _solver(model).solve(problem)
        best = _errors(model, problem, solution.force)
        assert np.concatenate(
            [solution.body_error * np.sqrt(1.5), solution.foot_error.ravel()]
        ) == (pytest.approx(-best, abs=1e-6))
        frame_map = _frame_map(model)
        for _ in range(200):
            twist_force = rng.normal(0, 0.5, (2, 6))
            force = solution.force + twist_force @ frame_map.T
            torque = (force @ frame_map).ravel() @ problem.jacobian
            if np.abs(force).max() < FORCES.max_force and np.all(np.abs(torque) < model.max_torque):
                other = _errors(model, problem, force)
                assert other @ other >= best @ best * (1 - 1e-9)
        assert np.all(np.abs(solution.torque) <= model.max_torque * (1 + 1e-6))
        assert np.abs(solution.force).max() <= FORCES.max_force * (1 + 1e-6)


def test_pinned_feet_push_within_their_soles_and_friction(model: BipedModel) -> None:
    data = _make_state(model, 7)
    problem = _make_problem(model, data, 8)
    problem = replace(
        problem,
        body_force=np.array([400.0, 300.0, 500.0, 80.0, 150.0, 0.0]),
        pinned=np.ones((2, 4), bool),
    )
    solution = _solver(model).solve(problem)
    sole = model.biped.sole
    for force in solution.force.reshape(2, 4, 3):
        normal = force.sum(0)[2]
        assert normal <= 1e-6  # the foot presses on the ground
        moment = np.cross(model.frames.offsets, force).sum(0)
        if normal < -1.0:
            along = (-sole.ankle_height * force.sum(0)[0] - moment[1]) / normal
            across = (moment[0] - sole.ankle_height * force.sum(0)[1]) / normal
            assert sole.heel - 1e-4 <= along <= sole.tip + 1e-4
            assert abs(across) <= sole.half_width + 1e-4
            assert np.abs(force.sum(0)[:2]).max() <= FORCES.friction * -normal + 1e-4


def test_torques_that_bend_knees_do_not_move_the_feet(model: BipedModel) -> None:
    data = _make_state(model, 9)
    problem = _make_problem(model, data, 10)
    plain = _solver(model).solve(problem)
    bending = np.zeros(len(model.max_torque))
    bending[model.knees - 6] = 50.0
    bent = _solver(model).solve(replace(problem, bending=bending))
    change = bent.torque - plain.torque
    assert np.abs(change).max() < 50.0
    assert np.abs(problem.jacobian @ change).max() < 0.1 * np.abs(problem.jacobian @ bending).max()


def test_a_straight_knee_carries_only_forces_that_have_torques() -> None:
    model = build_biped_model(create_reference_biped(), None, 1 / 490)
    data = mujoco.MjData(model.mujoco)
    mujoco.mj_forward(model.mujoco, data)
    problem = _make_problem(model, data, 11)
    frame_map = _frame_map(model)
    jacobian = (frame_map @ problem.jacobian.reshape(2, 6, -1)).reshape(24, -1)
    assert np.linalg.matrix_rank(jacobian, 1e-3) == 11
    force = _solver(model).solve(problem).force.ravel()
    torque = np.linalg.lstsq(jacobian, force, 1e-3)[0]
    assert jacobian @ torque == pytest.approx(force, abs=1e-3 * np.abs(force).max())


def test_feet_that_are_too_near_or_cross_cost() -> None:
    apart = np.array([[0.3, 0.13, 0.1], [0.0, 0.0, 0.1]])
    assert measure_closeness(apart, 0.0) == 0.0
    near = measure_closeness(apart - [[0.0, 0.08, 0.0], [0.0, 0.0, 0.0]], 0.0)
    crossed = measure_closeness(apart - [[0.0, 0.2, 0.0], [0.0, 0.0, 0.0]], 0.0)
    assert near == pytest.approx(COST_WEIGHTS.closeness * 0.07**2)
    assert crossed == pytest.approx(COST_WEIGHTS.closeness * 0.19**2)
    turned = apart @ so3.rotation_about("z", 0.7).T
    assert measure_closeness(turned, 0.7) == 0.0
    assert measure_closeness(turned, 0.7 + np.pi) > crossed
