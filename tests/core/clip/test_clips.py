"""What is understood of clips: of real ones against labels set by eye,
of one of our own however it is turned and scaled.
"""

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


def _differences(rows: list[dict[str, str]], found: GaitAnalysis, fps: float) -> list[float]:
    """By which frames at 60 a second every labelled event is missed."""
    out = []
    for row in rows:
        for event in EVENTS:
            if row[event]:
                told = [
                    getattr(s, event) for s in found.contacts if s.side == "LR".index(row["side"])
                ]
                out.append(60 * min(abs(t - float(row[event]) / fps) for t in told))
    return out


def test_contacts_are_those_an_eye_sees(
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
    found = analyze_gait(recording)
    strides = []
    for side in "LR":
        strikes = [
            float(row["strike"]) for row in labels[name] if row["side"] == side and row["strike"]
        ]
        strides += pairwise(strikes)
    # the same one, as labelled
    begin, end = min(strides, key=lambda s: abs(s[0] / recording.fps - found.begin))
    assert found.begin == pytest.approx(begin / recording.fps, abs=0.05)
    assert found.stride_time == pytest.approx((end - begin) / recording.fps, rel=0.05)
    thigh = [k for k, joint in enumerate(recording.joints) if joint.endswith(("_Thigh", "UpLeg"))]
    place = recording.positions[:, thigh].mean(1)[:, [0, 2]] * UNIT.get(name, 0.01)
    went = np.linalg.norm(place[int(end)] - place[int(begin)]) / (end - begin) * recording.fps
    assert found.speed == pytest.approx(went, rel=0.05)
    assert found.gait == ("run" if "run" in name else "walk")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("cmu_06_06_backward_dribble", "backward or sideways"),
        ("cmu_06_08_sideways_dribble", "backward or sideways"),
        ("cmu_131_03_hop", "hop"),
        ("cmu_02_04_jump_balance", "in turn"),
        ("bvhpython_mocapbank", "in turn"),
    ],
)
def test_what_is_no_gait_is_told(shared: Path, name: str, says: str) -> None:
    with pytest.raises(ClipError, match=says):
        analyze_gait(read_bvh(shared / f"data/bvh/{name}.bvh"))


def test_a_walk_is_found_beside_turns_and_stands(shared: Path) -> None:
    found = analyze_gait(read_bvh(shared / "data/bvh/cmu_06_10_turn90_left_dribble.bvh"))
    assert found.gait == "walk"
    assert found.end < 1.5  # later it turns


@pytest.fixture(scope="module")
def own(walk: Motion) -> Recording:
    return make_recording(walk)


@pytest.fixture(scope="module")
def seen(own: Recording) -> GaitAnalysis:
    return analyze_gait(own)


def test_our_own_walk_is_understood(seen: GaitAnalysis, walk: Motion) -> None:
    assert seen.gait == "walk"
    assert seen.leg_length == pytest.approx(0.93, abs=0.01)
    going = np.diff(walk.com[:, 0]).mean() * walk.fps
    assert seen.speed == pytest.approx(going, rel=0.03)
    steps = sorted(f.strike for f in walk.footsteps if f.leg == 0 and 0 < f.strike < 3)
    assert seen.stride_time == pytest.approx(np.diff(steps).mean(), rel=0.03)
    for f in walk.footsteps:
        if f.strike > 0.1 and f.lift < 2.9:
            step = min(
                (s for s in seen.contacts if s.side == f.leg), key=lambda s: abs(s.time - f.time)
            )
            assert step.strike == pytest.approx(f.strike, abs=0.05)
            assert step.lift == pytest.approx(f.lift, abs=0.07)
    np.testing.assert_allclose(seen.curves[0], seen.curves[1], atol=12)


