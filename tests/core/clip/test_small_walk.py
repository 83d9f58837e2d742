"""The small clip that is made here, a walk of ours as BVH: read, analyzed, and walked as."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import footfall as ff
import numpy as np
import pytest
from footfall.core.clip import analyze_clip_file, find_style, find_upper_body, read_bvh
from footfall.core.clip.recording.bvh import parse_bvh

SPEED = 1.2  # at which the walk was generated, of which curves take some [m/s]
LEG_LENGTH = 0.93  # of the humanoid [m]


@pytest.fixture
def clip(root: Path) -> Path:
    return root / "tests" / "data" / "small" / "walk.bvh"


def test_joints_keep_their_distances_and_feet_the_ground(clip: Path) -> None:
    recording = read_bvh(clip)
    assert recording.frames == 121
    assert recording.fps == pytest.approx(30, rel=1e-3)
    for joint, parent in enumerate(recording.parents):
        if parent >= 0:
            distance = np.linalg.norm(
                recording.positions[:, joint] - recording.positions[:, parent], axis=1
            )
            assert np.ptp(distance) < 1e-6
            assert distance[0] == pytest.approx(np.linalg.norm(recording.offsets[joint]))
    toes = [recording.joints.index(f"toe.{side}") for side in "LR"]
    heights = recording.positions[:, toes, 1]  # y is up [cm]
    assert np.abs(heights.min(1)).max() < 5.0
    head = recording.positions[:, recording.joints.index("head"), 1]
    assert head.min() > 140.0


def test_the_analysis_finds_the_walk(clip: Path) -> None:
    analysis = analyze_clip_file(clip)
    assert analysis.gait == "walk"
    assert analysis.leg_length == pytest.approx(LEG_LENGTH, rel=0.05)
    assert analysis.speed == pytest.approx(SPEED, rel=0.1)
    assert 0.55 < analysis.duty < 0.7
    sides = [contact.side for contact in analysis.contacts]
    assert all(a != b for a, b in pairwise(sides))


@pytest.mark.parametrize("factor", [0.01, 10.0])
def test_the_unit_of_lengths_is_inferred(clip: Path, tmp_path: Path, factor: float) -> None:
    """The same walk in meters and in millimeters."""
    lines = []
    for line in clip.read_text().splitlines():
        words = line.split()
        if words and words[0] == "OFFSET":
            line = "OFFSET " + " ".join(f"{factor * float(w):.6f}" for w in words[1:])
        elif len(words) > 20:
            moved = [f"{factor * float(w):.6f}" for w in words[:3]]
            line = " ".join([*moved, *words[3:]])
        lines.append(line)
    path = tmp_path / "scaled.bvh"
    path.write_text("\n".join(lines))
    whole, scaled = analyze_clip_file(clip), analyze_clip_file(path)
    assert scaled.leg_length == pytest.approx(whole.leg_length, rel=1e-3)
    assert scaled.speed == pytest.approx(whole.speed, rel=1e-3)


def test_a_part_of_the_clip_is_a_clip(clip: Path) -> None:
    head, _, frames = clip.read_text().partition("MOTION\n")
    rows = frames.splitlines()
    part = "\n".join([f"Frames: {len(rows) - 32}", *rows[1:-30]])
    recording = parse_bvh(f"{head}MOTION\n{part}\n")
    assert recording.frames == 91


def test_its_style_has_its_stride_and_is_walked(clip: Path) -> None:
    analysis = analyze_clip_file(clip)
    style = find_style(clip)
    cycle = style.cycle_at(style.preferred_speed)
    assert cycle.duty == pytest.approx(analysis.duty, rel=0.02)
    assert cycle.stride == pytest.approx(analysis.stride_length / analysis.leg_length, rel=0.02)
    assert find_upper_body(clip).sources == style.sources
    task = ff.Task(
        ff.Path([[0, 0], [6, 0]]), ff.SpeedProfile(1.15), style=str(clip), seconds=3, fps=30
    )
    motion = ff.generate(task)
    strikes = sorted(s.strike for s in motion.footsteps if s.leg == 0 and 0 < s.strike < 3)
    assert np.diff(strikes).mean() == pytest.approx(analysis.stride_time, rel=0.1)
    assert ff.measure(motion).drift_m < 1e-3
