"""Reading BVH files: what is there is read, what is broken is refused whole and told."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from footfall.core.clip import read_bvh
from footfall.core.clip.recording.bvh import parse_bvh
from footfall.core.errors import ClipError, FootfallError
from hypothesis import given, settings
from hypothesis import strategies as st
from recordings import BVH


def test_places_and_turns() -> None:
    got = parse_bvh(BVH)
    assert (got.frames, got.joints, got.parents) == (2, ("Hips", "Left Leg"), (-1, 0))
    assert got.fps == pytest.approx(40)
    np.testing.assert_allclose(got.positions[0], [[0, 1, 0], [0, 0, 0]], atol=1e-12)
    # turned by 90 degrees about z
    np.testing.assert_allclose(got.rotations[0, 1] @ got.tips[1], [0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(got.rotations[1, 0] @ [0, 0, 1], [1, 0, 0], atol=1e-12)  # about y
    np.testing.assert_allclose(got.offsets[1], [0, -1, 0])


def test_other_line_ends_and_marks(tmp_path: Path) -> None:
    path = tmp_path / "ходьба.bvh"
    path.write_bytes(("\ufeff" + BVH.replace("\n", "\r\n") + "\r\n\r\n").encode())
    np.testing.assert_array_equal(read_bvh(path).positions, parse_bvh(BVH).positions)
    path.write_bytes(BVH.replace("Left", "Fu\xdf").encode("latin-1"))
    assert read_bvh(path).joints[1] == "Fu\xdf Leg"


DEEP = "HIERARCHY\nROOT a\n{\n" + "JOINT b\n{\n" * 5000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "HIERARCHY"),
        ("\0\0\0PK", "HIERARCHY"),
        (BVH.split("MOTION")[0], "no MOTION"),
        (BVH[:60] + "\nMOTION\n", "broken|cut off"),
        (
            BVH.replace("Frames: 2", "Frames: 10000000"),
            "says that it has 10000000 frames and holds 2",
        ),
        (BVH.replace("Frames: 2", "Frames: " + "9" * 5000), "holds 2"),
        (BVH.replace("Frames: 2", "Frames: 1"), "holds 2"),
        (BVH.replace("Frames: 2", "Frames: two"), "how many frames"),
        (BVH.replace("0.025", "0"), "frame time"),
        (BVH.replace("0.025", "nan"), "frame time"),
        (BVH.replace("90 0 0\n2", "90 0\n2"), "Frame 1 .* has 8 numbers; its joints have 9"),
        (BVH.replace("2 1 0", "nan 1 0"), "Frame 2 .* not finite"),
        (BVH.replace("2 1 0", "1e300 1 0"), "Frame 2 .* not finite"),
        (BVH.replace("2 1 0", "two 1 0"), "Frame 2 .* not a number"),
        (BVH.replace("OFFSET 0 -1 0", "OFFSET 0 inf 0"), "finite"),
        (BVH.replace("OFFSET 0 -1 0", "OFFSET 0 -1"), "broken"),
        (BVH.replace("CHANNELS 3", "CHANNELS 300"), "300 channels"),
        (BVH.replace("Xrotation Yrotation\n    End", "Xrotation Wrotation\n    End"), "Wrotation"),
        (BVH.replace("End Site", "End"), "End"),
        (DEEP + "MOTION\n", "more than"),
        (BVH.replace("ROOT Hips", "ROOT Hips }"), "without a brace"),
    ],
)
def test_broken_files_are_refused(text: str, says: str) -> None:
    with pytest.raises(ClipError, match=says) as told:
        parse_bvh(text, "clip")
    assert len(str(told.value)) < 300


def test_missing_and_large_files(tmp_path: Path) -> None:
    with pytest.raises(ClipError, match="cannot be opened"):
        read_bvh(tmp_path / "none.bvh")
    with pytest.raises(ClipError, match="cannot be opened"):
        read_bvh(tmp_path)
    with pytest.raises(ClipError, match="cannot be opened"):
        read_bvh(Path("a\0b.bvh"))
    large = tmp_path / "large.bvh"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(ClipError, match="at most 64 MB"):
        read_bvh(large)


WORDS = re.findall(r"\S+|\n", BVH)
ODD = st.sampled_from(
    [
        "",
        "{",
        "}",
        "nan",
        "-1",
        "1e999",
        "JOINT",
        "End Site",
        "MOTION",
        "CHANNELS",
        "OFFSET",
        "\0",
        "é",
        "ROOT x {",
    ]
)


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.integers(0, len(WORDS) - 1), ODD), min_size=1, max_size=4),
    st.integers(0, len(BVH)),
)
def test_any_damage_is_told_or_harmless(changes: list[tuple[int, str]], cut: int) -> None:
    words = list(WORDS)
    for k, odd in changes:
        words[k] = odd
    for text in (" ".join(words), BVH[:cut] + BVH[cut + 7 :]):
        try:
            got = parse_bvh(text)
        except FootfallError:
            continue
        assert np.isfinite(got.positions).all()
        assert got.positions.shape == (got.frames, len(got.joints), 3)


@settings(max_examples=100)
@given(st.binary(max_size=300))
def test_any_bytes(raw: bytes) -> None:
    with pytest.raises(FootfallError):
        parse_bvh(raw.decode("latin-1"))
