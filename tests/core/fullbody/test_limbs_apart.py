"""Parts of the code that keep limbs from passing through each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.capsule import LineSegment, find_nearest_points, make_capsules
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.fullbody.arm_avoidance import separate_arms
from footfall.core.fullbody.foot_path import FootPath, FootSupport
from footfall.core.fullbody.swivel import swivel_path
from footfall.core.geometry import so3
from footfall.core.motion.footstep import Footstep
from footfall.core.sketch.placement.leg_crossing import avoid_other_foot
from footfall.core.sketch.placement.sole import FootTarget

DT = 1 / 60


@pytest.fixture(scope="module")
def model() -> KinematicModel:
    return KinematicModel(load_builtin("humanoid"))


def _depth(model: KinematicModel, poses: np.ndarray, arm: str, part: str) -> np.ndarray:
    """Return the depth of one link's capsules in another's in each pose [m], shape (n,)."""
    names = model.character.link_names()
    placed = model.compute_link_poses(poses)
    shapes = {
        name: [c for c in make_capsules(model.character) if names[c.link] == name]
        for name in (arm, part)
    }
    depth = np.full(len(poses), -np.inf)
    for a in shapes[arm]:
        for b in shapes[part]:
            segments = (
                c.segment_at(placed.origin[:, c.link], placed.rotation[:, c.link]) for c in (a, b)
            )
            distance = find_nearest_points(*segments).distance
            depth = np.maximum(depth, a.radius + b.radius - distance)
    return depth


def _knee_out(model: KinematicModel) -> np.ndarray:
    """Return poses of 1 s in which the left thigh rises outward to the hanging hand, and back."""
    poses = np.tile(model.neutral, (60, 1))
    change = np.zeros((60, model.nv))
    u = np.clip(np.linspace(-2, 2, 60), -1, 1)
    change[:, model.joint_dofs("hip.L")[:2]] = ((1 - u * u) ** 2)[:, None] * np.array([0.6, -0.15])
    return model.integrate(poses, change + _abducted(model, 60, 0.15))


def _abducted(model: KinematicModel, n: int, angle: float) -> np.ndarray:
    """Return the change of n poses that abducts both arms by an angle [rad]."""
    change = np.zeros((n, model.nv))
    change[:, model.joint_dofs("shoulder.L")[0]] = angle
    change[:, model.joint_dofs("shoulder.R")[0]] = -angle
    return change


def test_nearest_points_of_segments() -> None:
    rng = np.random.default_rng(0)
    p, q, r, s = rng.normal(size=(4, 50, 3))
    s[:5] = r[:5] + (q - p)[:5]  # Parallel
    nearest = find_nearest_points(LineSegment(p, q), LineSegment(r, s))
    share = np.linspace(0, 1, 201)[:, None, None]
    every = np.linalg.norm((p + share * (q - p))[:, None] - (r + share * (s - r))[None], axis=-1)
    distance = nearest.distance
    assert (distance <= every.min((0, 1)) + 1e-9).all()
    np.testing.assert_allclose(distance, every.min((0, 1)), atol=0.01)  # Resolution of the sampling


def test_an_arm_avoids_a_knee_that_moves_outward(model: KinematicModel) -> None:
    poses = _knee_out(model)
    before = _depth(model, poses, "forearm.L", "thigh.L")
    styled = model.integrate(np.tile(model.neutral, (60, 1)), _abducted(model, 60, 0.15))
    separated = separate_arms(
        model, model.compute_link_poses(styled), poses, model.compute_link_poses(poses), dt=DT
    )
    change = model.difference(poses, separated)
    assert before.max() > 0.03
    assert _depth(model, separated, "forearm.L", "thigh.L").max() < 0.003
    arm = np.concatenate([model.joint_dofs("shoulder.L"), model.joint_dofs("elbow.L")])
    assert np.abs(np.delete(change, arm, axis=1)).max() < 1e-12  # Nothing else moves.
    assert np.degrees(np.abs(np.diff(change, 2, axis=0))).max() < 0.6  # The change is smooth.
    placed = model.compute_link_poses(separated).origin[
        :, model.character.link_names().index("forearm.L")
    ]
    assert (
        placed[:, 1].min()
        > model.compute_link_poses(poses)
        .origin[:, model.character.link_names().index("forearm.L"), 1]
        .min()
        - 1e-9
    )


def test_arms_without_obstacles_do_not_change(model: KinematicModel) -> None:
    poses = np.tile(model.neutral, (30, 1))
    apart = model.integrate(poses, _abducted(model, 30, 0.3))
    placed = model.compute_link_poses(apart)
    assert separate_arms(model, placed, apart, placed, dt=DT) is apart


@pytest.mark.parametrize(("touch_time", "is_kept"), [(1.0, True), (0.2, False)])
def test_hands_that_the_style_holds_at_the_body_may_touch_it(
    model: KinematicModel, touch_time: float, is_kept: bool
) -> None:
    change = np.zeros((120, model.nv))
    frames = np.abs(np.arange(120) - 60) * DT < 0.5 * touch_time
    change[frames, model.joint_dofs("shoulder.L")[0]] = -0.25
    poses = model.integrate(np.tile(model.neutral, (120, 1)), change + _abducted(model, 120, 0.1))
    placed = model.compute_link_poses(poses)
    assert _depth(model, poses, "forearm.L", "thigh.L").max() > 0.03
    separated = separate_arms(model, placed, poses, placed, dt=DT)
    moved = np.degrees(np.abs(model.difference(poses, separated)).max())
    assert moved < 0.1 if is_kept else moved > 3


def _path(yaw: np.ndarray) -> FootPath:
    """Return a path flat, on the ball, in the air and flat again, a quarter each, with a yaw."""
    n = len(yaw)
    support = np.repeat(
        [FootSupport.FLAT, FootSupport.BALL, FootSupport.SWING, FootSupport.FLAT], n // 4
    )
    turn = so3.rotation_about("z", yaw)
    return FootPath(
        support,
        turn,
        np.zeros((n, 3)),
        turn,
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros(n),
        np.ones(n),
    )


def test_a_foot_follows_the_turn_of_the_body_while_it_is_not_flat(model: KinematicModel) -> None:
    foot = model.character.feet[0]
    heading = np.radians(np.linspace(0, 120, 120))
    path = _path(np.where(np.arange(120) < 90, 0.0, heading[-1]))
    new = swivel_path(path, foot, 1, heading, DT)
    flat = path.support == FootSupport.FLAT
    np.testing.assert_array_equal(new.rotation[flat], path.rotation[flat])
    np.testing.assert_allclose(
        new.origin + new.rotation @ foot.pivot, path.origin + path.rotation @ foot.pivot, atol=1e-12
    )
    behind = np.degrees(heading - so3.yaw_from_matrix(new.rotation))[60:75]  # In the air
    assert behind.max() < 30 < np.degrees(heading)[60:75].min()


def test_a_foot_on_a_straight_path_does_not_swivel(model: KinematicModel) -> None:
    path = _path(np.full(120, np.radians(8)))
    assert swivel_path(path, model.character.feet[0], 1, np.zeros(120), DT) is path


def test_a_footstep_does_not_overlap_the_other_foot() -> None:
    character = load_builtin("humanoid")
    stands = Footstep(
        1,
        0.0,
        0.1,
        0.4,
        0.6,
        np.array([0.17, 0.14, 0.0]),
        so3.rotation_about("z", np.radians(158)),
        False,
    )
    place = np.array([0.08, 0.2])
    target = FootTarget(place, np.radians(70), np.radians(10), 1)
    moved = avoid_other_foot(character, 0, target, stands)
    out = np.array([-np.sin(np.radians(70)), np.cos(np.radians(70))])
    assert 0.05 < (moved - place) @ out < 0.25
    far = replace(stands, position=np.array([1.0, 0.0, 0.0]))
    target = FootTarget(place, 0.0, 0.0, 1)
    np.testing.assert_array_equal(avoid_other_foot(character, 0, target, far), place)
