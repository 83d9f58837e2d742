"""Level 3: derivatives of the objective against finite differences of its cost, and contact rows
against finite differences of their errors.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.errors import PlanningError
from footfall.core.fullbody import objective
from footfall.core.fullbody.foot_path import FootPath, FootSupport
from footfall.core.fullbody.initial_pose import compute_initial_poses
from footfall.core.fullbody.objective import BodyObjective, CostExpansion, PreviousFrame
from footfall.core.fullbody.targets import BodyTargets
from footfall.core.fullbody.weights import BodyWeights
from footfall.core.fullbody.window import solve_window_step
from footfall.core.geometry import so3
from footfall.core.geometry.curves import Quintic

FRAMES = 4
DT = 1 / 60


@pytest.fixture(scope="module")
def model() -> KinematicModel:
    return KinematicModel(load_builtin("humanoid"))


def _poses(model: KinematicModel, seed: int, spread: float, still: bool = False) -> np.ndarray:
    """Return random poses (FRAMES, nq) with knees bent, away from their limits.

    Args:
        still: whether the pose is the same in all frames.
    """
    change = np.random.default_rng(seed).normal(
        scale=spread, size=(1 if still else FRAMES, model.nv)
    )
    for leg in model.character.legs:
        change[:, model.joint_dofs(model.character.links[leg.links[1]].joint.name)] = 0.6
    return model.integrate(
        np.tile(model.neutral, (FRAMES, 1)), np.broadcast_to(change, (FRAMES, model.nv))
    )


def _make_targets(model: KinematicModel, poses: np.ndarray, reference: np.ndarray) -> BodyTargets:
    """Return targets that poses at rest meet, except for the reference."""
    c = model.compute_centroidal_dynamics(poses)
    hold = (
        np.full(FRAMES, FootSupport.SWING),
        np.array([FootSupport.HEEL, FootSupport.FLAT, FootSupport.BALL, FootSupport.SWING]),
    )
    feet = []
    for leg, foot in enumerate(model.character.feet):
        r = c.foot_rotation[:, leg]
        origin = c.foot_origin[:, leg]
        feet.append(
            FootPath(
                hold[leg],
                r,
                origin,
                r,
                origin + r @ foot.heel,
                origin + r @ foot.pivot,
                np.zeros(FRAMES),
                np.linspace(0, 1, FRAMES),
            )
        )
    return BodyTargets(DT * np.arange(FRAMES), c.com, np.zeros((FRAMES, 3)), reference, tuple(feet))


def _moved(model: KinematicModel, poses: np.ndarray, x: np.ndarray) -> np.ndarray:
    return model.integrate(poses, x.reshape(FRAMES, -1))


def _curved(e: objective.CostExpansion, x: np.ndarray) -> float:
    """Return x' H x of the blocks."""
    v = x.reshape(FRAMES, -1)
    twice = np.einsum("ki,kij,kj", v[1:], e.coupling, v[:-1])
    return float(np.einsum("ki,kij,kj", v, e.diagonal, v) + 2 * twice)


def test_gradient_by_finite_differences(model: KinematicModel) -> None:
    """Terms without maps that are held constant: positions, posture, joint velocities, limits."""
    poses = _poses(model, 0, 0.25)
    weights = BodyWeights(
        momentum=0.0,
        configuration=0.0,
        swing_turn=0.0,
        heel_turn=0.0,
        ball_turn=0.0,
        damping=0.0,
        com=1e3,
    )
    targets = _make_targets(model, _poses(model, 1, 0.25), _poses(model, 2, 0.25))
    o = BodyObjective(model, targets, weights)
    gradient = o.expand(poses).gradient.ravel()
    rng = np.random.default_rng(3)
    for x in rng.normal(size=(12, gradient.size)):
        h = 1e-6
        slope = (
            o.expand(_moved(model, poses, h * x)).cost - o.expand(_moved(model, poses, -h * x)).cost
        ) / (4 * h)
        assert gradient @ x == pytest.approx(slope, rel=1e-4, abs=1e-4 * np.linalg.norm(gradient))


@pytest.mark.parametrize(
    "only", ["all", "momentum", "configuration", "swing_turn", "heel_turn", "ball_turn"]
)
def test_second_derivative_at_rest_by_finite_differences(
    model: KinematicModel, monkeypatch: pytest.MonkeyPatch, only: str
) -> None:
    """Where all targets are met at rest, the Gauss-Newton matrix is the second derivative of the
    cost, term by term.

    The expansion omits the leak on purpose, so the test does, too.
    """
    monkeypatch.setattr(objective, "gaussian_filter1d", lambda values, *_, **__: 0 * values)
    weights = replace(BodyWeights(), damping=0.0)
    if only != "all":
        kept = (
            "leak",
            "soft_knee_from",
            "stiff_knee_from",
            "ball_low",
            "leg_yield_angle",
            only,
            f"{only}_low",
        )
        # Not zero, since the code divides weights by each other.
        next_to_none = {f.name: 1e-12 for f in fields(weights) if f.name not in kept}
        weights = replace(weights, **next_to_none)
    poses = _poses(model, 0, 0.1, still=True)
    o = BodyObjective(model, _make_targets(model, poses, poses), weights)
    e = o.expand(poses)
    rng = np.random.default_rng(4)
    for x in rng.normal(size=(6, poses.shape[0] * model.nv)):
        h = 1e-4
        bend = (
            o.expand(_moved(model, poses, h * x)).cost
            + o.expand(_moved(model, poses, -h * x)).cost
            - 2 * e.cost
        ) / (2 * h**2)
        assert _curved(e, x) == pytest.approx(bend, rel=1e-4)
        assert bend > 0


