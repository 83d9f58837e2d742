"""Bones with skin that hang on no limb: feet that a rig moves separately, and props."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.from_rig.rig import rig_from_skeleton
from footfall.core.character.recognition.deform_skeleton import extract_deform_skeleton
from footfall.core.character.recognition.recognize import recognize
from footfall.core.character.recognition.skeleton import Skeleton
from footfall.core.task.skeleton_entry import read_character, skeleton_to_table

Point = tuple[float, float, float]
Row = tuple[str, str, Point, Point]  # name, parent, head, tail


def _skeleton(rows: list[Row], skinned: set[str] | None = None) -> Skeleton:
    """A skeleton with skin around the head of each bone, or of the named ones."""
    index = {name: k for k, (name, *_) in enumerate(rows)}
    heads, tails = (np.array([row[k] for row in rows], float) for k in (2, 3))
    around = 0.02 * np.concatenate([np.eye(3), -np.eye(3)])
    return Skeleton(
        tuple(index),
        tuple(index.get(parent, -1) for _, parent, *_ in rows),
        heads,
        tails=tails,
        axes=np.tile(np.eye(3), (len(rows), 1, 1)),
        skin={name: heads[k] + around for name, k in index.items() if name in (skinned or index)},
    )


def _both(rows: list[Row]) -> list[Row]:
    """Bones of the left side, whose names and parents may end in .L, and their mirror images."""
    return [
        *rows,
        *(
            (n.replace(".L", ".R"), p.replace(".L", ".R"), (-h[0], *h[1:]), (-t[0], *t[1:]))
            for n, p, h, t in rows
        ),
    ]


HUMAN: list[Row] = [
    ("root", "", (0, 0, 0), (0, 0, 0.1)),
    ("hips", "root", (0, 0, 0.95), (0, 0, 1.1)),
    ("spine", "hips", (0, 0, 1.1), (0, 0, 1.3)),
    ("chest", "spine", (0, 0, 1.3), (0, 0, 1.45)),
    ("head", "chest", (0, 0, 1.55), (0, 0, 1.75)),
    *_both(
        [
            ("thigh.L", "hips", (0.09, 0, 0.92), (0.09, -0.01, 0.5)),
            ("shin.L", "thigh.L", (0.09, -0.01, 0.5), (0.09, 0.01, 0.08)),
            ("foot.L", "shin.L", (0.09, 0.01, 0.08), (0.09, -0.13, 0.02)),
            ("upper_arm.L", "chest", (0.16, 0, 1.42), (0.45, 0, 1.42)),
            ("forearm.L", "upper_arm.L", (0.45, 0, 1.42), (0.7, 0, 1.42)),
            ("hand.L", "forearm.L", (0.7, 0, 1.42), (0.8, 0, 1.42)),
        ]
    ),
]
SPIDER: list[Row] = [
    ("root", "", (0, 0, 0), (0, 0, 0.1)),
    ("body", "root", (0, 0, 0.7), (0, 0, 0.8)),
    ("head", "body", (0, -0.5, 0.7), (0, -0.8, 0.7)),
    *_both(
        [
            row
            for k, y in enumerate((0.4, 0.15, -0.15, -0.4))
            for row in (
                (f"leg{k}.L", "body", (0.4, y, 0.65), (1.0, 2 * y, 1.3)),
                (f"leg{k}_middle.L", f"leg{k}.L", (1.0, 2 * y, 1.3), (1.7, 3.5 * y, 0.8)),
                (f"leg{k}_low.L", f"leg{k}_middle.L", (1.7, 3.5 * y, 0.8), (1.8, 3.6 * y, 0.6)),
                (f"end{k}.L", "root", (2.0, 4 * y, 0.02), (2.0, 4 * y, 0)),
            )
        ]
    ),
]


def test_a_prop_follows_the_hand_that_holds_it() -> None:
    sword: Row = ("sword", "root", (0.78, 0, 1.42), (0.78, -0.8, 1.42))
    rig = rig_from_skeleton(_skeleton([*HUMAN, sword]))
    assert rig.binding.loose_bones == {"sword"}
    assert rig.binding.parent_bones["sword"] == "forearm.L"
    assert rig.binding.bones[-1] == "sword"
    link = rig.binding.link_index[-1]
    assert rig.character.links[link].name == "forearm.L"
    assert np.isclose(np.linalg.norm(rig.binding.head_offsets["sword"]), 0.78 - 0.45)
    assert any("moved along with 'forearm.L': sword" in note for note in rig.character.notes)


def test_controls_without_skin_do_not_move_along() -> None:
    target: Row = ("aim", "root", (0.78, 0, 1.42), (0.78, -0.8, 1.42))
    rig = rig_from_skeleton(_skeleton([*HUMAN, target], {name for name, *_ in HUMAN} - {"root"}))
    assert not rig.binding.loose_bones
    assert not any("stays behind" in note for note in rig.character.notes)


def test_skin_of_the_root_is_named() -> None:
    rig = rig_from_skeleton(_skeleton(HUMAN))
    assert any("the skin of 'root' stays behind" in note for note in rig.character.notes)


def test_eight_sprawled_legs_with_separate_feet() -> None:
    skeleton = _skeleton(SPIDER, {name for name, *_ in SPIDER} - {"root"})
    anatomy = recognize(skeleton)
    assert len(anatomy.legs) == 8
    assert all(len(leg.segments) == 3 and leg.has_detached_foot for leg in anatomy.legs)
    assert {skeleton.names[leg.ankle] for leg in anatomy.legs} == {
        f"end{k}.{side}" for k in range(4) for side in "LR"
    }
    for leg in anatomy.legs:
        number = skeleton.names[leg.ankle][3]
        assert all(number in skeleton.names[k] for k in leg.segments)
    assert np.allclose(anatomy.forward, [0, -1, 0])
    assert len(rig_from_skeleton(skeleton).character.feet) == 8


def test_only_the_nearest_foot_belongs_to_a_leg() -> None:
    stray: Row = ("box.L", "root", (3.0, 2.0, 0.02), (3.0, 2.0, 0.1))
    skeleton = _skeleton(
        [*HUMAN, *_both([stray])], {name for name, *_ in HUMAN} - {"root"} | {"box.L", "box.R"}
    )
    anatomy = recognize(skeleton)
    assert [skeleton.names[leg.ankle] for leg in anatomy.legs] == ["foot.L", "foot.R"]
    assert anatomy.row_count == 1


def test_limbs_without_a_parent_belong_to_the_body() -> None:
    rows: list[Row] = [
        (name, "" if parent in ("hips", "root") or name == "hips" else parent, head, tail)
        for name, parent, head, tail in HUMAN
        if name not in ("root", "hips")
    ]
    skeleton = _skeleton(rows)
    rig = rig_from_skeleton(skeleton)
    assert [skeleton.names[leg.ankle] for leg in rig.anatomy.legs] == ["foot.L", "foot.R"]
    assert len(rig.anatomy.arms) == 2
    assert skeleton.names[rig.anatomy.root] == "spine"
    assert set(rig.binding.head_offsets) == {"thigh.L", "thigh.R"}
    for name in ("thigh.L", "thigh.R"):
        assert np.allclose(rig.binding.head_offsets[name], 0, atol=1e-6)
    assert not rig.binding.loose_bones


def test_the_planning_process_reads_the_same_feet_from_the_deform_bones() -> None:
    """Legs of one bone whose feet the rig moves separately have ankles; other such legs do not."""
    rows = [
        (name, "root" if name.startswith("foot") else parent, head, tail)
        for name, parent, head, tail in HUMAN
        if not name.startswith("shin")
    ]
    rig_bones = _skeleton(rows, {name for name, *_ in rows} - {"root"})
    sent = read_character(skeleton_to_table(extract_deform_skeleton(rig_bones).skeleton))
    assert isinstance(sent, Skeleton)
    rig, planned = rig_from_skeleton(rig_bones), rig_from_skeleton(sent)
    assert all(leg.has_detached_foot for leg in rig.anatomy.legs)
    assert planned.character.leg_length == pytest.approx(rig.character.leg_length)
    assert planned.character.notes == rig.character.notes
    assert set(planned.binding.head_offsets) == {"foot.L", "foot.R"}
    assert planned.binding.loose_bones == rig.binding.loose_bones == frozenset()


def _detach_feet(foot: str) -> list[Row]:
    """Return the rows of a person whose feet hang on the root, under another name."""
    return [
        (name.replace("foot", foot), "root" if name.startswith("foot") else parent, head, tail)
        for name, parent, head, tail in HUMAN
    ]


@pytest.mark.parametrize(("foot", "bare"), [("foot", "foot.R"), ("FootIK", "")])
def test_separate_feet_with_little_skin_or_names_of_controls_are_feet(foot: str, bare: str) -> None:
    """Skin of a foot may follow the shin by a little more than the foot."""
    rows = _detach_feet(foot)
    skeleton = _skeleton(rows, {name for name, *_ in rows} - {"root", bare})
    anatomy = recognize(skeleton)
    assert [skeleton.names[leg.ankle] for leg in anatomy.legs] == [f"{foot}.L", f"{foot}.R"]
    assert all(leg.has_detached_foot for leg in anatomy.legs)


def test_the_foot_of_a_folded_leg_is_at_its_tail() -> None:
    """The last joint of a hind leg that is folded forward may be nearer to the front foot."""
    rows: list[Row] = [
        ("root", "", (0, 0, 0), (0, 0, 0.3)),
        ("body", "root", (0, 0.6, 0.8), (0, 0, 0.9)),
        ("chest", "body", (0, -0.4, 1.0), (0, -0.6, 1.1)),
        ("head", "chest", (0, -0.8, 1.2), (0, -1.1, 1.2)),
        *_both(
            [
                ("hind_thigh.L", "body", (0.4, 0.5, 0.6), (0.6, 1.2, 0.4)),
                ("hind_shin.L", "hind_thigh.L", (0.6, 1.2, 0.4), (0.7, 0.2, 0.08)),
                ("front_thigh.L", "chest", (0.4, -0.3, 0.9), (0.5, -0.2, 0.5)),
                ("front_shin.L", "front_thigh.L", (0.5, -0.2, 0.5), (0.5, -0.4, 0.08)),
                ("hind_paw.L", "root", (0.7, 0.2, 0.06), (0.7, 0.0, 0.0)),
                ("front_paw.L", "root", (0.5, -0.4, 0.06), (0.5, -0.6, 0.0)),
            ]
        ),
    ]
    skeleton = _skeleton(rows, {name for name, *_ in rows} - {"root"})
    body = extract_deform_skeleton(skeleton).skeleton
    parents = {
        name: body.names[parent] for name, parent in zip(body.names, body.parents, strict=True)
    }
    for side in "LR":
        assert parents[f"hind_paw.{side}"] == f"hind_shin.{side}"
        assert parents[f"front_paw.{side}"] == f"front_shin.{side}"


def test_soles_of_few_large_faces_are_measured() -> None:
    skeleton = _skeleton(HUMAN)
    box = np.array([(x, y, z) for x in (-0.04, 0.04) for y in (-0.15, 0.07) for z in (0.0, 0.05)])
    feet = {f"foot.{side}": box + [x, 0, 0] for side, x in (("L", 0.09), ("R", -0.09))}
    character = rig_from_skeleton(replace(skeleton, skin=skeleton.skin | feet)).character
    for foot in character.feet:
        assert foot.heel[2] == pytest.approx(-0.08, abs=1e-3)
        assert foot.tip[0] - foot.heel[0] == pytest.approx(0.22, abs=0.02)
