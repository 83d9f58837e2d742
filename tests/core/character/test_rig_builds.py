"""Rigs of different builds: folding of legs, soles of paws, long feet, stout trunks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.character import is_humanoid
from footfall.core.character.from_rig.rig import rig_from_skeleton
from footfall.core.character.from_rig.round_sole import measure_round_sole
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.recognition.reading_parts import read_anatomy
from footfall.core.character.recognition.skeleton import Skeleton
from footfall.core.geometry import so3

from .test_recognition import DOG, HUMAN, _without


def _moved(skeleton: Skeleton, ends: dict[str, tuple[float, float, float]]) -> Skeleton:
    """The tails of bones of both sides moved, and what is joined to them, m."""
    heads = skeleton.heads.copy()
    tails = skeleton.tails.copy()
    for k, name in enumerate(skeleton.names):
        if (part := name.partition(".")[0]) in ends:
            joined = [
                j
                for j in range(len(heads))
                if np.allclose(heads[j], tails[k]) and skeleton.parents[j] == k
            ]
            tails[k] += ends[part]
            heads[joined] += ends[part]
    return replace(skeleton, heads=heads, tails=tails)


@pytest.mark.parametrize(("behind", "people"), [(0.0, True), (0.03, True), (0.15, False)])
def test_legs_that_rest_with_their_joint_behind_fold_forward(behind: float, people: bool) -> None:
    body = rig_from_skeleton(_moved(HUMAN, {"thigh": (0.0, behind, 0.0)})).character
    low, high = body.links[body.legs[0].links[1]].joint.ranges[0]
    assert is_humanoid(body) == people
    assert (high > -low) == people


@pytest.mark.parametrize(("longer", "people"), [(0.1, True), (0.9, False)])
def test_feet_nearly_as_long_as_their_legs_are_not_rolled_over(longer: float, people: bool) -> None:
    skeleton = _moved(HUMAN, {"foot": (0.0, -longer, 0.0), "toe": (0.0, -longer, 0.0)})
    assert is_humanoid(rig_from_skeleton(skeleton).character) == people


@pytest.mark.parametrize(("steeper", "sole"), [(0.0, True), (-0.08, False)])
def test_bones_that_lie_are_soles_and_those_that_stand_are_points(
    steeper: float, sole: bool
) -> None:
    body = rig_from_skeleton(
        _moved(DOG, {"paw": (0.0, 0.0, steeper), "hand": (0.0, 0.0, steeper)})
    ).character
    assert [not foot.is_point for foot in body.feet] == [sole] * 4


def test_skin_of_a_foot_that_is_all_above_its_ankle_makes_a_sole() -> None:
    ankle = HUMAN.heads[HUMAN.names.index("foot.L")]
    box = np.array([(x, y, z) for x in (-0.04, 0.04) for y in (0.1, 0, -0.2) for z in (0.1, 0.2)])
    skin = {f"foot.{side}": box + ankle * (sign, 1, 1) for side, sign in (("L", 1), ("R", -1))}
    for foot in rig_from_skeleton(replace(HUMAN, skin=skin)).character.feet:
        assert foot.heel[2] < 0
        assert foot.tip[0] - foot.heel[0] > 0.25


def test_a_hoof_that_follows_the_shin_is_the_sole() -> None:
    angle = np.linspace(0, 2 * np.pi, 13)[1:]
    ring = 0.05 * np.stack([np.cos(angle), np.sin(angle), np.zeros(12)], -1)
    shins = {leg.segments[-1]: leg.foot for leg in read_anatomy(DOG).legs}
    skin = {}
    for shin, foot in shins.items():
        assert foot is not None
        ankle = DOG.heads[foot]
        skin[DOG.names[shin]] = np.concatenate([ring + ankle * (1, 1, 0), ring + ankle * (1, 1, 3)])
    for foot in rig_from_skeleton(replace(DOG, skin=skin)).character.feet:
        assert foot.tip[0] == pytest.approx(0.05, abs=1e-6)
        assert foot.heel[0] < -0.03
        assert foot.heel[2] < 0


def test_feet_of_round_skin_roll_on_it() -> None:
    """A pad tilts with its leg; on a single point it would sink by its edges."""
    rng = np.random.default_rng(0)
    ball = rng.normal(size=(2000, 3))
    ball *= 0.05 / np.linalg.norm(ball, axis=1, keepdims=True)
    fitted = measure_round_sole(ball, max_radius=0.2)
    assert fitted.radius == pytest.approx(0.05, abs=2e-3)
    assert np.allclose(fitted.contact, [0.0, 0.0, -0.05], atol=2e-3)
    angle = np.linspace(0, 2 * np.pi, 40)
    pad = np.stack([0.03 * np.cos(angle), 0.03 * np.sin(angle), np.zeros(40)], -1)
    fitted = measure_round_sole(pad, max_radius=0.2)
    center = fitted.contact + [0.0, 0.0, fitted.radius]
    tilts = so3.rotation_about("y", np.radians([0.0, 15.0, 30.0, 40.0]))
    depth = (tilts @ center)[:, 2] - fitted.radius - (tilts @ pad.T)[:, 2].min(1)
    assert np.abs(depth).max() < 0.2 * 0.03 * np.sin(np.radians(40))
    limited = measure_round_sole(pad, max_radius=0.01)
    assert limited.radius == 0.01
    legs = {name: 0.3 * ball + DOG.tails[DOG.names.index(name)] for name in ("paw.L", "paw.R")}
    feet = rig_from_skeleton(replace(DOG, skin=legs)).character.feet
    assert sorted(round(foot.radius, 3) for foot in feet) == [0.0, 0.0, 0.015, 0.015]


def test_a_stout_trunk_weighs_where_its_skin_is() -> None:
    skin = {
        "chest": np.array([(x, y, z) for x in (-0.8, 0.8) for y in (-0.8, 0.8) for z in (1.2, 2.4)])
    }
    inertia = []
    for skeleton in (HUMAN, replace(HUMAN, skin=skin)):
        model = KinematicModel(rig_from_skeleton(skeleton).character)
        inertia.append(
            model.compute_centroidal_dynamics(model.neutral[None]).inertia[0][1, 1]
            / model.character.mass
        )
    assert inertia[1] > 1.5 * inertia[0]


def test_the_solid_of_a_thigh_is_within_its_skin() -> None:
    """Skin 6 cm from the bone of a dog's thigh has a solid inside, which fills most of it."""
    bone = DOG.names.index("thigh.L")
    angle, along = np.meshgrid(np.linspace(0, 2 * np.pi, 16), np.linspace(0.1, 0.9, 9))
    ring = 0.06 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], -1).reshape(-1, 3)
    middle = DOG.heads[bone] + along.reshape(-1, 1) * (DOG.tails[bone] - DOG.heads[bone])
    body = rig_from_skeleton(replace(DOG, skin={"thigh.L": middle + ring})).character
    (shape,) = body.links[body.legs[0].links[0]].shapes
    assert 0.03 < shape.radii[0] < 0.06


