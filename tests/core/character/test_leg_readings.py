"""Feet, twist bones and unlike sides: legs are read as they are, or the reading is a doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.recognition.anatomy import Anatomy
from footfall.core.character.recognition.recognize import recognize
from footfall.core.character.recognition.skeleton import Skeleton
from footfall.core.geometry import so3

Point = tuple[float, float, float]
Row = tuple[str, str, Point]  # name, parent, head

TRUNK: list[Row] = [
    ("hips", "", (0, 0, 0.95)),
    ("spine", "hips", (0, 0, 1.1)),
    ("chest", "spine", (0, 0, 1.3)),
    ("head", "chest", (0, 0, 1.55)),
]
ARM: list[Row] = [
    ("upper_arm.L", "chest", (0.16, 0, 1.42)),
    ("forearm.L", "upper_arm.L", (0.45, 0, 1.42)),
    ("hand.L", "forearm.L", (0.7, 0, 1.42)),
]
LEG: list[Row] = [
    ("thigh.L", "hips", (0.09, 0, 0.92)),
    ("shin.L", "thigh.L", (0.09, -0.02, 0.5)),
    ("foot.L", "shin.L", (0.09, 0.01, 0.08)),
    ("toe.L", "foot.L", (0.09, -0.13, 0.02)),
]
# The foot is so high over the ground that its bones look like those of a paw
SHORT_LEG: list[Row] = [
    ("thigh.L", "hips", (0.17, 0, 0.52)),
    ("shin.L", "thigh.L", (0.17, -0.01, 0.3)),
    ("foot.L", "shin.L", (0.17, 0.02, 0.145)),
    ("toe.L", "foot.L", (0.17, -0.1, 0.026)),
]
FOOT_SKIN = np.array([[0, 0.1, -0.14], [0, -0.1, -0.14], [0, 0, 0]])


def _mirror(rows: list[Row]) -> list[Row]:
    return [(n.replace(".L", ".R"), p.replace(".L", ".R"), (-h[0], h[1], h[2])) for n, p, h in rows]


def _skeleton(rows: list[Row], skin: dict[str, np.ndarray] | None = None) -> Skeleton:
    """A skeleton; skin is given relative to the heads of bones."""
    index = {name: k for k, (name, *_) in enumerate(rows)}
    heads = np.array([row[2] for row in rows], float)
    return Skeleton(
        tuple(index),
        tuple(index.get(parent, -1) for _, parent, _ in rows),
        heads,
        tails=heads + [0, 0, 0.01],
        axes=np.tile(np.eye(3), (len(rows), 1, 1)),
        skin={name: heads[index[name]] + points for name, points in (skin or {}).items()},
    )


def _leg_names(skeleton: Skeleton, anatomy: Anatomy) -> list[list[str]]:
    return [[skeleton.names[k] for k in leg.bones] for leg in anatomy.legs]


@pytest.mark.parametrize("is_named", [True, False])
def test_a_heel_on_the_ground_makes_a_foot(is_named: bool) -> None:
    rows = [*TRUNK, *ARM, *_mirror(ARM), *SHORT_LEG, *_mirror(SHORT_LEG)]
    names = {name: name if is_named else f"b{k}" for k, (name, *_) in enumerate(rows)} | {"": ""}
    rows = [(names[n], names[p], h) for n, p, h in rows]
    feet = [names["foot.L"], names["foot.R"]]
    skeleton = _skeleton(rows, dict.fromkeys(feet, FOOT_SKIN))
    anatomy = recognize(skeleton)
    assert [skeleton.names[leg.ankle] for leg in anatomy.legs] == feet
    assert anatomy.is_upright
    paws = _skeleton(rows, {name: FOOT_SKIN + [0, 0, 0.14] for name in feet})
    assert not recognize(paws).is_upright


def test_twist_bones_and_doubles_in_line_are_no_feet() -> None:
    leg = [
        *LEG[:2],
        ("foot_twist.L", "shin.L", (0.09, 0, 0.25)),
        ("foot_talocrural.L", "foot_twist.L", (0.09, 0.01, 0.08)),
        ("foot.L", "foot_talocrural.L", (0.09, 0.01, 0.08)),
        LEG[3],
    ]
    skeleton = _skeleton([*TRUNK, *ARM, *_mirror(ARM), *leg, *_mirror(leg)])
    anatomy = recognize(skeleton)
    for part in anatomy.legs:
        names = [skeleton.names[k].partition(".")[0] for k in part.bones]
        assert names[:2] == ["thigh", "shin"]
        assert "twist" not in names[2]
        assert names[3] == "toe"
        assert np.isclose(skeleton.heads[part.ankle, 2], 0.08)


def test_sides_of_unlike_shape_follow_one_reading() -> None:
    raised = [
        ("thigh.R", "hips", (-0.09, 0, 0.92)),
        ("shin.R", "thigh.R", (-0.09, -0.25, 0.6)),
        ("foot.R", "shin.R", (-0.09, 0.1, 0.4)),
        ("toe.R", "foot.R", (-0.09, 0.0, 0.27)),
    ]
    skeleton = _skeleton([*TRUNK, *ARM, *_mirror(ARM), *LEG, *raised])
    anatomy = recognize(skeleton)
    assert _leg_names(skeleton, anatomy) == [
        [f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe")] for side in "LR"
    ]


def test_sides_with_other_segments_are_a_doubt() -> None:
    split = [
        ("thigh.R", "hips", (-0.09, 0, 0.92)),
        ("shin.R", "thigh.R", (-0.09, -0.2, 0.6)),
        ("hock.R", "shin.R", (-0.09, 0.15, 0.33)),
        ("paw.R", "hock.R", (-0.09, 0.05, 0.06)),
        ("claw.R", "paw.R", (-0.09, -0.05, 0.02)),
    ]
    anatomy = recognize(_skeleton([*TRUNK, *ARM, *_mirror(ARM), *LEG, *split]))
    assert len(anatomy.legs[0].segments) != len(anatomy.legs[1].segments)
    assert all(
        any(f.part == part and not f.is_certain for f in anatomy.findings)
        for part in ("leg.L", "leg.R")
    )


def test_a_sword_in_one_hand_leaves_the_arms_alike() -> None:
    sword = ("sword.R", "hand.R", (-1.4, 0, 1.42))
    skeleton = _skeleton([*TRUNK, *ARM, *_mirror(ARM), sword, *LEG, *_mirror(LEG)])
    arms = recognize(skeleton).arms
    assert [skeleton.names[arm.wrist] for arm in arms] == ["hand.L", "hand.R"]


def _turn(skeleton: Skeleton, degrees: float) -> Skeleton:
    """The skeleton tilted backward."""
    turn = so3.rotation_about("x", np.radians(degrees))
    return replace(skeleton, heads=skeleton.heads @ turn.T, tails=skeleton.tails @ turn.T)


@pytest.mark.parametrize("degrees", [0.0, 8.0, 25.0, -25.0])
def test_a_tilted_body_is_a_doubt(degrees: float) -> None:
    skeleton = _skeleton([*TRUNK, *ARM, *_mirror(ARM), *LEG, *_mirror(LEG)])
    findings = recognize(_turn(skeleton, degrees)).findings
    stances = [f for f in findings if f.part == "stance"]
    assert len(stances) == (abs(degrees) > 20)
    assert all("leans by" in f.reason and not f.is_certain for f in stances)


def test_legs_alone_may_lean() -> None:
    stride = [(n, p, (h[0], h[1] - 0.5 * (0.92 - h[2]), h[2])) for n, p, h in LEG]
    skeleton = _skeleton([*TRUNK, *ARM, *_mirror(ARM), *stride, *_mirror(stride)])
    assert not any(f.part == "stance" for f in recognize(skeleton).findings)
