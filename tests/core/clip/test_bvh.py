"""Reading BVH files: valid files are read, broken ones are refused as a whole with a message."""

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


def test_positions_and_rotations() -> None:
    recording = parse_bvh(BVH)
    assert (recording.frames, recording.joints, recording.parents) == (
        2,
        ("Hips", "Left Leg"),
        (-1, 0),
    )
    assert recording.fps == pytest.approx(40)
    np.testing.assert_allclose(recording.positions[0], [[0, 1, 0], [0, 0, 0]], atol=1e-12)
    # Turned by 90 degrees about z
    np.testing.assert_allclose(
        recording.rotations[0, 1] @ recording.tips[1], [0.5, 0, 0], atol=1e-12
    )
    np.testing.assert_allclose(
        recording.rotations[1, 0] @ [0, 0, 1], [1, 0, 0], atol=1e-12
    )  # about y
    np.testing.assert_allclose(recording.offsets[1], [0, -1, 0])


def test_other_line_ends_and_marks(tmp_path: Path) -> None:
    path = tmp_path / "ходьба.bvh"
    path.write_bytes(("\ufeff" + BVH.replace("\n", "\r\n") + "\r\n\r\n").encode())
    np.testing.assert_array_equal(read_bvh(path).positions, parse_bvh(BVH).positions)
    path.write_bytes(BVH.replace("Left", "Fu\xdf").encode("latin-1"))
    assert read_bvh(path).joints[1] == "Fu\xdf Leg"


DEEP = "HIERARCHY\nROOT a\n{\n" + "JOINT b\n{\n" * 5000


@pytest.mark.parametrize(
    ("text", "message"),
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
def test_broken_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(ClipError, match=message) as raised:
        parse_bvh(text, "clip")
    assert len(str(raised.value)) < 300


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
def test_any_damage_is_refused_or_harmless(changes: list[tuple[int, str]], cut: int) -> None:
    words = list(WORDS)
    for k, odd in changes:
        words[k] = odd
    for text in (" ".join(words), BVH[:cut] + BVH[cut + 7 :]):
        try:
            recording = parse_bvh(text)
        except FootfallError:
            continue
        assert np.isfinite(recording.positions).all()
        assert recording.positions.shape == (recording.frames, len(recording.joints), 3)


@settings(max_examples=100)
@given(st.binary(max_size=300))
def test_any_bytes(raw: bytes) -> None:
    with pytest.raises(FootfallError):
        parse_bvh(raw.decode("latin-1"))