def test_foot_of_a_leg_without_a_knee_moves_with_the_leg() -> None:
    kneeless = _without(HUMAN, "shin.L", "shin.R", "toe.L", "toe.R")
    parents = list(kneeless.parents)
    for side in ("L", "R"):
        parents[kneeless.names.index(f"foot.{side}")] = kneeless.names.index(f"thigh.{side}")
    rig = rig_from_skeleton(replace(kneeless, parents=tuple(parents)))
    assert rig.anatomy.legs[0].foot == kneeless.names.index("foot.L")
    assert "thigh.L" in rig.binding.head_offsets
    assert not {"foot.L", "foot.R"} & set(rig.binding.bones)


def _hanging_angle(skeleton: Skeleton) -> float:
    """Return the angle of the left upper arm from the vertical in the neutral pose [deg]."""
    links = rig_from_skeleton(skeleton).character.links
    x, y, z = next(link.offset for link in links if link.name == "forearm.L")
    return float(np.degrees(np.arctan2(np.hypot(x, y), -z)))


@pytest.mark.parametrize(("half_width", "low", "high"), [(0.17, 0.0, 2.0), (0.4, 20.0, 36.0)])
def test_arms_hang_beside_the_skin_of_a_round_body(
    half_width: float, low: float, high: float
) -> None:
    angle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    belly = np.concatenate(
        [
            np.stack([half_width * np.cos(angle), half_width * np.sin(angle), 0 * angle + z], -1)
            for z in np.linspace(0.75, 1.1, 15)
        ]
    )
    cloak = np.array([(x, 0.6, z) for x in (-0.7, 0.0, 0.7) for z in np.linspace(0.6, 1.2, 9)])
    arm = np.array([(0.5, y, z) for y in (-0.04, 0.04) for z in (1.38, 1.46)])
    skin = {"hips": belly, "spine": cloak, "forearm.L": arm}
    assert low <= _hanging_angle(replace(HUMAN, skin=skin)) <= high


