"""Bodies: the built-in one, its masses, and every derivative by finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.character.from_rig.binding import pose_bones
from footfall.core.character.from_rig.rig import rig_from_skeleton
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.character.recognition.skeleton import Skeleton
from footfall.core.errors import CharacterError
from footfall.core.geometry import so3


@pytest.fixture(scope="module")
def model() -> KinematicModel:
    return KinematicModel(load_builtin("humanoid"))


def _poses(model: KinematicModel, count: int, spread: float = 0.5) -> np.ndarray:
    change = np.random.default_rng(0).normal(scale=spread, size=(count, model.nv))
    return model.integrate(np.tile(model.neutral, (count, 1)), change)


def test_humanoid_is_the_one_described(model: KinematicModel) -> None:
    assert model.nv == 32
    assert model.link_mass.sum() == pytest.approx(69.8)
    placed = model.compute_link_poses(model.neutral[None])
    sole = placed.origin[0, model.character.feet[0].link] + model.character.feet[0].ball
    # stature: from the sole to the crown, which is 0.30 m above the neck's joint
    crown = placed.origin[0, model.character.head][2] + 0.30
    assert crown - sole[2] == pytest.approx(1.75, abs=0.02)


def test_difference_undoes_integrate(model: KinematicModel) -> None:
    start = _poses(model, 5)
    change = np.random.default_rng(1).normal(scale=0.4, size=(5, model.nv))
    np.testing.assert_allclose(
        model.difference(start, model.integrate(start, change)), change, atol=1e-9
    )


def test_difference_blocks_by_finite_differences(model: KinematicModel) -> None:
    start = _poses(model, 2)
    end = _poses(model, 4, 0.3)[2:]
    jacobian = np.zeros((2, model.nv, model.nv))
    model.add_blocks(
        jacobian, model.difference_jacobian_blocks(model.difference(start, end)), np.ones(model.nv)
    )
    h = 1e-6
    for k in range(model.nv):
        d = np.zeros((2, model.nv))
        d[:, k] = h
        slope = (
            model.difference(start, model.integrate(end, d))
            - model.difference(start, model.integrate(end, -d))
        ) / (2 * h)
        np.testing.assert_allclose(jacobian[..., k], slope, atol=1e-5)


def test_centroidal_jacobians_by_finite_differences(model: KinematicModel) -> None:
    pose = _poses(model, 1)
    c = model.compute_centroidal_dynamics(pose)
    h = 1e-6
    foot = model.character.feet[0].link
    for k in range(model.nv):
        d = np.zeros((1, model.nv))
        d[0, k] = h
        up = model.compute_link_poses(model.integrate(pose, d))
        down = model.compute_link_poses(model.integrate(pose, -d))
        np.testing.assert_allclose(
            c.com_jacobian[0, :, k], (up.com - down.com)[0] / (2 * h), atol=1e-7
        )
        np.testing.assert_allclose(
            c.foot_jacobian[0, 0, :3, k], (up.origin - down.origin)[0, foot] / (2 * h), atol=1e-7
        )
        turn = so3.log(up.rotation[0, foot] @ down.rotation[0, foot].T) / (2 * h)
        np.testing.assert_allclose(c.foot_jacobian[0, 0, 3:, k], turn, atol=1e-7)


def test_angular_momentum_map_is_the_sum_over_links(model: KinematicModel) -> None:
    pose = _poses(model, 1)
    velocity = np.random.default_rng(2).normal(size=model.nv)
    h = 1e-5
    before, after = (
        model.compute_link_poses(model.integrate(pose, s * h * velocity[None])) for s in (-1, 1)
    )
    c = model.compute_centroidal_dynamics(pose)
    arm = 0.5 * (before.link_com + after.link_com)[0] - c.com[0]
    speed = (after.link_com - before.link_com)[0] / (2 * h)
    rotation = model.compute_link_poses(pose).rotation[0]
    spin = so3.log(after.rotation[0] @ np.swapaxes(before.rotation[0], 1, 2)) / (2 * h)
    inertia = rotation @ model.link_inertia @ np.swapaxes(rotation, 1, 2)
    total = (inertia @ spin[..., None])[..., 0].sum(0) + (
        model.link_mass[:, None] * np.cross(arm, speed)
    ).sum(0)
    np.testing.assert_allclose(c.angular_map[0] @ velocity, total, atol=1e-5)


def _stick_figure(scale: float = 1.0, turn: float = 0.0) -> Skeleton:
    """A T-posed figure whose names say nothing; looks along -y before it is turned."""
    rows = [
        ("a", -1, (0, 0, 0.95), (0, 0, 1.1)),
        ("b", 0, (0, 0, 1.1), (0, 0, 1.3)),
        ("c", 1, (0, 0, 1.3), (0, 0, 1.45)),
        ("d", 2, (0, 0, 1.45), (0, 0, 1.7)),
    ]
    for k, x in (("e", 1), ("f", -1)):
        n = len(rows)
        rows += [
            (k + "1", 0, (0.09 * x, 0, 0.92), (0.09 * x, -0.01, 0.5)),
            (k + "2", n, (0.09 * x, -0.01, 0.5), (0.09 * x, 0, 0.08)),
            (k + "3", n + 1, (0.09 * x, 0, 0.08), (0.09 * x, -0.13, 0.02)),
            (k + "4", n + 2, (0.09 * x, -0.13, 0.02), (0.09 * x, -0.2, 0.02)),
        ]
    for k, x in (("g", 1), ("h", -1)):
        n = len(rows)
        rows += [
            (k + "1", 2, (0.16 * x, 0, 1.42), (0.45 * x, 0, 1.42)),
            (k + "2", n, (0.45 * x, 0, 1.42), (0.7 * x, 0, 1.42)),
            (k + "3", n + 1, (0.7 * x, 0, 1.42), (0.85 * x, 0, 1.42)),
        ]
    names, parents, heads, tails = zip(*rows, strict=True)
    spin = so3.rotation_about("z", turn)
    heads, tails = (scale * np.array(x, float) @ spin.T for x in (heads, tails))
    axes = np.tile(so3.exp([0.3, 0.2, 0.1]), (len(names), 1, 1))
    return Skeleton(tuple(names), tuple(parents), heads, tails, axes)


@pytest.mark.parametrize(("scale", "turn"), [(1.0, 0.0), (0.01, 1.0), (50.0, -2.5)])
def test_structure_alone_determines_the_limbs(scale: float, turn: float) -> None:
    rig = rig_from_skeleton(_stick_figure(scale, turn))
    names = _stick_figure().names
    left, right = rig.anatomy.legs
    assert [names[k] for k in (left.hip, left.knee, left.ankle, left.toe)] == [
        "e1",
        "e2",
        "e3",
        "e4",
    ]
    assert [names[k] for k in (right.hip, right.knee, right.ankle, right.toe)] == [
        "f1",
        "f2",
        "f3",
        "f4",
    ]
    assert [names[arm.shoulder] for arm in rig.anatomy.arms] == ["g1", "h1"]
    assert rig.character.leg_length == pytest.approx(0.9 * scale, rel=0.05)


def test_bones_at_rest_come_back_from_the_rest_pose() -> None:
    """In the neutral pose trunk, feet and toes are as at rest, but for the heading:
    the body looks along x.
    """
    skeleton = _stick_figure(1.0, 0.7)
    rig = rig_from_skeleton(skeleton)
    model = KinematicModel(rig.character)
    placed = model.compute_link_poses(model.neutral[None])
    foot = [placed.rotation[0, f.link] for f in rig.character.feet]
    turned = so3.quat_from_matrix(placed.rotation)
    poses = pose_bones(
        rig.binding, placed.origin, turned, so3.quat_from_matrix(np.stack(foot))[None]
    )
    toes = {
        name: leg for name, leg in zip(poses.names, rig.binding.toe_leg, strict=True) if leg >= 0
    }
    assert toes == {"e4": 0, "f4": 1}  # each leg rotates separately
    assert poses.names[0] == "a"
    ahead = so3.rotation_about("z", -(0.7 - np.pi / 2))
    for name in ("a", "b", "c", "d", "e3", "f3", "e4", "f4"):
        axes = so3.quat_to_matrix(poses.orientation[0, poses.names.index(name)])
        np.testing.assert_allclose(
            axes, ahead @ skeleton.axes[skeleton.names.index(name)], atol=1e-9
        )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda s: Skeleton((), (), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3, 3))),
            "no bones",
        ),
        (
            lambda s: Skeleton(s.names[:4], s.parents[:4], s.heads[:4], s.tails[:4], s.axes[:4]),
            "no legs",
        ),
        (lambda s: Skeleton(s.names, s.parents, s.heads * np.nan, s.tails, s.axes), "finite"),
        (lambda s: Skeleton(s.names, s.parents[::-1], s.heads, s.tails, s.axes), "before"),
        (lambda s: Skeleton(s.names, s.parents, s.heads[:-1], s.tails, s.axes), "shape"),
    ],
)
def test_bad_skeletons_say_what_is_wrong(change: object, says: str) -> None:
    with pytest.raises(CharacterError, match=says):
        rig_from_skeleton(change(_stick_figure()))  # type: ignore[operator]


def test_legs_without_length_are_refused() -> None:
    s = _stick_figure()
    heads = s.heads.copy()
    tails = s.tails.copy()
    for k, name in enumerate(s.names):
        if name[0] in "ef":
            heads[k] = tails[k] = heads[s.names.index(name[0] + "1")]
    with pytest.raises(CharacterError, match="legs"):
        rig_from_skeleton(Skeleton(s.names, s.parents, heads, tails, s.axes))


def test_unknown_builtin_names_those_that_are() -> None:
    with pytest.raises(CharacterError, match="humanoid"):
        load_builtin("centipede")
