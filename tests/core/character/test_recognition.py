"""Recognition does not depend on the order, names, heading and size of bones; chosen parts are
checked.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.from_rig.binding import pose_bones
from footfall.core.character.from_rig.rig import rig_from_skeleton
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.recognition.anatomy import Anatomy
from footfall.core.character.recognition.mirror import find_mirrored_bone
from footfall.core.character.recognition.parts import (
    describe_part,
    group_of_part,
    list_group_parts,
    mirror_part,
    name_parts,
)
from footfall.core.character.recognition.reading_parts import read_anatomy
from footfall.core.character.recognition.recognize import recognize
from footfall.core.character.recognition.skeleton import Skeleton
from footfall.core.errors import CharacterError
from footfall.core.geometry import so3
from hypothesis import given
from hypothesis import strategies as st

Point = tuple[float, float, float]
Row = tuple[str, str, tuple[float, float, float], tuple[float, float, float]]


def _both(rows: list[Row]) -> list[Row]:
    """Rows of a left limb, whose names end in .L, and its mirror image."""

    def other(name: str) -> str:
        return name.replace(".L", ".R")

    def flip(p: Point) -> Point:
        return -p[0], p[1], p[2]

    return [*rows, *((other(n), other(p), flip(h), flip(t)) for n, p, h, t in rows)]


def _skeleton(rows: list[Row]) -> Skeleton:
    index = {name: k for k, (name, *_) in enumerate(rows)}
    heads, tails = (np.array([row[k] for row in rows], float) for k in (2, 3))
    return Skeleton(
        tuple(index),
        tuple(index.get(parent, -1) for _, parent, *_ in rows),
        heads,
        tails,
        np.tile(np.eye(3), (len(rows), 1, 1)),
    )


HUMAN = _skeleton(
    [
        ("root", "", (0, 0, 0), (0, 0, 0.1)),
        ("hips", "root", (0, 0, 0.95), (0, 0, 1.1)),
        ("spine", "hips", (0, 0, 1.1), (0, 0, 1.3)),
        ("chest", "spine", (0, 0, 1.3), (0, 0, 1.45)),
        ("neck", "chest", (0, 0, 1.45), (0, 0, 1.55)),
        ("head", "neck", (0, 0, 1.55), (0, 0, 1.75)),
        *_both(
            [
                ("thigh.L", "hips", (0.09, 0, 0.92), (0.09, -0.01, 0.5)),
                ("shin.L", "thigh.L", (0.09, -0.01, 0.5), (0.09, 0.01, 0.08)),
                ("foot.L", "shin.L", (0.09, 0.01, 0.08), (0.09, -0.13, 0.02)),
                ("toe.L", "foot.L", (0.09, -0.13, 0.02), (0.09, -0.2, 0.02)),
                ("shoulder.L", "chest", (0.02, 0, 1.4), (0.15, 0, 1.42)),
                ("upper_arm.L", "shoulder.L", (0.16, 0, 1.42), (0.45, 0, 1.42)),
                ("forearm.L", "upper_arm.L", (0.45, 0, 1.42), (0.7, 0, 1.42)),
                ("hand.L", "forearm.L", (0.7, 0, 1.42), (0.8, 0, 1.42)),
                *(
                    (
                        f"finger{k}.L",
                        "hand.L",
                        (0.8, 0.03 * k - 0.03, 1.42),
                        (0.88, 0.03 * k - 0.03, 1.42),
                    )
                    for k in range(3)
                ),
            ]
        ),
    ]
)

DOG = _skeleton(
    [
        ("hips", "", (0, 0.3, 0.55), (0, 0.1, 0.56)),
        ("spine", "hips", (0, 0.1, 0.56), (0, -0.1, 0.56)),
        ("chest", "spine", (0, -0.1, 0.56), (0, -0.3, 0.58)),
        ("neck", "chest", (0, -0.3, 0.6), (0, -0.45, 0.75)),
        ("head", "neck", (0, -0.45, 0.75), (0, -0.65, 0.72)),
        ("tail1", "hips", (0, 0.35, 0.55), (0, 0.5, 0.5)),
        ("tail2", "tail1", (0, 0.5, 0.5), (0, 0.65, 0.4)),
        *_both(
            [
                ("thigh.L", "hips", (0.08, 0.25, 0.5), (0.08, 0.2, 0.33)),
                ("shin.L", "thigh.L", (0.08, 0.2, 0.33), (0.08, 0.35, 0.18)),
                ("hock.L", "shin.L", (0.08, 0.35, 0.18), (0.08, 0.32, 0.04)),
                ("paw.L", "hock.L", (0.08, 0.32, 0.04), (0.08, 0.25, 0.01)),
                ("scapula.L", "chest", (0.03, -0.22, 0.58), (0.08, -0.3, 0.45)),
                ("arm.L", "scapula.L", (0.08, -0.3, 0.44), (0.08, -0.22, 0.3)),
                ("forearm.L", "arm.L", (0.08, -0.22, 0.3), (0.08, -0.23, 0.06)),
                ("hand.L", "forearm.L", (0.08, -0.23, 0.06), (0.08, -0.3, 0.01)),
            ]
        ),
    ]
)


def _ant(rows: int) -> Skeleton:
    """A long body with that many pairs of legs."""
    spine = [("body0", "", (0, 0, 0.3), (0, 0.3, 0.3))] + [
        (f"body{k}", f"body{k - 1}", (0, 0.3 * k, 0.3), (0, 0.3 * k + 0.3, 0.3))
        for k in range(1, rows)
    ]
    legs: list[Row] = []
    for k in range(rows):
        y = 0.3 * k
        legs += [
            (f"leg{k}_up.L", f"body{k}", (0.08, y, 0.3), (0.3, y, 0.4)),
            (f"leg{k}_low.L", f"leg{k}_up.L", (0.3, y, 0.4), (0.4, y, 0.05)),
            (f"leg{k}_tip.L", f"leg{k}_low.L", (0.4, y, 0.05), (0.42, y, 0.0)),
        ]
    return _skeleton([*spine, *_both(legs)])


def _named(anatomy: Anatomy, skeleton: Skeleton) -> dict[str, str]:
    return name_parts(anatomy, skeleton.names)


def _shuffled(skeleton: Skeleton, seed: int) -> Skeleton:
    """The same bones in another order, parents first."""
    rng = np.random.default_rng(seed)
    order: list[int] = []
    while len(order) < len(skeleton.names):
        ready = [
            k
            for k in range(len(skeleton.names))
            if k not in order and (skeleton.parents[k] < 0 or skeleton.parents[k] in order)
        ]
        order.append(int(rng.choice(ready)))
    place = {k: i for i, k in enumerate(order)}
    return Skeleton(
        tuple(skeleton.names[k] for k in order),
        tuple(place.get(skeleton.parents[k], -1) for k in order),
        skeleton.heads[order],
        skeleton.tails[order],
        skeleton.axes[order],
    )


def _moved(
    skeleton: Skeleton, turn: float, scale: float, shift: tuple[float, float, float]
) -> Skeleton:
    spin = so3.rotation_about("z", turn)
    heads, tails = (
        scale * points @ spin.T + np.array(shift) for points in (skeleton.heads, skeleton.tails)
    )
    return Skeleton(skeleton.names, skeleton.parents, heads, tails, spin @ skeleton.axes)


PLACES = st.tuples(st.floats(-50, 50), st.floats(-50, 50), st.floats(-5, 5))


@pytest.mark.parametrize("skeleton", [HUMAN, DOG], ids=["human", "dog"])
@given(
    seed=st.integers(0, 10**6), turn=st.floats(-np.pi, np.pi), size=st.floats(-2, 2), shift=PLACES
)
def test_order_heading_size_and_place_do_not_matter(
    skeleton: Skeleton, seed: int, turn: float, size: float, shift: tuple[float, float, float]
) -> None:
    expected = recognize(skeleton)
    changed = _moved(_shuffled(skeleton, seed), turn, 10.0**size, shift)
    anatomy = recognize(changed)
    assert _named(anatomy, changed) == _named(expected, skeleton)
    np.testing.assert_allclose(
        anatomy.forward, so3.rotation_about("z", turn) @ expected.forward, atol=1e-6
    )


@pytest.mark.parametrize("skeleton", [HUMAN, DOG], ids=["human", "dog"])
@given(
    seed=st.integers(0, 10**6),
    turn=st.floats(-np.pi, np.pi),
    word=st.sampled_from(["b", "Bone.", "joint", "Object_"]),
)
def test_names_do_not_matter_where_the_shape_is_clear(
    skeleton: Skeleton, seed: int, turn: float, word: str
) -> None:
    expected = recognize(skeleton)
    shuffled = _moved(_shuffled(skeleton, seed), turn, 1.0, (0, 0, 0))
    bare = replace(shuffled, names=tuple(f"{word}{k}" for k in range(len(shuffled.names))))
    named_parts = {
        part: shuffled.names[bare.names.index(bone)]
        for part, bone in _named(recognize(bare), bare).items()
    }
    assert named_parts == _named(expected, skeleton)


def test_a_dog_has_a_hock_behind_and_looks_where_its_head_is() -> None:
    anatomy = recognize(DOG)
    named_parts = _named(anatomy, DOG)
    assert [named_parts[f"hind_{k}.L"] for k in ("thigh", "shin", "hock", "foot")] == [
        "thigh.L",
        "shin.L",
        "hock.L",
        "paw.L",
    ]
    assert [named_parts[f"front_{k}.R"] for k in ("thigh", "shin", "foot")] == [
        "arm.R",
        "forearm.R",
        "hand.R",
    ]
    assert named_parts["pelvis"] == "hips"
    assert (named_parts["neck"], named_parts["head"], named_parts["tail.0"]) == (
        "neck",
        "head",
        "tail1",
    )
    assert anatomy.forward == pytest.approx((0, -1, 0))
    assert [leg.row for leg in anatomy.legs] == [0, 0, 1, 1]
    assert all(f.is_certain for f in anatomy.findings)


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_any_number_of_rows(rows: int) -> None:
    anatomy = recognize(_ant(rows))
    assert len(anatomy.legs) == 2 * rows
    assert [(leg.row, leg.side) for leg in anatomy.legs] == [
        (k, side) for k in range(rows) for side in (1, -1)
    ]
    assert all(len(leg.segments) == 2 and leg.foot is not None for leg in anatomy.legs)


@pytest.mark.parametrize(("skeleton", "legs"), [(DOG, 4), (_ant(3), 6)], ids=["dog", "ant"])
def test_bodies_of_many_legs_become_characters_that_stand_as_they_rest(
    skeleton: Skeleton, legs: int
) -> None:
    rig = rig_from_skeleton(skeleton)
    body = rig.character
    assert len(body.legs) == legs
    assert [leg.row for leg in body.legs] == sorted(leg.row for leg in body.legs)
    assert body.neutral_foot_positions[:, 2] == pytest.approx(
        body.neutral_foot_positions[0, 2], abs=0.02 * body.leg_length
    )
    left, right = body.rows[0]
    np.testing.assert_allclose(
        body.hip_positions[left] * [1, -1, 1], body.hip_positions[right], atol=1e-6
    )
    assert body.body_length > 0
    bound = dict(zip(rig.binding.bones, rig.binding.link_index, strict=True))
    for leg in rig.anatomy.legs:
        assert all(skeleton.names[k] in bound for k in leg.segments)


def test_names_that_turn_the_sides_round_are_doubted() -> None:
    swapped = replace(
        DOG,
        names=tuple(
            n.replace(".L", ".X").replace(".R", ".L").replace(".X", ".R") for n in DOG.names
        ),
    )
    anatomy = recognize(swapped)
    assert anatomy.forward == pytest.approx((0, -1, 0))  # feet, head and tail outweigh the names
    assert any(
        f.part == "facing" and "names of left and right" in f.reason for f in anatomy.findings
    )
    legs = [f for f in anatomy.findings if "leg" in f.part]
    assert all(not f.is_certain and "other side" in f.reason for f in legs)


def test_deforming_bones_stand_for_the_controls_that_lie_on_them() -> None:
    """Controls repeat the bones; what deforms hangs on some of them."""
    rows = list(
        zip(HUMAN.names, HUMAN.parents, HUMAN.heads.tolist(), HUMAN.tails.tolist(), strict=True)
    )
    count = len(rows)
    names = [f"CTRL-{n}" for n, *_ in rows] + [f"DEF-{n}" for n, *_ in rows]
    # each deform bone below a separate control
    parents = [p for _, p, *_ in rows] + list(range(count))
    heads, tails = (np.array([row[k] for row in rows] * 2) for k in (2, 3))
    rig = Skeleton(
        tuple(names),
        tuple(parents),
        heads,
        tails,
        np.tile(np.eye(3), (2 * count, 1, 1)),
        deform_bones=frozenset(names[count:]),
    )
    named_parts = _named(recognize(rig), rig)
    assert named_parts == {
        part: f"DEF-{bone}" for part, bone in _named(recognize(HUMAN), HUMAN).items()
    }


@pytest.mark.parametrize("skeleton", [HUMAN, DOG, _ant(3)], ids=["human", "dog", "ant"])
def test_chosen_parts_are_kept(skeleton: Skeleton) -> None:
    anatomy = recognize(skeleton)
    chosen = read_anatomy(replace(skeleton, parts=name_parts(anatomy, skeleton.names)))
    for field in (
        "root",
        "trunk",
        "neck",
        "head",
        "neck_bones",
        "legs",
        "arms",
        "tails",
        "notes",
        "findings",
    ):
        assert getattr(chosen, field) == getattr(anatomy, field), field
    assert np.asarray(chosen.forward) @ anatomy.forward > 0.999


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"shin.L": "forearm.L"}, "one bone can be one part only"),
        ({"shin.L": "shin.R"}, "both sides have the same bone"),
        ({"shin.L": "finger0.L"}, "does not hang below the left thigh 'thigh.L'"),
        ({"thigh.L": "nose"}, "'nose' chosen as left thigh"),
        ({"pelvis": ""}, "no bone for the pelvis"),
        ({"foot.R": ""}, "right toe is chosen but not the right foot"),
        ({"thigh.L": "", "shin.L": "", "foot.L": "", "toe.L": ""}, "no bone for the left thigh"),
        ({"hand.L": ""}, "no bone for the left hand"),
        ({"front_thigh.L": "finger0.L"}, "hind or front"),
    ],
)
def test_wrong_parts_say_what_is_wrong(change: dict[str, str], says: str) -> None:
    parts = name_parts(recognize(HUMAN), HUMAN.names) | change
    with pytest.raises(CharacterError, match=says):
        read_anatomy(replace(HUMAN, parts=parts))


def test_hands_chosen_as_feet_are_a_question() -> None:
    parts = name_parts(recognize(HUMAN), HUMAN.names)
    legs = {
        f"{leg}.{side}": parts[f"{arm}.{side}"]
        for side in "LR"
        for leg, arm in (("thigh", "upper_arm"), ("shin", "forearm"), ("foot", "hand"))
    }
    chosen = {"pelvis": parts["pelvis"], **legs}
    findings = read_anatomy(replace(HUMAN, parts=chosen)).findings
    for side in "LR":
        (finding,) = (f for f in findings if f.part == f"leg.{side}")
        assert finding.question == "legs"
        assert "other parts of the body reach lower" in finding.reason


def _without(skeleton: Skeleton, *removed: str) -> Skeleton:
    kept = [k for k, name in enumerate(skeleton.names) if name not in removed]
    place = {k: i for i, k in enumerate(kept)}
    return Skeleton(
        tuple(skeleton.names[k] for k in kept),
        tuple(place.get(skeleton.parents[k], -1) for k in kept),
        skeleton.heads[kept],
        skeleton.tails[kept],
        skeleton.axes[kept],
    )


def test_legs_without_feet_stand_on_their_ends() -> None:
    heads = HUMAN.heads.copy()
    tails = HUMAN.tails.copy()
    for name in ("shin.L", "shin.R"):
        tails[HUMAN.names.index(name), 2] = 0.02
    bare = _without(replace(HUMAN, heads=heads, tails=tails), "foot.L", "foot.R", "toe.L", "toe.R")
    rig = rig_from_skeleton(bare)
    assert [leg.foot for leg in rig.anatomy.legs] == [None, None]
    assert all(
        not f.is_certain and "no foot" in f.reason for f in rig.anatomy.findings if "leg" in f.part
    )
    assert {"thigh.L", "shin.R"} <= set(rig.binding.bones)
    assert rig.character.leg_length == pytest.approx(0.9, abs=0.05)


def test_a_foot_that_hangs_on_nothing_is_moved_by_itself() -> None:
    parents = tuple(
        -1 if name.startswith("foot") else p
        for name, p in zip(HUMAN.names, HUMAN.parents, strict=True)
    )
    skin = {}
    for name in ("shin.L", "shin.R", "foot.L", "foot.R", "spine", "head"):
        k = HUMAN.names.index(name)
        skin[name] = np.linspace(HUMAN.heads[k], HUMAN.tails[k], 20) + 0.02 * np.random.default_rng(
            0
        ).normal(size=(20, 3))
    loose = replace(HUMAN, parents=parents, skin=skin)
    rig = rig_from_skeleton(loose)
    left = rig.anatomy.legs[0]
    assert [loose.names[k] for k in left.bones] == ["thigh.L", "shin.L", "foot.L", "toe.L"]
    assert left.has_detached_foot
    assert set(rig.binding.head_offsets) == {"foot.L", "foot.R"}
    model = KinematicModel(rig.character)
    placed = model.compute_link_poses(model.neutral[None])
    quats = so3.quat_from_matrix(placed.rotation)
    toes = np.tile([1.0, 0.0, 0.0, 0.0], (1, 2, 1))
    poses = pose_bones(rig.binding, placed.origin, quats, toes)
    ankle = rig.character.feet[0].link
    np.testing.assert_allclose(
        poses.head_positions["foot.L"][0], placed.origin[0, ankle], atol=1e-9
    )


def test_arms_that_would_drag_their_hands_are_held_out() -> None:
    heads = HUMAN.heads.copy()
    tails = HUMAN.tails.copy()
    for k, name in enumerate(HUMAN.names):
        if name.startswith(("forearm", "hand", "finger")):
            heads[k, 0] += 0.7 * np.sign(heads[k, 0])
        if name.startswith(("upper_arm", "forearm", "hand", "finger")):
            tails[k, 0] += 0.7 * np.sign(tails[k, 0])
    rig = rig_from_skeleton(replace(HUMAN, heads=heads, tails=tails))
    for character, held in ((rig.character, True), (rig_from_skeleton(HUMAN).character, False)):
        offset = next(link.offset for link in character.links if link.name == "forearm.L")
        assert (offset[1] > 0.3 * abs(offset[2])) == held
        assert abs(offset[1]) < 1e-9 or held


def test_twins_by_name_and_by_place() -> None:
    assert find_mirrored_bone(HUMAN, "shin.L", ["hips"]) == "shin.R"
    bare = replace(
        _moved(HUMAN, 0.8, 1.0, (3, 1, 0)), names=tuple(f"b{k}" for k in range(len(HUMAN.names)))
    )
    left, right = (f"b{HUMAN.names.index(n)}" for n in ("forearm.L", "forearm.R"))
    assert find_mirrored_bone(bare, left, ["b1"]) == right


def test_parts_speak() -> None:
    assert describe_part("hind_thigh.L") == "left hind thigh"
    assert describe_part("row2_foot.R") == "right row 2 foot"
    assert describe_part("spine.0") == "spine 1"
    assert describe_part("front_leg.R") == "right front leg"
    assert [
        group_of_part(p)
        for p in ("hind_hock.L", "hand.R", "spine.2", "pelvis", "neck.1", "tail2.0")
    ] == ["hind_leg.L", "arm.R", "trunk", "trunk", "head", "tail.1"]
    assert mirror_part("front_toe.L") == "front_toe.R"
    assert mirror_part("pelvis") == "pelvis"
    assert list_group_parts("leg.L", {}) == ["thigh.L", "shin.L", "foot.L", "toe.L"]


def _with_swapped_sides(skeleton: Skeleton) -> Skeleton:
    """The skeleton with the names of left and right swapped."""
    other = {".L": ".R", ".R": ".L"}
    return replace(
        skeleton,
        names=tuple(name[:-2] + other.get(name[-2:], name[-2:]) for name in skeleton.names),
    )


def test_feet_outweigh_names_of_the_wrong_side() -> None:
    skeleton = _with_swapped_sides(HUMAN)
    skin = {
        name: skeleton.heads[skeleton.names.index(name)]
        + np.array([[0, -0.18, -0.07], [0, 0, -0.07]])
        for name in ("foot.L", "foot.R")
    }
    anatomy = recognize(replace(skeleton, skin=skin))
    assert np.allclose(anatomy.forward, [0, -1, 0])
    assert skeleton.names[anatomy.legs[0].hip] == "thigh.R"
    finding = next(f for f in anatomy.findings if f.part == "facing")
    assert not finding.is_certain
    assert "names of left and right" in finding.reason


def test_a_contradiction_between_names_and_toes_is_a_doubt() -> None:
    anatomy = recognize(_with_swapped_sides(HUMAN))
    finding = next(f for f in anatomy.findings if f.part == "facing")
    assert not finding.is_certain
    assert not any(f.part == "facing" for f in recognize(HUMAN).findings)