def _turned(own: Recording, turn: np.ndarray, scale: float = 1.0) -> Recording:
    return replace(
        own,
        positions=own.positions @ turn.T * scale,
        rotations=turn @ own.rotations,
        offsets=own.offsets @ turn.T * scale,
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
def test_any_unit(own: Recording, seen: GaitAnalysis, scale: float, unit: str) -> None:
    got = analyze_gait(_turned(own, np.eye(3), scale))
    assert any(unit in note for note in got.notes)
    assert got.speed / np.sqrt(got.leg_length) == pytest.approx(
        seen.speed / np.sqrt(seen.leg_length), rel=0.03
    )
    np.testing.assert_allclose(got.curves, seen.curves, atol=1.0)


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
def test_any_axis_up_and_any_facing(own: Recording, seen: GaitAnalysis, turn: np.ndarray) -> None:
    got = analyze_gait(_turned(own, turn))
    assert got.speed == pytest.approx(seen.speed, rel=0.01)
    np.testing.assert_allclose(got.curves, seen.curves, atol=0.5)


def test_bones_that_point_anywhere(own: Recording, seen: GaitAnalysis) -> None:
    """Rest poses are none of our business: how a file's bones lie in
    their limbs does not matter.
    """
    rng = np.random.default_rng(0)
    odd = so3.exp(rng.normal(size=(len(own.joints), 3)))
    got = analyze_gait(replace(own, rotations=own.rotations @ odd))
    np.testing.assert_allclose(got.curves, seen.curves, atol=0.5)


def test_in_place(own: Recording, seen: GaitAnalysis) -> None:
    """The body stays where it is, and its feet say how fast it should go."""
    way = np.zeros((own.frames, 1, 3))
    way[:, 0, 0] = np.linspace(0, own.positions[-1, 0, 0] - own.positions[0, 0, 0], own.frames)
    got = analyze_gait(replace(own, positions=own.positions - way))
    assert any("in place" in note for note in got.notes)
    assert got.speed == pytest.approx(seen.speed, rel=0.05)
    assert got.stride_time == pytest.approx(seen.stride_time, rel=0.03)


def test_t_pose_first(own: Recording, seen: GaitAnalysis) -> None:
    pose = own.positions[0].copy()
    for k, name in enumerate(own.joints):
        if name.startswith(("forearm", "hand")):
            pose[k] += [0, 0.5 if name.endswith("L") else -0.5, 0.4]
    got = analyze_gait(
        replace(
            own,
            positions=np.concatenate([pose[None] - [3.0, 0, 0], own.positions]),
            rotations=np.concatenate([own.rotations[:1], own.rotations]),
        )
    )
    assert any("left out" in note for note in got.notes)
    assert got.begin == pytest.approx(seen.begin + 1 / own.fps, abs=1e-6)


def test_a_loop_of_one_stride(own: Recording, seen: GaitAnalysis) -> None:
    """What games have: as many frames as a stride takes, and no foot that comes down twice."""
    begin = round(seen.begin * own.fps) + 20
    part = slice(begin, begin + round(seen.stride_time * own.fps) + 1)
    got = analyze_gait(replace(own, positions=own.positions[part], rotations=own.rotations[part]))
    assert any("loop" in note for note in got.notes)
    assert got.stride_time == pytest.approx(seen.stride_time, rel=0.03)
    assert got.speed == pytest.approx(seen.speed, rel=0.03)
    assert 0 <= got.begin < got.stride_time + 0.02
    assert np.corrcoef(got.curves[0, 0], seen.curves[0, 0])[0, 1] > 0.97


def test_without_arms(own: Recording, seen: GaitAnalysis) -> None:
    kept = [
        k
        for k, name in enumerate(own.joints)
        if not name.startswith(("upper_arm", "forearm", "hand"))
    ]
    new = {k: i for i, k in enumerate(kept)}
    got = analyze_gait(
        replace(
            own,
            joints=tuple(own.joints[k] for k in kept),
            offsets=own.offsets[kept],
            parents=tuple(new.get(own.parents[k], -1) for k in kept),
            positions=own.positions[:, kept],
            rotations=own.rotations[:, kept],
        )
    )
    assert np.isnan(got.curves[:, CURVES.index("arm")]).all()
    np.testing.assert_allclose(got.curves[:, :3], seen.curves[:, :3], atol=1e-6)


def test_coarse_frames(own: Recording, seen: GaitAnalysis) -> None:
    got = analyze_gait(
        replace(own, fps=24.0, positions=own.positions[::5], rotations=own.rotations[::5])
    )
    assert got.stride_time == pytest.approx(seen.stride_time, rel=0.05)
    assert got.speed == pytest.approx(seen.speed, rel=0.05)


def test_what_cannot_be_told(own: Recording) -> None:
    still = replace(
        own,
        positions=np.repeat(own.positions[60:61], 200, 0),
        rotations=np.repeat(own.rotations[60:61], 200, 0),
    )
    # as bent as its knees are
    with pytest.raises(ClipError, match=r"no whole stride|no body with two legs"):
        analyze_gait(still)
    with pytest.raises(ClipError, match="1 frame;"):
        analyze_gait(replace(own, positions=own.positions[:1], rotations=own.rotations[:1]))
    legless = [
        k
        for k, name in enumerate(own.joints)
        if not name.startswith(("thigh", "shin", "foot", "toe"))
    ]
    new = {k: i for i, k in enumerate(legless)}
    with pytest.raises(ClipError, match="no body with two legs"):
        analyze_gait(
            replace(
                own,
                joints=tuple(own.joints[k] for k in legless),
                offsets=own.offsets[legless],
                parents=tuple(new.get(own.parents[k], -1) for k in legless),
                positions=own.positions[:, legless],
                rotations=own.rotations[:, legless],
            )
        )


def test_phases(own: Recording) -> None:
    """0 in the middle of a contact, linear to the next (E)."""
    actor = undo_treadmill(find_actor(own)).actor
    feet = find_feet(actor)
    left = feet.side_contacts(0)
    middles = np.array([s.time for s in left])
    np.testing.assert_allclose(
        feet.compute_phases(0.5 * (middles[1:] + middles[:-1]))[:, 0], 0.5, atol=1e-9
    )
    assert np.isnan(feet.compute_phases(np.array([-1.0]))).all()
