"""One walk, stored in the forms that programs and people give a clip: its style stays the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import footfall as ff
import numpy as np
import pytest
from footfall.core.cli import main
from footfall.core.clip import (
    ClipCorrections,
    GaitAnalysis,
    Recording,
    analyze_clip,
    analyze_gait,
    build_clip_style,
    load_style,
    read_bvh,
)
from footfall.core.clip.recording.bvh import RigInfo
from footfall.core.clip.recording.clip_strides import ClipStrides
from footfall.core.clip.recording.contacts import FootContact, find_feet
from footfall.core.clip.recording.find_actor import find_actor
from footfall.core.clip.recording.joint_groups import select_joints
from footfall.core.clip.recording.recognize_body import HUMAN, recognize_body
from footfall.core.clip.recording.strides import STRIDE, find_strides
from footfall.core.clip.recording.walk_or_run import weigh_walk
from footfall.core.clip.style.style import CURVES
from footfall.core.errors import ClipError
from footfall.core.geometry import so3
from recordings import make_recording
from scipy.interpolate import CubicSpline


@pytest.fixture(scope="module")
def recording(root: Path) -> Recording:
    """A walk in cm, y up, 30 frames a second."""
    return read_bvh(root / "tests" / "data" / "small" / "walk.bvh")


@pytest.fixture(scope="module")
def expected(recording: Recording) -> GaitAnalysis:
    return analyze_gait(recording)


def _assert_same_gait(analysis: object, expected: GaitAnalysis, curve_error: float = 1.0) -> None:
    """Compare two analyses; angles may differ by `curve_error` [degrees, root mean square]."""
    assert isinstance(analysis, GaitAnalysis)
    assert analysis.gait == expected.gait
    assert analysis.asymmetry is None
    assert analysis.speed == pytest.approx(expected.speed, rel=0.03)
    assert analysis.stride_time == pytest.approx(expected.stride_time, rel=0.03)
    assert analysis.duty == pytest.approx(expected.duty, abs=0.03)
    difference = analysis.curves - expected.curves
    assert np.sqrt(np.nanmean(np.square(difference))) < curve_error


def _add_root(recording: Recording, position: np.ndarray) -> Recording:
    """The recording below a root that stays in place."""
    n = recording.frames
    return replace(
        recording,
        joints=("Reference", *recording.joints),
        parents=(-1, *(parent + 1 for parent in recording.parents)),
        offsets=np.concatenate([position[None], recording.offsets]),
        positions=np.concatenate([np.tile(position, (n, 1, 1)), recording.positions], 1),
        rotations=np.concatenate([np.tile(np.eye(3), (n, 1, 1, 1)), recording.rotations], 1),
        tips={joint + 1: tip for joint, tip in recording.tips.items()},
    )


@pytest.mark.parametrize(
    "position",
    [[0.0, 0.0, 0.0], [0.0, 0.0, 400.0], [-900.0, 0.0, 0.0], [0.0, 200.0, 0.0]],
    ids=["at_origin", "far_in_front", "far_aside", "over_the_head"],
)
def test_a_root_of_the_scene_is_no_part_of_the_body(
    recording: Recording, expected: GaitAnalysis, position: list[float]
) -> None:
    _assert_same_gait(analyze_clip(_add_root(recording, np.array(position))), expected)


def test_a_root_far_from_a_body_that_does_not_travel(
    recording: Recording, expected: GaitAnalysis
) -> None:
    hips = recording.positions[:, :1] * [1.0, 0.0, 1.0]
    in_place = replace(recording, positions=recording.positions - hips)
    moved = replace(in_place, positions=in_place.positions + [0.0, 0.0, 1000.0])
    analysis = analyze_gait(_add_root(moved, np.zeros(3)))
    _assert_same_gait(analysis, expected, curve_error=2.0)


def _put_together(first: Recording, second: Recording) -> Recording:
    """Two bodies in one file, each with a separate root."""
    n = len(first.joints)
    return replace(
        first,
        joints=(*first.joints, *(f"B:{name}" for name in second.joints)),
        parents=(*first.parents, *(p + n if p >= 0 else -1 for p in second.parents)),
        offsets=np.concatenate([first.offsets, second.offsets]),
        positions=np.concatenate([first.positions, second.positions], 1),
        rotations=np.concatenate([first.rotations, second.rotations], 1),
        tips=first.tips | {joint + n: tip for joint, tip in second.tips.items()},
    )


@pytest.mark.parametrize("has_scene_root", [False, True])
def test_the_first_of_several_people_is_read(
    recording: Recording, expected: GaitAnalysis, has_scene_root: bool
) -> None:
    turn = so3.rotation_about("y", np.radians(120.0))
    second = replace(
        recording,
        positions=recording.positions @ turn.T + [300.0, 0.0, 0.0],
        rotations=turn @ recording.rotations,
    )
    together = _put_together(recording, second)
    if has_scene_root:
        together = _add_root(together, np.zeros(3))
        together = replace(together, parents=(-1, *(max(p, 0) for p in together.parents[1:])))
    analysis = analyze_clip(together)
    _assert_same_gait(analysis, expected)
    assert any("2 bodies" in note for note in analysis.notes)


def _cut(recording: Recording, begin: int, end: int) -> Recording:
    """Frames of a recording, without the last one."""
    return replace(
        recording,
        positions=recording.positions[begin:end],
        rotations=recording.rotations[begin:end],
    )


def _stay_in_place(recording: Recording) -> Recording:
    """The recording without its mean velocity, as on a treadmill."""
    travel = recording.positions[-1, 0] - recording.positions[0, 0]
    shares = np.linspace(0.0, 1.0, recording.frames)[:, None, None]
    return replace(recording, positions=recording.positions - shares * (travel * [1.0, 0.0, 1.0]))


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("begin", [37, 44, 52, 60])
@pytest.mark.parametrize("extra", [1, 0, -1])
def test_a_clip_of_one_cycle(
    recording: Recording, expected: GaitAnalysis, begin: int, extra: int, in_place: bool
) -> None:
    """A cycle that ends with the frame that it began with, one frame earlier, or two."""
    frames = round(expected.stride_time * recording.fps)
    part = _cut(recording, begin, begin + frames + extra)
    analysis = analyze_gait(_stay_in_place(part) if in_place else part)
    assert any("loop" in note for note in analysis.notes)
    _assert_same_gait(analysis, expected, curve_error=2.5)


@pytest.mark.parametrize("cycles", [1.12, 1.45])
@pytest.mark.parametrize("begin", [20, 33, 41])
def test_a_clip_that_is_cut_before_a_foot_comes_down_twice(
    recording: Recording, expected: GaitAnalysis, begin: int, cycles: float
) -> None:
    frames = round(cycles * expected.stride_time * recording.fps)
    _assert_same_gait(
        analyze_gait(_cut(recording, begin, begin + frames)), expected, curve_error=2.5
    )


def test_tips_that_an_importer_made_up(recording: Recording, expected: GaitAnalysis) -> None:
    """Feet of one joint, whose bones are as long as a leg."""
    kept = tuple(k for k, name in enumerate(recording.joints) if not name.lower().startswith("toe"))
    assert len(kept) == len(recording.joints) - 2
    feet = [k for k in kept if recording.joints[k].startswith("foot")]
    short = select_joints(recording, kept)
    tips = {kept.index(foot): np.array([100.0, 20.0, 0.0]) for foot in feet}
    analysis = analyze_gait(replace(short, tips=short.tips | tips))
    assert analysis.gait == expected.gait
    assert analysis.speed == pytest.approx(expected.speed, rel=0.03)
    assert analysis.stride_time == pytest.approx(expected.stride_time, rel=0.03)
    assert -20.0 < analysis.toe_off_pitch < 80.0


def _warp(recording: Recording, begin: float, end: float, rate: float) -> Recording:
    """The recording with the motion between two times at another rate."""
    frames = np.arange(recording.frames)
    edges = np.array([0.0, begin, end, frames[-1] / recording.fps]) * recording.fps
    lengths = np.diff(edges) / [1.0, rate, 1.0]
    new_edges = np.concatenate([[0.0], np.cumsum(lengths)])
    source = np.interp(np.arange(int(new_edges[-1]) + 1), new_edges, edges)

    def sample(values: np.ndarray) -> np.ndarray:
        return np.asarray(CubicSpline(frames, values, axis=0)(source))

    return replace(
        recording,
        positions=sample(recording.positions),
        rotations=sample(recording.rotations),
    )


def test_a_stride_unlike_the_others_is_not_chosen(
    recording: Recording, expected: GaitAnalysis
) -> None:
    """One stride is faster, as regular as the others."""
    begin, end = expected.begin, expected.end
    analysis = analyze_gait(_warp(recording, begin, end, 1.35))
    assert abs(analysis.begin - begin) > 0.3
    _assert_same_gait(analysis, expected, curve_error=2.5)


def test_a_turn_is_no_limp() -> None:
    angle = np.linspace(0.0, 2.5, 40)
    path = ff.Path(2.2 * np.stack([np.sin(angle), 1 - np.cos(angle)], 1))
    motion = ff.generate(ff.Task(path, ff.SpeedProfile(1.2), seconds=3.5, fps=24.0))
    analysis = analyze_gait(make_recording(motion))
    assert analysis.asymmetry is None
    assert any("turns to the left" in doubt for doubt in analysis.doubts)


def test_few_frames_a_stride_make_no_limp(recording: Recording, expected: GaitAnalysis) -> None:
    """A loop of 12 frames, in which a contact may seem to be a frame longer."""
    frames = round(expected.stride_time * recording.fps)
    part = _cut(recording, 40, 40 + frames + 1)
    times = np.linspace(0, frames, 13)

    def sample(values: np.ndarray) -> np.ndarray:
        return np.asarray(CubicSpline(np.arange(frames + 1), values, axis=0)(times))

    coarse = replace(
        part,
        fps=12 / (frames / recording.fps),
        positions=sample(part.positions),
        rotations=sample(part.rotations),
    )
    analysis = analyze_gait(coarse)
    assert analysis.asymmetry is None
    assert analysis.stride_time == pytest.approx(expected.stride_time, rel=0.05)


def test_a_walk_between_two_stands(shared: Path) -> None:
    """Its only whole stride slows down, with a short last contact: no run, and no limp."""
    analysis = analyze_gait(read_bvh(shared / "data/bvh/cmu_131_01_start_walk_stop_m.bvh"))
    assert analysis.gait == "walk"
    assert analysis.asymmetry is None
    assert analysis.doubts == ("it is the only whole stride",)


def test_a_game_loop_without_its_closing_frame(shared: Path) -> None:
    analysis = analyze_gait(read_bvh(shared / "data/bvh/mblab_walking.bvh"))
    assert analysis.gait == "walk"
    assert analysis.asymmetry is None
    assert analysis.stride_time == pytest.approx(30 / 29, rel=0.02)
    assert analysis.doubts == ()


def test_sides_are_those_of_the_knees(recording: Recording, expected: GaitAnalysis) -> None:
    """A skeleton whose joints have the names of the other side walks forward all the same."""
    actor = find_actor(recording)
    assert actor.faces_knees
    swapped = actor.swap_sides()
    assert not swapped.faces_knees
    clip = ClipStrides.find(swapped, "walk")
    assert clip.actor.has_swapped_sides is False
    np.testing.assert_array_equal(clip.actor.hips, actor.hips)


def test_a_walk_at_a_sixth_of_its_speed_has_another_frame_rate(recording: Recording) -> None:
    """Its feet are so slow that they never seem to lift."""
    with pytest.raises(ClipError, match=r"a stride takes 6.* s, perhaps since .* frame rate"):
        analyze_gait(replace(recording, fps=recording.fps / 6))


def test_a_body_that_stands_is_refused_as_one(recording: Recording) -> None:
    standing = _cut(recording, 0, 1)
    held = replace(
        standing,
        positions=np.repeat(standing.positions, 90, axis=0),
        rotations=np.repeat(standing.rotations, 90, axis=0),
    )
    with pytest.raises(ClipError, match="its feet stay on the ground"):
        analyze_gait(held)


def _make_contact(side: int, strike: float) -> FootContact:
    return FootContact(side, strike, strike + 0.02, heel_off=strike + 0.04, lift=strike + 0.06)


@pytest.mark.parametrize(("other_count", "is_stride"), [(4, True), (30, False)])
def test_one_unsteady_stride_among_many_steps_is_no_walk(
    recording: Recording, expected: GaitAnalysis, other_count: int, is_stride: bool
) -> None:
    """A dance has a stride by chance."""
    actor = find_actor(recording)
    end = expected.begin + 0.8 * expected.stride_time
    contacts = [
        _make_contact(0, expected.begin),
        _make_contact(1, 0.5 * (expected.begin + end)),
        _make_contact(0, end),
        *(_make_contact(0, end + 0.01 * (k + 1)) for k in range(other_count)),
    ]
    search = find_strides(actor, replace(find_feet(actor), contacts=tuple(contacts)))
    assert len(search.strides) == is_stride
    assert all(stride.irregularity > STRIDE.max_steady_irregularity for stride in search.strides)


def test_a_walk_backward_is_refused_as_one(recording: Recording) -> None:
    reversed_walk = replace(
        recording, positions=recording.positions[::-1], rotations=recording.rotations[::-1]
    )
    with pytest.raises(ClipError, match="the body moves backward"):
        analyze_gait(reversed_walk)


def test_corrections(recording: Recording, expected: GaitAnalysis) -> None:
    begin = 1.2
    part = analyze_gait(recording, ClipCorrections(begin=begin, end=3.6))
    _assert_same_gait(part, expected, curve_error=2.5)
    assert begin <= part.begin < part.end < 3.7
    assert all(begin <= contact.strike for contact in part.contacts)
    same = analyze_gait(recording, ClipCorrections(up_axis="y"))
    _assert_same_gait(same, expected, curve_error=1e-9)
    with pytest.raises(ClipError, match="no body with two legs"):
        analyze_gait(recording, ClipCorrections(up_axis="x"))
    run = analyze_gait(recording, ClipCorrections(gait="run"))
    assert run.gait == "run"
    assert run.contacts == expected.contacts
    with pytest.raises(ClipError, match="at 30 frames a second"):
        analyze_gait(recording, ClipCorrections(begin=5.0))


def _add_coat(recording: Recording) -> Recording:
    """Return a recording whose joints have numbers for names, with two tails of a coat."""
    height = float(np.ptp(recording.positions[..., 1], axis=1).max())
    axes = recording.rotations[:, 0]
    joints = [recording]
    for side in (1, -1):
        parent = 0
        for k in range(5):
            offset = height * np.array([0.02 * side, 0, -0.02] if k == 0 else [0, -0.135, -0.012])
            last = joints[-1]
            head = last.positions[:, parent] + axes @ offset
            joints.append(
                replace(
                    last,
                    joints=(*last.joints, "tail"),
                    parents=(*last.parents, parent),
                    offsets=np.concatenate([last.offsets, offset[None]]),
                    positions=np.concatenate([last.positions, head[:, None]], 1),
                    rotations=np.concatenate([last.rotations, axes[:, None]], 1),
                )
            )
            parent = len(joints[-1].joints) - 1
    return replace(joints[-1], joints=tuple(str(k) for k in range(len(joints[-1].joints))))


def test_given_feet(recording: Recording, expected: GaitAnalysis) -> None:
    clip = _add_coat(recording)
    with pytest.raises(ClipError, match="no whole stride"):
        analyze_clip(clip)
    left, right = (str(recording.joints.index(f"foot.{side}")) for side in "LR")
    analysis = analyze_clip(clip, ClipCorrections(feet=(left, right)))
    assert isinstance(analysis, GaitAnalysis)
    _assert_same_gait(analysis, expected, curve_error=1.0)


@pytest.mark.parametrize(
    ("feet", "message"),
    [
        (("foot.L", "paw"), "no joint 'paw' that could be a foot; its joints are pelvis, chest"),
        (("foot.L", "foot.L"), "cannot be both feet"),
        (("shin.L", "foot.L"), "do not hang on one body"),
        (("shin.R", "shin.L"), "no two bones for thigh and shin"),
        (
            ("hand.L", "hand.R"),
            "cannot be feet: other parts of the body reach lower by [3-5][0-9]%",
        ),
    ],
)
def test_given_feet_that_are_none(
    recording: Recording, feet: tuple[str, str], message: str
) -> None:
    with pytest.raises(ClipError, match=message):
        analyze_clip(recording, ClipCorrections(feet=feet))


def test_exchanged_sides_of_a_walk_backward(recording: Recording) -> None:
    """A body without knees that bend may face either direction; the user decides."""
    reversed_walk = replace(
        recording, positions=recording.positions[::-1], rotations=recording.rotations[::-1]
    )
    analysis = analyze_gait(reversed_walk, ClipCorrections(exchanges_sides=True))
    assert analysis.gait == "walk"


def test_the_command_takes_corrections(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = str(root / "tests" / "data" / "small" / "walk.bvh")
    saved = tmp_path / "part.toml"
    words = ["style", clip, "--up", "y", "--from", "1", "--to", "3.5", "--gait", "run"]
    words += ["--feet", "foot.L", "foot.R"]
    picture = tmp_path / "part.png"
    assert main([*words, "--save", str(saved), "--plot", str(picture)]) == 0
    assert picture.stat().st_size > 20_000
    assert "a run at 1.1" in capsys.readouterr().out
    assert not load_style(saved).cycle_at(load_style(saved).preferred_speed).is_walk
    assert main(["style", "proud", "--gait", "run"]) == 2
    assert "Only clips" in capsys.readouterr().err
    assert main(["style", clip, "--from", "3.9"]) == 2
    assert "takes 4.00 s" in capsys.readouterr().err


# Names of pelvis, chest, head, and of upper arm, forearm, hand, thigh, shin, foot and toes of the
# left side; `{}` is the side.
NAMES = {
    "mixamo": (
        "mixamorig:Hips mixamorig:Spine2 mixamorig:Head",
        "mixamorig:{}Arm mixamorig:{}ForeArm mixamorig:{}Hand mixamorig:{}UpLeg mixamorig:{}Leg "
        "mixamorig:{}Foot mixamorig:{}ToeBase",
    ),
    "motion_builder": (
        "Character1_Hips Character1_Spine2 Character1_Head",
        "Character1_{}Arm Character1_{}ForeArm Character1_{}Hand Character1_{}UpLeg "
        "Character1_{}Leg Character1_{}Foot Character1_{}ToeBase",
    ),
    "rokoko": (
        "Hips Spine4 Head",
        "{}Arm {}ForeArm {}Hand {}Thigh {}Shin {}Foot {}Toe",
    ),
    "amass": (
        "Pelvis Spine3 Head",
        "{0:.1}_Shoulder {0:.1}_Elbow {0:.1}_Wrist {0:.1}_Hip {0:.1}_Knee {0:.1}_Ankle {0:.1}_Foot",
    ),
    "unreal": (
        "pelvis spine_05 head",
        "upperarm_{0:.1} lowerarm_{0:.1} hand_{0:.1} thigh_{0:.1} calf_{0:.1} foot_{0:.1} "
        "ball_{0:.1}",
    ),
    "biped": (
        "Bip01_Pelvis Bip01_Spine2 Bip01_Head",
        "Bip01_{0:.1}_UpperArm Bip01_{0:.1}_Forearm Bip01_{0:.1}_Hand Bip01_{0:.1}_Thigh "
        "Bip01_{0:.1}_Calf Bip01_{0:.1}_Foot Bip01_{0:.1}_Toe0",
    ),
    "numbers": ("j0 j1 j2", "{0:.1}j3 {0:.1}j4 {0:.1}j5 {0:.1}j6 {0:.1}j7 {0:.1}j8 {0:.1}j9"),
}
PARTS = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")


@pytest.mark.parametrize("program", NAMES)
def test_names_of_many_programs(recording: Recording, expected: GaitAnalysis, program: str) -> None:
    middle, limbs = NAMES[program]
    new_names = dict(zip(("pelvis", "chest", "head"), middle.split(), strict=True))
    for side in ("Left", "Right"):
        named = (
            limbs.format(side).split() if "{}" not in limbs else limbs.replace("{}", side).split()
        )
        new_names |= {f"{part}.{side[0]}": name for part, name in zip(PARTS, named, strict=True)}
    renamed = replace(recording, joints=tuple(new_names[name] for name in recording.joints))
    _assert_same_gait(analyze_clip(renamed), expected, curve_error=0.1)


@pytest.mark.parametrize("fps", [24.0, 25.0, 50.0, 60.0, 120.0, 240.0])
def test_any_frame_rate(recording: Recording, expected: GaitAnalysis, fps: float) -> None:
    seconds = (recording.frames - 1) / recording.fps
    times = np.arange(int(seconds * fps) + 1) / fps * recording.fps

    def sample(values: np.ndarray) -> np.ndarray:
        return np.asarray(CubicSpline(np.arange(recording.frames), values, axis=0)(times))

    resampled = replace(
        recording,
        fps=fps,
        positions=sample(recording.positions),
        rotations=sample(recording.rotations),
    )
    _assert_same_gait(analyze_clip(resampled), expected, curve_error=1.5)


@pytest.mark.parametrize(
    "unit", [0.01, 0.1, 10.0, 1 / 2.54, 1 / 30.48, 1 / 5.644], ids=lambda unit: f"{unit:.3g}"
)
@pytest.mark.parametrize("up", ["y", "z", "x"])
def test_any_unit_and_axis(
    recording: Recording, expected: GaitAnalysis, unit: float, up: str
) -> None:
    """From mm to inches, below a root of the scene far away from the body."""
    turn = {
        "y": np.eye(3),
        "z": so3.rotation_about("x", np.pi / 2),
        "x": so3.rotation_about("z", -np.pi / 2),
    }[up]
    far = _add_root(recording, np.array([300.0, 0.0, -500.0]))
    turned = replace(
        far,
        positions=unit * far.positions @ turn.T,
        rotations=turn @ far.rotations @ turn.T,
        offsets=unit * far.offsets @ turn.T,
        tips={joint: unit * turn @ tip for joint, tip in far.tips.items()},
    )
    analysis = analyze_clip(turned)
    assert isinstance(analysis, GaitAnalysis)
    assert any(note.endswith(f"{up} up") for note in analysis.notes)
    _assert_same_gait(analysis, expected, curve_error=1.0)
    assert analysis.leg_length == pytest.approx(expected.leg_length, rel=0.01)


def test_short_contacts_in_place_make_no_run(recording: Recording) -> None:
    """Feet that slide seem to stand for too short, but one of them is always on the floor."""
    clip = ClipStrides.find(find_actor(_stay_in_place(recording)), "walk")
    assert clip.treadmill_speed > 0
    stride = clip.strides[0]
    times = [
        contact.time
        for contact in clip.feet.contacts
        if stride.begin < contact.time * 120 < stride.end
    ]
    in_place, traveling = (
        weigh_walk(clip.actor, stride, 0.38, contact_times=times, is_in_place=is_in_place)
        for is_in_place in (True, False)
    )
    assert in_place > max(traveling, 0.0)


@pytest.mark.parametrize(("in_place", "weight"), [(True, 3.0), (False, 0.8)])
def test_the_name_of_a_clip_counts(recording: Recording, in_place: bool, weight: float) -> None:
    clip = ClipStrides.find(find_actor(recording), "walk")

    def weigh(name: str) -> float:
        actor = replace(clip.actor, name=name)
        return weigh_walk(actor, clip.strides[0], 0.5, contact_times=[1.0], is_in_place=in_place)

    assert weigh("Sad_Jog") == pytest.approx(weigh("sad") - weight)
    assert weigh("fastWalk") == pytest.approx(weigh("sad") + weight)
    assert weigh("walk_run") == weigh("sad")


def _remove_feet(recording: Recording) -> Recording:
    """Return the recording of a rig whose legs end with the shin, with z up."""
    body = recognize_body(recording, HUMAN)
    turned = replace(
        recording,
        positions=recording.positions @ body.to_upright.T,
        rotations=body.to_upright @ recording.rotations @ body.to_upright.T,
        offsets=recording.offsets @ body.to_upright.T,
    )
    feet = {leg.foot for leg in body.anatomy.legs} | {leg.toe for leg in body.anatomy.legs}
    kept = tuple(k for k in range(len(recording.joints)) if k not in feet)
    index = [kept.index(k) if k in kept else -1 for k in range(len(recording.joints))]
    anatomy = body.anatomy.reindex(index)
    legs = tuple(replace(leg, foot=None, toe=None) for leg in anatomy.legs)
    tips = {index[leg.knee]: turned.offsets[leg.ankle] for leg in body.anatomy.legs}
    return replace(
        select_joints(turned, kept),
        tips=tips,
        rig=RigInfo(0.01, replace(anatomy, legs=legs)),
    )


@pytest.mark.parametrize("has_skin", [False, True])
def test_legs_without_feet(recording: Recording, expected: GaitAnalysis, has_skin: bool) -> None:
    """Feet are put at the ends of the shins; importers may make these too short."""
    clip = _remove_feet(recording)
    if has_skin:
        assert clip.rig is not None
        skin = {k: np.array([tip, 1.15 * tip]) for k, tip in clip.tips.items()}
        clip = replace(
            clip,
            tips={k: 0.01 * tip for k, tip in clip.tips.items()},
            rig=replace(clip.rig, skin_points=skin),
        )
    analysis = analyze_gait(clip)
    assert any("no feet" in note for note in analysis.notes)
    assert analysis.gait == "walk"
    assert analysis.asymmetry is None
    assert analysis.speed == pytest.approx(expected.speed, rel=0.03)
    assert analysis.stride_time == pytest.approx(expected.stride_time, rel=0.03)
    knee = CURVES.index("knee")
    difference = analysis.curves[:, knee] - expected.curves[:, knee]
    assert np.sqrt(np.square(difference).mean()) < 6
    build_clip_style(analysis)
