"""Analysis of clips: recorded ones against labels set by eye, a generated one turned and scaled."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from footfall.core.clip import GaitAnalysis, Recording, analyze_gait, read_bvh
from footfall.core.clip.recording.contacts import find_feet
from footfall.core.clip.recording.find_actor import find_actor
from footfall.core.clip.recording.treadmill import undo_treadmill
from footfall.core.clip.style.style import CURVES
from footfall.core.errors import ClipError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from recordings import make_recording

EVENTS = ("strike", "flat", "heel_off", "lift")
CLIPS = (
    "cmu_02_01_walk",
    "cmu_07_04_slow_walk",
    "cmu_02_03_run",
    "cmu_12_01_walk",
    "bvhtoolbox_walk01",
    "cmu_03_01_uneven_terrain",
)
UNIT = {"cmu_12_01_walk": 0.05644}
SHORT_CLIP = 1.8  # Duration of a part of the generated walk [s]


@pytest.fixture(scope="module")
def labels(root: Path) -> dict[str, list[dict[str, str]]]:
    out = defaultdict(list)
    lines = [
        line
        for line in (root / "tests/data/contacts.csv").read_text().splitlines()
        if not line.startswith("#")
    ]
    for row in csv.DictReader(lines):
        out[row["clip"]].append(row)
    return out


def _differences(rows: list[dict[str, str]], analysis: GaitAnalysis, fps: float) -> list[float]:
    """Return the error of every labeled event [frames at 60 Hz]."""
    out = []
    for row in rows:
        for event in EVENTS:
            if row[event]:
                detected = [
                    getattr(s, event)
                    for s in analysis.contacts
                    if s.side == "LR".index(row["side"])
                ]
                out.append(60 * min(abs(t - float(row[event]) / fps) for t in detected))
    return out


def test_contacts_agree_with_labels_set_by_eye(
    shared: Path, labels: dict[str, list[dict[str, str]]]
) -> None:
    missed = {}
    for name in CLIPS:
        recording = read_bvh(shared / f"data/bvh/{name}.bvh")
        missed[name] = np.array(_differences(labels[name], analyze_gait(recording), recording.fps))
    every = np.concatenate(list(missed.values()))
    assert len(every) > 120
    assert {name: bool((d < 2.01).mean() >= 0.8) for name, d in missed.items()} == dict.fromkeys(
        CLIPS, True
    )
    assert (every < 2.01).mean() > 0.92
    assert every.max() < 6.01


@pytest.mark.parametrize("name", CLIPS)
def test_cycle_and_speed(shared: Path, labels: dict[str, list[dict[str, str]]], name: str) -> None:
    recording = read_bvh(shared / f"data/bvh/{name}.bvh")
    analysis = analyze_gait(recording)
    strides = []
    for side in "LR":
        strikes = [
            float(row["strike"]) for row in labels[name] if row["side"] == side and row["strike"]
        ]
        strides += pairwise(strikes)
    # The same stride as labeled
    begin, end = min(strides, key=lambda s: abs(s[0] / recording.fps - analysis.begin))
    assert analysis.begin == pytest.approx(begin / recording.fps, abs=0.05)
    assert analysis.stride_time == pytest.approx((end - begin) / recording.fps, rel=0.05)
    thigh = [k for k, joint in enumerate(recording.joints) if joint.endswith(("_Thigh", "UpLeg"))]
    place = recording.positions[:, thigh].mean(1)[:, [0, 2]] * UNIT.get(name, 0.01)
    expected_speed = (
        np.linalg.norm(place[int(end)] - place[int(begin)]) / (end - begin) * recording.fps
    )
    assert analysis.speed == pytest.approx(expected_speed, rel=0.05)
    assert analysis.gait == ("run" if "run" in name else "walk")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cmu_06_06_backward_dribble", "the body moves backward"),
        ("cmu_06_08_sideways_dribble", "the body moves sideways"),
        ("cmu_131_03_hop", "hop"),
        ("cmu_02_04_jump_balance", "both feet come down together, as in a jump"),
        ("bvhpython_mocapbank", "in turn"),
    ],
)
def test_clips_without_a_gait_are_refused(shared: Path, name: str, message: str) -> None:
    with pytest.raises(ClipError, match=message):
        analyze_gait(read_bvh(shared / f"data/bvh/{name}.bvh"))


def test_a_walk_is_recognized_next_to_turns_and_stands(shared: Path) -> None:
    analysis = analyze_gait(read_bvh(shared / "data/bvh/cmu_06_10_turn90_left_dribble.bvh"))
    assert analysis.gait == "walk"
    assert analysis.end < 1.5  # The body turns later.


@pytest.fixture(scope="module")
def walk_clip(walk: Motion) -> Recording:
    return make_recording(walk)


@pytest.fixture(scope="module")
def expected(walk_clip: Recording) -> GaitAnalysis:
    return analyze_gait(walk_clip)


def test_a_generated_walk_is_analyzed(expected: GaitAnalysis, walk: Motion) -> None:
    assert expected.gait == "walk"
    assert expected.leg_length == pytest.approx(0.93, abs=0.01)
    expected_speed = np.diff(walk.com[:, 0]).mean() * walk.fps
    assert expected.speed == pytest.approx(expected_speed, rel=0.03)
    steps = sorted(f.strike for f in walk.footsteps if f.leg == 0 and 0 < f.strike < 3)
    assert expected.stride_time == pytest.approx(np.diff(steps).mean(), rel=0.03)
    for f in walk.footsteps:
        if f.strike > 0.1 and f.lift < 2.9:
            step = min(
                (s for s in expected.contacts if s.side == f.leg),
                key=lambda s: abs(s.time - f.time),
            )
            assert step.strike == pytest.approx(f.strike, abs=0.05)
            assert step.lift == pytest.approx(f.lift, abs=0.07)
    np.testing.assert_allclose(expected.curves[0], expected.curves[1], atol=12)


def _turned(walk_clip: Recording, turn: np.ndarray, scale: float = 1.0) -> Recording:
    return replace(
        walk_clip,
        positions=walk_clip.positions @ turn.T * scale,
        rotations=turn @ walk_clip.rotations,
        offsets=walk_clip.offsets @ turn.T * scale,
    )


@pytest.mark.parametrize(
    ("scale", "unit"),
    [
        (100.0, "cm"),
        (39.37, "inches"),
        (1.0, "m"),
        (17.72, "CMU units"),
        (1000.0, "mm"),
        (0.001, "unknown units"),
    ],
)
def test_any_unit(walk_clip: Recording, expected: GaitAnalysis, scale: float, unit: str) -> None:
    analysis = analyze_gait(_turned(walk_clip, np.eye(3), scale))
    assert any(unit in note for note in analysis.notes)
    assert analysis.speed / np.sqrt(analysis.leg_length) == pytest.approx(
        expected.speed / np.sqrt(expected.leg_length), rel=0.03
    )
    np.testing.assert_allclose(analysis.curves, expected.curves, atol=1.0)


@pytest.mark.parametrize(
    "turn",
    [
        so3.rotation_about("z", 2.0),
        so3.rotation_about("x", -np.pi / 2),
        so3.rotation_about("y", np.pi / 2),
        so3.rotation_about("x", -np.pi / 2) @ so3.rotation_about("z", 1.0),
        so3.rotation_about("x", np.pi),
    ],
)
def test_any_axis_up_and_any_facing(
    walk_clip: Recording, expected: GaitAnalysis, turn: np.ndarray
) -> None:
    analysis = analyze_gait(_turned(walk_clip, turn))
    assert analysis.speed == pytest.approx(expected.speed, rel=0.01)
    np.testing.assert_allclose(analysis.curves, expected.curves, atol=0.5)


def test_bones_that_point_anywhere(walk_clip: Recording, expected: GaitAnalysis) -> None:
    """The orientations of bones in their limbs do not matter."""
    rng = np.random.default_rng(0)
    odd = so3.exp(rng.normal(size=(len(walk_clip.joints), 3)))
    analysis = analyze_gait(replace(walk_clip, rotations=walk_clip.rotations @ odd))
    np.testing.assert_allclose(analysis.curves, expected.curves, atol=0.5)


def test_in_place(walk_clip: Recording, expected: GaitAnalysis) -> None:
    """The speed of a body that stays in place follows from its feet."""
    travel = np.zeros((walk_clip.frames, 1, 3))
    travel[:, 0, 0] = np.linspace(
        0, walk_clip.positions[-1, 0, 0] - walk_clip.positions[0, 0, 0], walk_clip.frames
    )
    analysis = analyze_gait(replace(walk_clip, positions=walk_clip.positions - travel))
    assert any("in place" in note for note in analysis.notes)
    assert analysis.speed == pytest.approx(expected.speed, rel=0.05)
    assert analysis.stride_time == pytest.approx(expected.stride_time, rel=0.03)


def test_t_pose_first(walk_clip: Recording, expected: GaitAnalysis) -> None:
    pose = walk_clip.positions[0].copy()
    for k, name in enumerate(walk_clip.joints):
        if name.startswith(("forearm", "hand")):
            pose[k] += [0, 0.5 if name.endswith("L") else -0.5, 0.4]
    analysis = analyze_gait(
        replace(
            walk_clip,
            positions=np.concatenate([pose[None] - [3.0, 0, 0], walk_clip.positions]),
            rotations=np.concatenate([walk_clip.rotations[:1], walk_clip.rotations]),
        )
    )
    assert any("left out" in note for note in analysis.notes)
    assert analysis.begin == pytest.approx(expected.begin + 1 / walk_clip.fps, abs=1e-6)


def test_a_loop_of_one_stride(walk_clip: Recording, expected: GaitAnalysis) -> None:
    """Clips of games may have the frames of one stride, in which no foot comes down twice."""
    begin = round(expected.begin * walk_clip.fps) + 20
    part = slice(begin, begin + round(expected.stride_time * walk_clip.fps) + 1)
    analysis = analyze_gait(
        replace(walk_clip, positions=walk_clip.positions[part], rotations=walk_clip.rotations[part])
    )
    assert any("loop" in note for note in analysis.notes)
    assert analysis.stride_time == pytest.approx(expected.stride_time, rel=0.03)
    assert analysis.speed == pytest.approx(expected.speed, rel=0.03)
    assert 0 <= analysis.begin < analysis.stride_time + 0.02
    assert np.corrcoef(analysis.curves[0, 0], expected.curves[0, 0])[0, 1] > 0.97


def test_without_arms(walk_clip: Recording) -> None:
    """Legs have the same curves without arms where both choose the same stride.

    Arms take part in the choice, and strides of this walk are alike: of the whole clip another one
    would be chosen.
    """
    frames = slice(0, round(SHORT_CLIP * walk_clip.fps))
    clip = replace(
        walk_clip, positions=walk_clip.positions[frames], rotations=walk_clip.rotations[frames]
    )
    kept = [
        k
        for k, name in enumerate(clip.joints)
        if not name.startswith(("upper_arm", "forearm", "hand"))
    ]
    new = {k: i for i, k in enumerate(kept)}
    analysis = analyze_gait(
        replace(
            clip,
            joints=tuple(clip.joints[k] for k in kept),
            offsets=clip.offsets[kept],
            parents=tuple(new.get(clip.parents[k], -1) for k in kept),
            positions=clip.positions[:, kept],
            rotations=clip.rotations[:, kept],
        )
    )
    expected = analyze_gait(clip)
    assert np.isnan(analysis.curves[:, CURVES.index("arm")]).all()
    assert analysis.begin == expected.begin
    np.testing.assert_allclose(analysis.curves[:, :3], expected.curves[:, :3], atol=1e-6)


def test_coarse_frames(walk_clip: Recording, expected: GaitAnalysis) -> None:
    analysis = analyze_gait(
        replace(
            walk_clip,
            fps=24.0,
            positions=walk_clip.positions[::5],
            rotations=walk_clip.rotations[::5],
        )
    )
    assert analysis.stride_time == pytest.approx(expected.stride_time, rel=0.05)
    assert analysis.speed == pytest.approx(expected.speed, rel=0.05)


def test_clips_that_cannot_be_analyzed_are_refused(walk_clip: Recording) -> None:
    still = replace(
        walk_clip,
        positions=np.repeat(walk_clip.positions[60:61], 200, 0),
        rotations=np.repeat(walk_clip.rotations[60:61], 200, 0),
    )
    # as bent as its knees are
    with pytest.raises(ClipError, match=r"no whole stride|no body with two legs"):
        analyze_gait(still)
    with pytest.raises(ClipError, match="1 frame;"):
        analyze_gait(
            replace(walk_clip, positions=walk_clip.positions[:1], rotations=walk_clip.rotations[:1])
        )
    legless = [
        k
        for k, name in enumerate(walk_clip.joints)
        if not name.startswith(("thigh", "shin", "foot", "toe"))
    ]
    new = {k: i for i, k in enumerate(legless)}
    with pytest.raises(ClipError, match="no body with two legs"):
        analyze_gait(
            replace(
                walk_clip,
                joints=tuple(walk_clip.joints[k] for k in legless),
                offsets=walk_clip.offsets[legless],
                parents=tuple(new.get(walk_clip.parents[k], -1) for k in legless),
                positions=walk_clip.positions[:, legless],
                rotations=walk_clip.rotations[:, legless],
            )
        )


def test_phases(walk_clip: Recording) -> None:
    """The phase is 0 in the middle of a contact and linear up to the next one."""
    actor = undo_treadmill(find_actor(walk_clip)).actor
    feet = find_feet(actor)
    left = feet.side_contacts(0)
    middles = np.array([s.time for s in left])
    np.testing.assert_allclose(
        feet.compute_phases(0.5 * (middles[1:] + middles[:-1]))[:, 0], 0.5, atol=1e-9
    )
    assert np.isnan(feet.compute_phases(np.array([-1.0]))).all()