def test_arms_that_begin_in_the_middle_have_collarbones() -> None:
    names = {"upper_arm": "a", "forearm": "b", "hand": "c", "shoulder": "d"}
    heads = HUMAN.heads.copy()
    for k, name in enumerate(HUMAN.names):
        if name.startswith("shoulder"):
            heads[k, 0] = 0.0
    unnamed = replace(
        HUMAN,
        heads=heads,
        names=tuple(
            names.get(name.partition(".")[0], name.partition(".")[0]) + name[-2:]
            if name.endswith((".L", ".R"))
            else name
            for name in HUMAN.names
        ),
    )
    anatomy = read_anatomy(unnamed)
    assert [unnamed.names[k][0] for k in anatomy.arms[0].bones] == ["a", "b", "c"]


def test_toes_beside_each_other_bend_together() -> None:
    toe, foot = (HUMAN.names.index(name) for name in ("toe.L", "foot.L"))
    rows = [
        (
            f"other{k}.L",
            HUMAN.heads[toe] + [0.02 * k, 0.01, 0],
            HUMAN.tails[toe] + [0.02 * k, 0.02, 0],
        )
        for k in (1, 2)
    ]
    rows.append(
        ("spur.L", HUMAN.heads[foot] + [0, 0.03, -0.05], HUMAN.heads[foot] + [0, 0.05, -0.06])
    )
    more = replace(
        HUMAN,
        names=(*HUMAN.names, *(name for name, *_ in rows)),
        parents=(*HUMAN.parents, *[foot] * len(rows)),
        heads=np.concatenate([HUMAN.heads, [row[1] for row in rows]]),
        tails=np.concatenate([HUMAN.tails, [row[2] for row in rows]]),
        axes=np.concatenate([HUMAN.axes, np.tile(np.eye(3), (len(rows), 1, 1))]),
    )
    bound = rig_from_skeleton(more).binding
    toes = [name for name, leg in zip(bound.bones, bound.toe_leg, strict=True) if leg == 0]
    assert sorted(toes) == ["other1.L", "other2.L", "toe.L"]


def test_toes_without_skin_that_point_into_the_floor_are_set_level() -> None:
    """The template of the VRM add-on walked on the tips of its toes, 85 mm too high."""
    slanted = _moved(HUMAN, {"toe": (0.0, 0.0, -0.07)})
    level = rig_from_skeleton(HUMAN).character.feet[0]
    rig = rig_from_skeleton(slanted)
    foot = rig.character.feet[0]
    assert foot.has_toe
    assert foot.heel[2] == pytest.approx(level.heel[2], abs=1e-6)
    assert foot.tip[0] > level.tip[0] + 0.02
    toe = slanted.names.index("toe.L")
    along = slanted.axes[toe].T @ (slanted.tails[toe] - slanted.heads[toe])
    assert (rig.binding.rotation[rig.binding.bones.index("toe.L")] @ along)[2] == pytest.approx(
        0.0, abs=1e-6
    )
    heads = slanted.heads.copy()
    heads[0, 2] = 0.9  # a root beside the hips shows no floor
    without_floor = rig_from_skeleton(replace(slanted, heads=heads)).character.feet[0]
    assert without_floor.heel[2] == pytest.approx(level.heel[2] - 0.07, abs=1e-6)
