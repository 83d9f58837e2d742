"""Built-in bodies of one to eight legs: what they are said to be,
and every derivative by finite differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.character import Character, Foot
from footfall.core.character.from_file.body_file import load_body
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.link import Inertial, Joint
from footfall.core.character.load import BODIES_FOLDER, list_builtins, load_builtin
from footfall.core.character.reach import compute_leg_reaches, leg_end_point, stretch_leg
from footfall.core.character.scaled import scale_character
from footfall.core.errors import CharacterError
from footfall.core.geometry import so3
from scipy.spatial import ConvexHull

# (number of velocities, mass [kg], rows of legs, legs in a row)
DESCRIBED = {
    "luxo": (12, 40.6, 1, 1),
    "humanoid": (32, 69.8, 1, 2),
    "humanoid-frozen-knee": (32, 69.8, 1, 2),
    "humanoid-inverted-knees": (32, 69.8, 1, 2),
    "cassie": (18, 31.0, 1, 2),
    "anymal": (18, 60.0, 2, 2),
    "anymal-large": (18, 300.0, 2, 2),
    "dog": (48, 33.0, 2, 2),
    "horse": (45, 500.0, 2, 2),
    "hexapod": (24, 2.2, 3, 2),
    "spider": (33, 0.11, 4, 2),
}


@pytest.fixture(scope="module", params=sorted(DESCRIBED))
def model(request: pytest.FixtureRequest) -> KinematicModel:
    return KinematicModel(load_builtin(request.param))


def _pose(model: KinematicModel) -> np.ndarray:
    change = np.random.default_rng(0).normal(scale=0.5, size=(1, model.nv))
    return model.integrate(model.neutral[None], change)


def test_bodies_are_those_described(model: KinematicModel) -> None:
    character = model.character
    freedom, mass, rows, abreast = DESCRIBED[character.name]
    assert set(DESCRIBED) == set(list_builtins())
    assert model.nv == freedom
    assert model.link_mass.sum() == pytest.approx(mass, rel=1e-9)
    assert character.mass == pytest.approx(mass)
    assert [len(row) for row in character.rows] == [abreast] * rows
    for row in character.rows:
        assert [character.legs[k].side for k in row] == ([1, -1] if abreast == 2 else [0])
    assert (character.body_length > 0) == (rows > 1)
    assert character.leg_length == character.hip_height > 0


def test_bodies_stand_on_their_feet(model: KinematicModel) -> None:
    """In the neutral pose all soles are on the ground, nothing is below it,
    and the weight is over the feet.
    """
    character = model.character
    placed = model.compute_link_poses(model.neutral[None])
    points = np.concatenate(
        [placed.origin[0, f.link] + np.stack([f.heel, f.ball]) for f in character.feet]
    )
    np.testing.assert_allclose(points[:, 2], -character.root_height, atol=1e-6)
    np.testing.assert_allclose(
        placed.rotation[0], np.tile(np.eye(3), (len(character.links), 1, 1)), atol=1e-12
    )
    assert placed.origin[0, :, 2].min() > -character.root_height
    if character.name == "luxo":  # one sole: along it
        assert points[0, 0] < placed.com[0, 0] < points[1, 0]
    else:
        hull = ConvexHull(points[:, :2])
        assert (hull.equations @ [*placed.com[0, :2], 1.0] < 0).all()


def test_left_and_right_mirror_each_other(model: KinematicModel) -> None:
    placed = model.compute_link_poses(model.neutral[None])
    mirror = np.array([1.0, -1.0, 1.0])
    names = model.character.link_names()
    assert placed.com[0, 1] == pytest.approx(0.0, abs=1e-3 * model.character.hip_height)
    for k, name in enumerate(names):
        if name.endswith(".L"):
            other = names.index(name[:-2] + ".R")
            np.testing.assert_allclose(
                placed.origin[0, k], placed.origin[0, other] * mirror, atol=1e-9
            )
            np.testing.assert_allclose(
                placed.link_com[0, k], placed.link_com[0, other] * mirror, atol=1e-9
            )
            np.testing.assert_allclose(
                model.link_inertia[k],
                model.link_inertia[other] * np.outer(mirror, mirror),
                atol=1e-9,
            )


def test_mirrored_hinges_make_mirrored_poses() -> None:
    """Where the axes are kept the angles change sign,
    where they are mirrored they stay; ranges follow.
    """
    character = load_builtin("hexapod")
    model = KinematicModel(character)
    pose = model.neutral.copy()
    mirror = np.diag([1.0, -1.0, 1.0])
    for leg in character.legs:
        for number in leg.links:
            link = character.links[number]
            for q, axis, (low, high) in zip(
                model.joint_coordinates(link.joint.name),
                link.joint.axes,
                link.joint.ranges,
                strict=True,
            ):
                kept = axis[1] == 0
                left = high if leg.side < 0 and not kept else -low if leg.side < 0 else high
                pose[q] = (0.3 * left) * (-1 if leg.side < 0 and kept else 1)
    placed = model.compute_link_poses(pose[None])
    names = character.link_names()
    for k, name in enumerate(names):
        if name.endswith(".L"):
            other = names.index(name[:-2] + ".R")
            np.testing.assert_allclose(
                placed.origin[0, k], mirror @ placed.origin[0, other], atol=1e-4
            )
            np.testing.assert_allclose(
                placed.rotation[0, k], mirror @ placed.rotation[0, other] @ mirror, atol=1e-3
            )


def test_jacobians_by_finite_differences(model: KinematicModel) -> None:
    pose = _pose(model)
    size = model.character.hip_height
    c = model.compute_centroidal_dynamics(pose)
    h = 1e-6
    feet = [foot.link for foot in model.character.feet]
    for k in range(model.nv):
        d = np.zeros((1, model.nv))
        d[0, k] = h
        up = model.compute_link_poses(model.integrate(pose, d))
        down = model.compute_link_poses(model.integrate(pose, -d))
        np.testing.assert_allclose(
            c.com_jacobian[0, :, k], (up.com - down.com)[0] / (2 * h), atol=1e-7 * max(size, 1)
        )
        np.testing.assert_allclose(
            c.foot_jacobian[0, :, :3, k],
            (up.origin - down.origin)[0, feet] / (2 * h),
            atol=1e-7 * max(size, 1),
        )
        turn = so3.log(up.rotation[0, feet] @ np.swapaxes(down.rotation[0, feet], 1, 2)) / (2 * h)
        np.testing.assert_allclose(c.foot_jacobian[0, :, 3:, k], turn, atol=1e-7)


def test_angular_momentum_is_the_sum_over_links(model: KinematicModel) -> None:
    pose = _pose(model)
    h = 1e-5
    velocity = np.random.default_rng(2).normal(size=model.nv)
    before, after = (
        model.compute_link_poses(model.integrate(pose, s * h * velocity[None])) for s in (-1, 1)
    )
    c = model.compute_centroidal_dynamics(pose)
    arm = 0.5 * (before.link_com + after.link_com)[0] - c.com[0]
    speed = (after.link_com - before.link_com)[0] / (2 * h)
    rotation = model.compute_link_poses(pose).rotation[0]
    spin = so3.log(after.rotation[0] @ np.swapaxes(before.rotation[0], 1, 2)) / (2 * h)
    inertia = rotation @ model.link_inertia @ np.swapaxes(rotation, 1, 2)
    parts = (inertia @ spin[..., None])[..., 0] + model.link_mass[:, None] * np.cross(arm, speed)
    np.testing.assert_allclose(
        c.angular_map[0] @ velocity, parts.sum(0), atol=1e-6 * np.abs(parts).sum()
    )


def test_given_masses_are_kept() -> None:
    horse = KinematicModel(load_builtin("horse"))
    shares = dict(zip(horse.character.link_names(), horse.link_mass / 500.0, strict=True))
    assert shares["head"] == pytest.approx(0.044)
    assert shares["thigh.L"] == pytest.approx(0.069)
    assert shares["pelvis"] + shares["loin"] + shares["chest"] == pytest.approx(0.595, abs=0.005)
    luxo = KinematicModel(load_builtin("luxo"))
    assert luxo.link_mass[0] / 40.6 == pytest.approx(2 / 3, abs=1e-3)
    cassie = KinematicModel(load_builtin("cassie"))
    for link, mass, inertia in zip(
        cassie.character.links, cassie.link_mass, cassie.link_inertia, strict=True
    ):
        assert link.inertial is not None
        assert mass == pytest.approx(link.inertial.mass, rel=1e-3)
        # MuJoCo stores principal axes, which are accurate to some digits
        np.testing.assert_allclose(
            inertia, link.inertial.inertia, atol=2e-3 * np.abs(link.inertial.inertia).max()
        )


def test_front_legs_of_animals_bear_more() -> None:
    for name, least, most in (("dog", 0.58, 0.64), ("horse", 0.53, 0.60)):
        character = load_builtin(name)
        com = (
            KinematicModel(character)
            .compute_link_poses(KinematicModel(character).neutral[None])
            .com[0, 0]
        )
        rear, front = (
            character.neutral_foot_positions[list(row), 0].mean() for row in character.rows
        )
        assert least < (com - rear) / (front - rear) < most


def test_reach_is_the_longest_a_leg_can_be(model: KinematicModel) -> None:
    """No pose within the ranges reaches farther, and all legs are bent as
    they stand but people's.
    """
    character = model.character
    rng = np.random.default_rng(1)
    for leg, reach in zip(character.legs, compute_leg_reaches(character), strict=True):
        inner = [character.links[k].joint for k in leg.links[1:]]
        poses = np.tile(model.neutral, (300, 1))
        for joint in inner:
            low, high = np.array(joint.ranges).T
            poses[:, model.joint_coordinates(joint.name)] = rng.uniform(
                low, high, size=(300, len(low))
            )
        placed = model.compute_link_poses(poses)
        last = leg.links[-1]
        held = placed.origin[:, last] + placed.rotation[:, last] @ leg_end_point(character, leg)
        away = np.linalg.norm(held - placed.origin[:, leg.links[0]], axis=1)
        assert away.max() < reach * (1 + 1e-6)
        standing = np.linalg.norm(
            character.neutral_joint_position(last)
            + leg_end_point(character, leg)
            - character.neutral_joint_position(leg.links[0])
        )
        assert (reach / standing > 1.03) != character.name.startswith("humanoid")
        assert reach / standing >= 1 - 1e-9
        assert away.max() > 0.9 * reach
    if character.name == "humanoid":
        np.testing.assert_allclose(compute_leg_reaches(character), 0.85)
        # a straight knee
        np.testing.assert_allclose(
            stretch_leg(character, character.legs[0]).angles[0], 0.0, atol=1e-6
        )


def test_a_round_foot_rests_however_it_is_turned() -> None:
    foot = Foot.from_contact_point(3, np.array([0.1, 0.0, -0.4]), 0.03)
    assert foot.is_point
    np.testing.assert_allclose(foot.sphere_center, [0.1, 0.0, -0.37])
    np.testing.assert_allclose(foot.sole_center, [0.1, 0.0, -0.4])
    assert not load_builtin("humanoid").feet[0].is_point
    assert not load_builtin("luxo").feet[0].is_point
    assert all(f.is_point for f in load_builtin("spider").feet)


def test_a_larger_body_has_the_same_density() -> None:
    small = load_builtin("anymal")
    large = load_builtin("anymal-large")
    times = 5 ** (1 / 3)
    assert large.hip_height == pytest.approx(times * small.hip_height)
    np.testing.assert_allclose(
        compute_leg_reaches(large), times * np.array(compute_leg_reaches(small)), rtol=1e-4
    )
    np.testing.assert_allclose([f.radius for f in large.feet], times * 0.03)
    np.testing.assert_allclose(
        KinematicModel(large).link_inertia,
        5 * times**2 * KinematicModel(small).link_inertia,
        rtol=1e-3,
        atol=1e-6,
    )
    back = scale_character(large, 1 / times, 1 / 5)
    np.testing.assert_allclose(
        back.neutral_foot_positions, small.neutral_foot_positions, atol=1e-12
    )


SIMPLE = """
mass = 2.0
[[link]]
name = "body"
at = [0, 0, 1]
solids = [{ from = [0, 0, 1], to = [0, 0, 1.3], radius = 0.1 }]
[[limb]]
name = "leg"
parent = "body"
foot = { contact = [0, 0.1, 0], radius = 0.02 }
[[limb.link]]
name = "shin"
joint = "hip"
at = [0, 0.1, 1]
hinges = [{ axis = "y", range = [-60, 60] }]
solids = [{ from = [0, 0.1, 1], to = [0, 0.1, 0], radius = 0.05 }]
"""


def test_a_body_is_copied_from_a_few_lines(tmp_path: Path) -> None:
    (tmp_path / "stilts.toml").write_text(SIMPLE)
    character = load_body(tmp_path / "stilts.toml")
    assert (character.name, [leg.name for leg in character.legs], character.hip_height) == (
        "stilts",
        ["leg.L", "leg.R"],
        1.0,
    )
    assert KinematicModel(character).nv == 8


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("mass = 2.0", "", "has no `mass`"),
        ("mass = 2.0", "mass = -1.0", "mass of 'b' is -1"),
        ("mass = 2.0", 'mass = "heavy"', "must be a number"),
        ("mass = 2.0", "mass = nan", "must be a number"),
        ("mass = 2.0", "mass = 2.0\nweight = 3", "`weight`, which means nothing"),
        ("mass = 2.0", "mass = ", "not a body file"),
        ("mass = 2.0", 'like = "b"\nmass = 2.0', "means nothing"),
        ('parent = "body"', 'parent = "trunk"', "'trunk'; the links before it are: body"),
        ('name = "leg"\n', "", "has no `name`"),
        ("radius = 0.02 }", "radius = -1 }", "must not be negative"),
        ("foot = {", "food = {", "has no `foot`"),
        ("contact = [0, 0.1, 0]", "contact = [0, 0.1]", "a list of 3 numbers"),
        ('axis = "y"', 'axis = "w"', "x, y, z or a list"),
        ('axis = "y"', "axis = [0, 0, 0]", "x, y, z or a list"),
        ("range = [-60, 60]", "range = [10, 60]", "must contain 0"),
        ("to = [0, 0.1, 0], radius = 0.05", "to = [0, 0.1, 1], radius = 0.05", "same place"),
        ("radius = 0.05", "radius = 0", "greater than 0"),
        ("radius = 0.1 }]", 'radius = 0.1, kind = "cone" }]', "capsule, ellipsoid"),
        ('name = "shin"', 'name = "body"\nmass = 5', "must be greater"),
        ('name = "shin"', 'name = "shin"\nmass = 0', "positive number"),
        ("solids = [{ from = [0, 0, 1], to", "[link.solids] #", "must be a list of tables"),
        ('name = "leg"', 'name = "leg"\nrow = 1.5', "whole number"),
        ('name = "leg"', 'name = "leg"\nkind = "wing"', "leg or arm"),
        ('name = "leg"', 'name = "leg"\nkind = "arm"', "foot"),
        (
            "[[limb.link]]",
            (
                "[[limb.link]]\ninertial = { mass = 1, centre = [0, 0, 0], inertia = [1, 1, 1, 9, "
                "0, 0] }"
            ),
            "eigenvalues",
        ),
    ],
)
def test_bad_body_files_say_what_is_wrong(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in SIMPLE
    (tmp_path / "b.toml").write_text(SIMPLE.replace(old, new))
    with pytest.raises(CharacterError, match=says):
        load_body(tmp_path / "b.toml")


def test_bodies_that_are_like_others_need_them(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('like = "a"\nmass = 1')
    with pytest.raises(CharacterError, match="like` itself"):
        load_body(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_text('like = "b"\nmass = 1')
    with pytest.raises(CharacterError, match=r"b\.toml cannot be opened"):
        load_body(tmp_path / "a.toml")


def test_a_body_is_another_one_with_other_ranges(tmp_path: Path) -> None:
    (tmp_path / "stilts.toml").write_text(SIMPLE)
    changed = tmp_path / "stiff.toml"
    changed.write_text('like = "stilts"\n[[joint]]\nname = "hip.L"\nhinges = [{ range = [-5, 0] }]')
    template = load_body(tmp_path / "stilts.toml")
    body = load_body(changed)
    assert body.name == "stiff"
    assert body.links[1].joint.ranges == ((pytest.approx(np.radians(-5)), 0.0),)
    assert body.links[2] == template.links[2]
    assert (body.mass, body.hip_height) == (template.mass, template.hip_height)


@pytest.mark.parametrize(
    ("joint", "says"),
    [
        ('name = "knee.L"\nhinges = [{ range = [0, 0] }]', "no joint 'knee.L' .* hip.L, hip.R"),
        ('name = "root"\nhinges = [{ range = [0, 0] }]', "no joint 'root'"),
        ('name = "hip.L"', "has 1 hinges; it cannot have 0 ranges"),
        ('name = "hip.L"\nhinges = [{ range = [5, 9] }]', "must contain 0"),
        ('name = "hip.L"\nhinges = [{ axis = "x", range = [0, 0] }]', "`axis`, which means"),
        ('name = "hip.L"\nrange = [0, 0]', "`range`, which means nothing"),
    ],
)
def test_bad_ranges_say_what_is_wrong(tmp_path: Path, joint: str, says: str) -> None:
    (tmp_path / "stilts.toml").write_text(SIMPLE)
    (tmp_path / "b.toml").write_text(f'like = "stilts"\n[[joint]]\n{joint}')
    with pytest.raises(CharacterError, match=says):
        load_body(tmp_path / "b.toml")


def test_the_shelf_is_listed_when_a_name_is_unknown() -> None:
    assert {path.stem for path in BODIES_FOLDER.glob("*.toml")} == set(DESCRIBED)
    with pytest.raises(
        CharacterError,
        match="anymal, anymal-large, cassie, dog, hexapod, horse, humanoid, "
        "humanoid-frozen-knee, humanoid-inverted-knees, luxo, spider",
    ):
        load_builtin("centipede")


def _changed(k: int, **to: object) -> Character:
    body = load_builtin("humanoid")
    links = list(body.links)
    links[k] = replace(links[k], **to)  # type: ignore[arg-type]
    return replace(body, links=tuple(links))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda: _changed(2, name="chest"), "several links or joints named 'chest'"),
        (
            lambda: _changed(2, joint=Joint("waist", "ball")),
            "several links or joints named 'waist'",
        ),
        (lambda: _changed(1, parent=5), "'chest' of 'humanoid' is out of place"),
        (
            lambda: _changed(0, joint=Joint("root", "ball")),
            "first link must be the root, with a free joint",
        ),
        (
            lambda: _changed(1, shapes=()),
            "'chest' of 'humanoid' has neither solids nor an inertial",
        ),
        (lambda: _changed(1, mass=80.0), "must be greater"),
        (lambda: _changed(1, mass=-1.0), "must be a positive number"),
        (lambda: _changed(1, joint=Joint("waist", "hinges", ((0, 1, 0),))), "1 axes and 0 ranges"),
        (
            lambda: _changed(1, joint=Joint("waist", "ball", ((0, 1, 0),), ((0, 1),))),
            "other joints none",
        ),
        (
            lambda: _changed(1, joint=Joint("waist", "hinges", ((0, 1, 0),), ((0.5, 1),))),
            "ranges from 29 to 57 degrees",
        ),
        (
            lambda: replace(
                load_builtin("dog"),
                limbs=tuple(replace(x, foot=None) for x in load_builtin("dog").limbs),
            ),
            "has no foot",
        ),
        (
            lambda: replace(load_builtin("cassie"), mass=33.0),
            "add up to 31 kg; the total mass of 33 kg must be the same",
        ),
        (lambda: Inertial(-1.0, np.zeros(3), np.eye(3)), "mass is -1.0 kg"),
        (lambda: Inertial(1.0, np.zeros(2), np.eye(3)), r"shape \(2,\)"),
        (lambda: Inertial(1.0, np.zeros(3), np.diag([1.0, 1.0, 0.0])), "positive eigenvalues"),
    ],
)
def test_bodies_that_cannot_be_are_refused(change: Callable[[], object], says: str) -> None:
    with pytest.raises(CharacterError, match=says):
        change()
