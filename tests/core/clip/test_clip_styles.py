"""Styles of clips: motions are similar to the clip at its speed and sound at other speeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.load import load_builtin
from footfall.core.cli import main
from footfall.core.clip import (
    GaitAnalysis,
    analyze_gait,
    build_clip_style,
    find_style,
    load_builtin_style,
    read_bvh,
)
from footfall.core.clip.style.style import CURVES, curve_at
from footfall.core.engine import generate
from footfall.core.errors import ClipError, TaskError
from footfall.core.motion import Motion
from footfall.core.motion.measures import measure
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.task import SpeedProfile, Task, load_task, save_task
from recordings import make_recording

MIN_RANGE = 5.0  # Smallest range of a curve that is compared [degrees]
MAX_DIFFERENCE = np.radians(2)  # Difference up to which curves are equal at any correlation
# Median of the correlations of the curves over a cycle. In the last clip the ankles hardly move, as
# is impossible with a sole on the ground.
BARS = {
    "cmu_02_01_walk": 0.9,
    "cmu_02_03_run": 0.9,
    "cmu_12_01_walk": 0.9,
    "cmu_07_04_slow_walk": 0.9,
    "cmu_03_01_uneven_terrain": 0.875,
    "bvhtoolbox_walk01": 0.88,
}


@pytest.fixture(scope="module")
def shown(walk: Motion) -> GaitAnalysis:
    return analyze_gait(make_recording(walk))


def _generate_walk(style: str, speed: float, seconds: float = 3.0, **settings: object) -> Motion:
    return generate(
        Task(
            make_straight_path(speed * seconds + 10),
            SpeedProfile(speed),
            style=style,
            seconds=seconds,
            fps=60,
            **settings,
        )
    )  # type: ignore[arg-type]


def test_the_style_of_a_generated_walk_is_the_built_in_one(shown: GaitAnalysis) -> None:
    style = build_clip_style(shown)
    usual = load_builtin_style("walk").cycle_at(style.preferred_speed)
    cycle = style.cycle_at(style.preferred_speed)
    assert cycle.stride == pytest.approx(usual.stride, rel=0.04)
    for name, room in (
        ("duty", 0.05),
        ("heel_off", 0.08),
        ("flat", 0.065),  # a difference of 0.06 at all frame rates, and rounding
        ("sway", 0.008),
        ("behind", 0.02),
        ("width", 0.25),
        ("toe_out", 1.5),
        ("strike_pitch", 6.0),
        ("toe_off_pitch", 6.0),
    ):
        assert getattr(cycle, name) == pytest.approx(getattr(usual, name), abs=room), name
    phase = np.linspace(0, 1, 50, endpoint=False)
    for name in (
        "thigh",
        "knee",
        "ankle",
        "pelvis_turn",
        "pelvis_list",
        "pelvis_tilt",
        "chest_turn",
        "arm",
        "elbow",
    ):
        a, b = (curve_at(np.tile(c.curves, (50, 1, 1)), name, phase) for c in (cycle, usual))
        assert np.abs(a - b).max() < MAX_DIFFERENCE or np.corrcoef(a, b)[0, 1] > 0.85, name


def test_from_standing_to_twice_the_speed(shown: GaitAnalysis) -> None:
    style = build_clip_style(shown)
    speeds = np.linspace(0.01, 2.2, 60) * style.preferred_speed
    cycles = [style.cycle_at(float(v)) for v in speeds]
    assert all(c.speed < d.speed for c, d in zip(style.cycles, style.cycles[1:], strict=False))
    assert all(np.isfinite(c.curves).all() for c in cycles)
    walks = [c for c, v in zip(cycles, speeds, strict=True) if v < style.change_speed]
    assert all(c.duty > 0.5 for c in walks)
    strides = np.array([c.stride for c in walks])
    assert (np.diff(strides) > 0).all()
    assert max(c.duty for c, v in zip(cycles, speeds, strict=True) if v >= style.change_speed) < 0.5


def test_differences_grow_with_the_stride(shown: GaitAnalysis) -> None:
    """The difference of a clip grows with the stride, its posture stays the same."""
    k = CURVES.index("arm")
    curves = shown.curves.copy()
    swing = 15 * np.cos(2 * np.pi * np.arange(curves.shape[2]) / curves.shape[2])
    curves[:, k] += swing + 7
    odd = build_clip_style(replace(shown, curves=curves))
    plain = build_clip_style(shown)
    at = [float(v) * plain.preferred_speed for v in (0.4, 1.0, 1.4)]
    added = [(odd.cycle_at(v).curves[k] - plain.cycle_at(v).curves[k]) * 180 / np.pi for v in at]
    assert added[1][1].real == pytest.approx(15, abs=0.5)
    assert added[0][1].real < 11 < 17 < added[2][1].real
    assert [a[0].real for a in added] == pytest.approx([7, 7, 7], abs=0.5)


def test_every_field_can_be_replaced(shown: GaitAnalysis) -> None:
    faster = build_clip_style(replace(shown, toe_out=20.0, duty=0.7, strike_pitch=9.0))
    cycle = faster.cycle_at(faster.preferred_speed)
    assert (cycle.toe_out, cycle.duty) == (20.0, 0.7)
    assert cycle.strike_pitch == 9.0


def test_a_run_walks_below_the_change(shown: GaitAnalysis) -> None:
    run = build_clip_style(replace(shown, gait="run", speed=2.6, stride_length=2.0, duty=0.35))
    assert run.cycle_at(run.preferred_speed).duty == pytest.approx(0.35)
    assert run.cycle_at(0.3).duty > 0.5


@pytest.mark.parametrize("name", BARS)
def test_a_motion_in_the_style_moves_as_the_clip(shared: Path, name: str) -> None:
    path = shared / f"data/bvh/{name}.bvh"
    clip = analyze_gait(read_bvh(path))
    speed = clip.speed * float(np.sqrt(load_builtin("humanoid").leg_length / clip.leg_length))
    motion = _generate_walk(str(path), speed)
    got = analyze_gait(make_recording(motion))
    pairs = [
        (c.mean(0), g.mean(0))
        for c, g in zip(clip.curves.swapaxes(0, 1), got.curves.swapaxes(0, 1), strict=True)
    ]
    alike = [np.corrcoef(a, b)[0, 1] for a, b in pairs if np.ptp(a) > MIN_RANGE]
    assert np.median(alike) >= BARS[name]
    assert got.speed == pytest.approx(speed, rel=0.05)
    assert got.stride_length / got.leg_length == pytest.approx(
        clip.stride_length / clip.leg_length, rel=0.05
    )
    measures = measure(motion, lambda xy: np.zeros(len(xy)))
    assert measures.drift_m < 0.001
    assert measures.penetration_m < 0.004
    assert measures.momentum_residual < 0.025


@pytest.mark.parametrize("share", [0.4, 0.7, 1.4, 2.0])
def test_other_speeds(shared: Path, share: float) -> None:
    path = shared / "data/bvh/cmu_02_01_walk.bvh"
    speed = share * 1.29
    motion = _generate_walk(str(path), speed)
    measures = measure(motion, lambda xy: np.zeros(len(xy)))
    assert measures.speed_error < 0.05
    assert measures.drift_m < 0.001
    assert measures.momentum_residual < 0.025


def test_files_are_styles(shared: Path, tmp_path: Path, root: Path) -> None:
    clip = shared / "data/bvh/bvhtoolbox_walk01.bvh"
    assert find_style("walk") is load_builtin_style("walk")
    assert find_style(str(clip)) is find_style(clip)
    assert find_style(root / "core/clip/styles/run.toml").name == "run"
    task = Task(make_straight_path(5.0), SpeedProfile(1.0), style=str(clip))
    save_task(task, tmp_path / "task.toml")
    assert load_task(tmp_path / "task.toml").style == str(clip)
    changed = tmp_path / "походка.bvh"
    changed.write_bytes(clip.read_bytes())
    assert find_style(changed).name == "походка"
    changed.write_text("HIERARCHY")
    with pytest.raises(ClipError, match="no MOTION"):
        find_style(changed)


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("moonwalk", TaskError, "On the shelf are"),
        ("none.bvh", ClipError, "cannot be opened"),
        ("none.toml", TaskError, "cannot be opened"),
        ("a\0.bvh", ClipError, "cannot be opened"),
    ],
)
def test_styles_that_are_not_there(name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        find_style(name)


def test_commands(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = str(shared / "data/bvh/bvhtoolbox_walk01.bvh")
    assert main(["style", clip, "--plot", str(tmp_path / "clip.png")]) == 0
    assert "a walk at 1.4" in capsys.readouterr().out
    assert (tmp_path / "clip.png").stat().st_size > 20_000
    assert main(["style", clip, "--plot", str(tmp_path / "clip.odd")]) == 2
    assert "has no suffix of a picture format" in capsys.readouterr().err
    assert (
        main(["run", "humanoid-walk", "--seconds", "1", "--style", clip, "--out", str(tmp_path)])
        == 0
    )
    assert main(["style", str(tmp_path / "none.bvh")]) == 2
    assert "cannot be opened" in capsys.readouterr().err


def test_each_arm_is_held_as_it_was(shown: GaitAnalysis) -> None:
    """An arm that carries something keeps its posture at all speeds."""
    curves = shown.curves.copy()
    curves[1, CURVES.index("elbow")] = 95.0
    style = build_clip_style(replace(shown, curves=curves))
    for speed in (0.5, 1.0, 1.3):
        cycle = style.cycle_at(speed * style.preferred_speed)
        left, right = (np.degrees(cycle.get_curve(row)[0].real) for row in ("elbow", "elbow.R"))
        assert right > 85
        assert left < 45
