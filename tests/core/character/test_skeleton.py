"""A skeleton transforms as a whole, and its digest depends on all of its content."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import fields, replace

import numpy as np
import pytest
from footfall.core.character.recognition.skeleton import LowSkin, Skeleton
from footfall.core.geometry import so3


def _make_skeleton() -> Skeleton:
    heads = np.array([[0.0, 0.0, 1.0], [0.1, 0.0, 0.5]])
    return Skeleton(
        ("hips", "leg"),
        (-1, 0),
        heads,
        tails=heads - [0.0, 0.02, 0.4],
        axes=np.array([so3.exp(np.array([0.1, 0.2, 0.3])), np.eye(3)]),
        skin={"leg": np.array([[0.1, -0.1, 0.0], [0.2, 0.1, 0.3]])},
        deform_bones=frozenset({"leg"}),
        parts={"pelvis": "hips"},
        low_skin=LowSkin(np.array([[0.1, -0.1, 0.0]]), {"leg": np.array([1.0])}),
    )


def test_transform_moves_bones_and_all_skin_alike() -> None:
    skeleton = _make_skeleton()
    turn = so3.exp(np.array([0.2, -0.4, 1.1]))
    moved = skeleton.transform(2.0 * turn)
    assert skeleton.low_skin is not None
    assert moved.low_skin is not None
    for before, after in (
        (skeleton.heads, moved.heads),
        (skeleton.tails, moved.tails),
        (skeleton.skin["leg"], moved.skin["leg"]),
        (skeleton.low_skin.points, moved.low_skin.points),
    ):
        np.testing.assert_allclose(after, [2.0 * turn @ point for point in before], atol=1e-12)
    np.testing.assert_allclose(moved.axes, turn @ skeleton.axes, atol=1e-12)


@pytest.mark.parametrize("name", [entry.name for entry in fields(Skeleton)])
def test_digest_depends_on_each_field(name: str) -> None:
    skeleton = _make_skeleton()
    assert skeleton.low_skin is not None
    changed = {
        "names": ("hips", "shin"),
        "parents": (-1, -1),
        "heads": skeleton.heads + [0.0, 1e-9, 0.0],
        "tails": skeleton.tails * 1.001,
        "axes": skeleton.axes[::-1].copy(),
        "skin": {"hips": skeleton.skin["leg"]},
        "deform_bones": frozenset({"hips", "leg"}),
        "parts": {"pelvis": "leg"},
        "separate_bones": frozenset({"leg"}),
        "low_skin": replace(skeleton.low_skin, weights={"leg": np.array([0.5])}),
    }
    digest = skeleton.compute_digest()
    assert deepcopy(skeleton).compute_digest() == digest
    assert replace(skeleton, **{name: changed[name]}).compute_digest() != digest
