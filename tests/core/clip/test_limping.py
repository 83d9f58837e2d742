"""Clips of a limp: the style limps on the same side by about as much.

Legs that differ by chance stay equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core import clip as clips
from footfall.core.clip import (
    GaitAnalysis,
    Recording,
    analyze_gait,
    build_clip_style,
    find_style,
    load_builtin_style,
    load_style,
)
from footfall.core.clip.recording.actor import Actor
from footfall.core.clip.recording.asymmetry import Asymmetry, detect_asymmetry
from footfall.core.clip.recording.clip_strides import ClipStrides
from footfall.core.clip.recording.find_actor import find_actor
from footfall.core.clip.recording.stride_choice import choose_stride
from footfall.core.clip.style.style import ASYMMETRY_NUMBERS, CURVES, curve_at
from footfall.core.engine import generate
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.task import SpeedProfile, Task
from judging import RUN_LIMITS, WALK_LIMITS, find_exceeded, judge_motion
from recordings import make_recording

FPS = 60.0
MIN_RANGE = 5.0  # Smallest range of a curve that is compared [degrees]
CLIPS = (
    "cmu_02_01_walk",
    "cmu_07_04_slow_walk",
    "cmu_02_03_run",
    "cmu_12_01_walk",
    "bvhtoolbox_walk01",
    "cmu_03_01_uneven_terrain",
)


def _generate_walk(
    style: str | Path, share: float = 1.0, seconds: float = 5.0, fps: float = FPS
) -> Motion:
    speed = share * find_style(style).preferred_speed * float(np.sqrt(9.81 * 0.93))
    return generate(
        Task(
            make_straight_path(30), SpeedProfile(speed), style=str(style), seconds=seconds, fps=fps
        )
    )


def _mirror(clip: Recording) -> Recording:
    """Return a clip with the sides exchanged."""
    other = [
        clip.joints.index(
            name[:-1] + {"L": "R", "R": "L"}[name[-1]] if name[-2:] in (".L", ".R") else name
        )
        for name in clip.joints
    ]
    flip = np.diag([1.0, -1.0, 1.0])
    return replace(
        clip,
        positions=clip.positions[:, other] @ flip,
        rotations=flip @ clip.rotations[:, other] @ flip,
        offsets=clip.offsets[other] @ flip,
    )


@pytest.fixture(scope="module")
def limp() -> Motion:
    return _generate_walk("limp")


@dataclass(frozen=True)
class LimpClip:
    """A clip of a limp.

    Args:
        sign: 1 for a limp on the right, -1 on the left.
        analysis: analysis of the clip.
    """

    sign: float
    analysis: GaitAnalysis


@pytest.fixture(scope="module", params=["right", "left"])
def shown(limp: Motion, request: pytest.FixtureRequest) -> LimpClip:
    clip = make_recording(limp)
    return (
        LimpClip(1.0, analyze_gait(clip))
        if request.param == "right"
        else LimpClip(-1.0, analyze_gait(_mirror(clip)))
    )


def _contacts(motion: Motion, first: int) -> np.ndarray:
    """Return times after the strike of a leg [frames].

    They are its lift, strike and lift of the other leg, and its next strike.
    """
    first_contacts, other_contacts = (
        [f for f in motion.footsteps if f.leg == leg and f.strike > 1.5]
        for leg in (first, 1 - first)
    )
    after = next(f for f in other_contacts if f.strike > first_contacts[0].strike)
    return FPS * (
        np.array([first_contacts[0].lift, after.strike, after.lift, first_contacts[1].strike])
        - first_contacts[0].strike
    )


def test_the_limp_is_on_its_side_by_as_much(shown: LimpClip, limp: Motion) -> None:
    sign = shown.sign
    clip = shown.analysis
    cycle = build_clip_style(clip).cycle_at(load_builtin_style("limp").preferred_speed)
    expected = load_builtin_style("limp").cycle_at(load_builtin_style("limp").preferred_speed)
    assert clip.asymmetry is not None
    assert sign * cycle.right_longer == pytest.approx(expected.right_longer, abs=0.04)
    assert sign * cycle.right_later == pytest.approx(expected.right_later, abs=0.01)
    assert cycle.right_lower == 0, "the drop of the body follows from the curves of the leg"
    assert cycle.duty + 0.5 * cycle.right_longer == pytest.approx(
        expected.duty + 0.5 * expected.right_longer, abs=0.03
    )
    assert any(
        f"it limps: the {'right' if sign > 0 else 'left'} foot" in note for note in clip.notes
    )


def test_a_motion_in_the_style_moves_as_the_clip(
    shown: LimpClip, limp: Motion, tmp_path: Path
) -> None:
    sign = shown.sign
    clip = shown.analysis
    motion = _generate_walk(clips.save_style(build_clip_style(clip), tmp_path / "limping.toml"))
    got = analyze_gait(make_recording(motion))
    for side in (0, 1):
        for name, a, b in zip(CURVES, clip.curves[side], got.curves[side], strict=True):
            # The trunk also moves with the legs of the clip.
            min_correlation = {"pelvis_list": 0.65, "chest_lean": 0.34, "head_nod": 0.85}.get(
                name, 0.9
            )
            assert not np.ptp(a) > MIN_RANGE or np.corrcoef(a, b)[0, 1] >= min_correlation, (
                name,
                side,
            )
    first = 0 if sign > 0 else 1  # The leg that is not spared
    np.testing.assert_allclose(_contacts(motion, first), _contacts(limp, 0), atol=2.0)
    assert got.asymmetry is not None
    assert sign * got.asymmetry.contact_excess < -0.03


def test_it_holds_from_standing_to_a_run_and_in_a_file(shown: LimpClip, tmp_path: Path) -> None:
    style = build_clip_style(shown.analysis)
    again = load_style(clips.save_style(style, tmp_path / "limping.toml"))
    assert not any(getattr(style.standing, name) for name in ASYMMETRY_NUMBERS)
    for speed in np.linspace(0.02, 2.0, 60) * style.preferred_speed:
        cycle = style.cycle_at(float(speed))
        assert all(
            getattr(again.cycle_at(float(speed)), name) == pytest.approx(getattr(cycle, name))
            for name in ASYMMETRY_NUMBERS
        )
        assert 0.5 < cycle.for_side(1).duty < 0.9
        assert 0.5 < cycle.for_side(-1).duty < 0.9
    run = style.cycles[-1]
    assert not run.is_walk
    assert not any(getattr(run, name) for name in ASYMMETRY_NUMBERS)


@pytest.mark.parametrize(
    ("share", "bars"), [(0.5, WALK_LIMITS), (1.0, WALK_LIMITS), (2.0, RUN_LIMITS)]
)
def test_the_style_keeps_the_bars(
    shared: Path, limp: Motion, tmp_path: Path, share: float, bars: dict[str, float]
) -> None:
    style = clips.save_style(
        build_clip_style(analyze_gait(make_recording(limp))), tmp_path / "limping.toml"
    )
    assert not find_exceeded(
        judge_motion(shared, tmp_path, _generate_walk(style, share, 3.5, 120.0)), bars
    )


@pytest.mark.parametrize("name", CLIPS)
def test_recorded_legs_that_differ_by_chance_keep_one_time(shared: Path, name: str) -> None:
    """The strides of the last clip, which is on uneven ground, are too irregular to be compared."""
    clip = analyze_gait(clips.read_bvh(shared / f"data/bvh/{name}.bvh"))
    assert clip.asymmetry is None
    style = build_clip_style(clip)
    assert not any(getattr(cycle, number) for number in ASYMMETRY_NUMBERS for cycle in style.cycles)
    preferred_cycle = style.cycle_at(style.preferred_speed)
    phase = np.arange(50) / 50
    for side, end in enumerate(("", ".R")):  # Each leg keeps its curves.
        curve = curve_at(np.tile(preferred_cycle.curves, (50, 1, 1)), "knee" + end, phase)
        expected = np.radians(clip.curves[side, CURVES.index("knee")][::2])
        assert np.abs(curve - expected).max() < np.radians(9) or name == "cmu_03_01_uneven_terrain"


@pytest.mark.parametrize("style", ["walk", "catwalk", "old", "run"])
def test_shelf_styles_are_no_limp(style: str) -> None:
    assert analyze_gait(make_recording(_generate_walk(style, seconds=4.0))).asymmetry is None


def test_strides_that_differ_in_turn_are_no_limp(limp: Motion) -> None:
    """Legs that differ in the opposite sense in every second stride count as equal."""
    # Frames of a stride
    clip = make_recording(limp)
    period = 72.4
    begin = 40
    one = clip
    two = _mirror(clip)
    half = round(begin + 0.5 * period)
    spans = [
        (one, begin, begin + 72),
        (two, half, half + 72),
        (one, begin, begin + 72),
        (two, half, half + 72),
    ]
    places = []
    turns = []
    at = 0.0
    for source, a, b in spans:
        piece = source.positions[a:b] - [source.positions[a, 0, 0] - at, 0, 0]
        places.append(piece)
        turns.append(source.rotations[a:b])
        at += float(source.positions[b, 0, 0] - source.positions[a, 0, 0])
    joined = replace(clip, positions=np.concatenate(places), rotations=np.concatenate(turns))
    assert analyze_gait(joined).asymmetry is None


def test_a_loop_of_one_limping_stride(limp: Motion) -> None:
    """The only stride of a loop decides."""
    clip = make_recording(limp)
    part = slice(80, 80 + 73)
    analysis = analyze_gait(
        replace(clip, positions=clip.positions[part], rotations=clip.rotations[part])
    )
    assert analysis.asymmetry is not None
    assert analysis.asymmetry.hip_drop == pytest.approx(0.037, abs=0.01)


def _loop_in_place(clip: Recording, name: str) -> Recording:
    """Return a limping stride as a loop that does not travel."""
    part = slice(80, 80 + 73)
    travel = clip.positions[part.stop - 1, 0] - clip.positions[part.start, 0]
    shares = np.linspace(0.0, 1.0, 73)[:, None, None]
    return replace(
        clip,
        name=name,
        positions=clip.positions[part] - shares * (travel * [1.0, 1.0, 0.0]),
        rotations=clip.rotations[part],
    )


@pytest.mark.parametrize(("name", "limps"), [("Walking_A", False), ("InjuredWalk", True)])
def test_a_loop_in_place_limps_if_its_name_says_so(limp: Motion, name: str, limps: bool) -> None:
    """Feet of such clips slide, so that contacts differ in healthy walks as well."""
    analysis = analyze_gait(_loop_in_place(make_recording(limp), name))
    assert (analysis.asymmetry is not None) == limps


def test_steps_up_and_a_body_that_walks_askew_do_not_count(limp: Motion) -> None:
    """Their legs have different tasks."""
    clip = make_recording(limp)
    actor = find_actor(clip)
    assert ClipStrides.find(actor, clip.name).detect_limp().asymmetry is not None
    center = actor.hips.mean(1, keepdims=True)
    turn = so3.rotation_about("z", np.radians(20))
    askew = ClipStrides.find(
        replace(actor, hips=center + (actor.hips - center) @ turn.T), clip.name
    )
    assert askew.detect_limp().asymmetry is None
    assert "20 degrees left of its path" in choose_stride(askew).doubts[0]
    slope = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.1, 0.0, 1.0]])
    assert analyze_gait(replace(clip, positions=clip.positions @ slope.T)).asymmetry is None


def _detect(actor: Actor, lift_delay: float) -> Asymmetry | None:
    """Return the asymmetry of an actor whose right foot seems to lift later [s]."""
    clip = ClipStrides.find(actor, "clip")
    contacts = tuple(
        replace(c, lift=c.lift + lift_delay * c.side, heel_off=c.heel_off + lift_delay * c.side)
        for c in clip.feet.contacts
    )
    return detect_asymmetry(actor, replace(clip.feet, contacts=contacts), clip.strides)


def test_contacts_that_differ_while_the_legs_mirror_each_other_are_no_limp(limp: Motion) -> None:
    """The detection of contacts is less certain than the curves."""
    delay = 0.15  # [s], more than the difference of the contacts of the limp
    assert _detect(find_actor(make_recording(_generate_walk("walk"))), delay) is None
    limping = find_actor(make_recording(limp))
    assert _detect(limping, 0.0) is not None
    assert _detect(limping, -delay) is not None


def test_one_stride_shows_no_habit(limp: Motion) -> None:
    actor = find_actor(make_recording(limp))
    clip = ClipStrides.find(actor, "clip")
    assert detect_asymmetry(actor, clip.feet, clip.strides[:2]) is not None
    assert detect_asymmetry(actor, clip.feet, clip.strides[:1]) is None
    assert detect_asymmetry(actor, clip.feet, clip.strides[:1], distinct_count=1.0) is not None


def test_no_run_limps(limp: Motion) -> None:
    analysis = analyze_gait(make_recording(limp), clips.ClipCorrections(gait="run"))
    assert analysis.asymmetry is None