def test_contact_rows_by_finite_differences(model: KinematicModel) -> None:
    """Each row of heel, flat foot and ball is the derivative of its error."""
    poses = _poses(model, 0, 0.25)
    o = BodyObjective(model, _make_targets(model, poses, poses), BodyWeights())
    e = o.expand(poses)
    assert e.count.tolist() == [3, 6, 3, 0]
    np.testing.assert_allclose(e.error[np.arange(12) < e.count[:, None]], 0, atol=1e-9)
    h = 1e-6
    for k in range(model.nv):
        d = np.tile(h * np.eye(model.nv)[k], FRAMES)
        slope = (
            o.expand(_moved(model, poses, d)).error - o.expand(_moved(model, poses, -d)).error
        ) / (2 * h)
        for frame, count in enumerate(e.count):
            np.testing.assert_allclose(e.rows[frame, :count, k], slope[frame, :count], atol=1e-6)


def test_first_frame_is_coupled_to_the_previous_one(model: KinematicModel) -> None:
    """The term between two windows against finite differences of the cost."""
    poses = _poses(model, 0, 0.1)
    before = _poses(model, 5, 0.1)[0]
    weights = BodyWeights(
        momentum=0.0,
        configuration=0.0,
        swing_turn=0.0,
        heel_turn=0.0,
        ball_turn=0.0,
        damping=0.0,
        com=1e3,
    )
    targets = _make_targets(model, poses, _poses(model, 2, 0.1))
    previous = PreviousFrame(before, targets.reference[0], targets.momentum[0])
    o = BodyObjective(model, targets, weights, previous)
    gradient = o.expand(poses).gradient
    for x in np.random.default_rng(6).normal(size=(6, gradient.size)):
        h = 1e-6
        slope = (
            o.expand(_moved(model, poses, h * x)).cost - o.expand(_moved(model, poses, -h * x)).cost
        ) / (4 * h)
        assert gradient.ravel() @ x == pytest.approx(
            slope, rel=1e-4, abs=1e-4 * np.linalg.norm(gradient)
        )


def test_rotation_error_of_a_foot_is_in_world_axes(model: KinematicModel) -> None:
    """The error of a flat foot is the rotation vector from its rest, in world axes."""
    poses = _poses(model, 0, 0.1)
    targets = _make_targets(model, poses, poses)
    turn = np.array([0.02, -0.01, 0.03])
    path = replace(targets.feet[1], rest_rotation=so3.exp(-turn) @ targets.feet[1].rest_rotation)
    e = BodyObjective(model, replace(targets, feet=(targets.feet[0], path)), BodyWeights()).expand(
        poses
    )
    np.testing.assert_allclose(e.error[1, 3:6], turn, atol=1e-9)


def test_initial_legs_reach_their_feet(model: KinematicModel) -> None:
    """Feet and center of mass come close to their targets; the trunk does not rotate."""
    target_poses = _poses(model, 0, 0.05)
    start = _poses(model, 1, 0.05)
    targets = _make_targets(model, target_poses, start)
    solved = compute_initial_poses(model, targets)
    c = model.compute_centroidal_dynamics(solved)
    before = model.compute_centroidal_dynamics(start)
    for leg, path in enumerate(targets.feet):
        miss, was = (
            np.linalg.norm(x.foot_origin[:, leg] - path.origin, axis=1).max() for x in (c, before)
        )
        assert miss < 0.03
        assert miss < 0.3 * was
    assert np.abs(c.com - targets.com).max() < 0.01
    np.testing.assert_allclose(solved[:, 3:7], start[:, 3:7])


def test_quintic_interpolates_values_and_derivatives() -> None:
    """Values and derivatives at the knots, from both sides, for scalars and vectors."""
    knots = [0.0, 0.3, 1.0]
    given = np.random.default_rng(0).normal(size=(3, 3, 2))
    for at in (given, given[..., 0]):
        curve = Quintic(knots, at)
        h = 1e-5
        for k, t in enumerate(knots):
            for side in (-h, h):
                np.testing.assert_allclose(curve(t + side), at[k, 0] + side * at[k, 1], atol=1e-7)
                np.testing.assert_allclose(
                    curve(t + side, 1), at[k, 1] + side * at[k, 2], atol=1e-6
                )


def test_poses_without_a_solution_are_an_error_with_their_time() -> None:
    expansion = CostExpansion(
        cost=0.0,
        gradient=np.zeros((3, 2)),
        diagonal=np.tile(np.eye(2), (3, 1, 1)),
        coupling=np.zeros((2, 2, 2)),
        rows=np.zeros((3, 1, 2)),
        error=np.zeros((3, 1)),
        count=np.zeros(3, int),
    )
    times = np.array([0.4, 0.5, 0.6])
    assert not solve_window_step(expansion, times).any()
    expansion.diagonal[1, 1, 1] = -1.0
    with pytest.raises(PlanningError, match="poses") as caught:
        solve_window_step(expansion, times)
    assert caught.value.time == 0.5
