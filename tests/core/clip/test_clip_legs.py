"""Walks in the style of a clip keep its legs, by a judge that shares no code with Footfall."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.clip import analyze_gait, load_builtin_style, read_bvh
from footfall.core.clip.pose.foot_sweep import measure_foot_sweep
from footfall.core.engine import generate
from footfall.core.motion import save_motion
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.task import SpeedProfile, Task
from judging import load_checker

GRAVITY = 9.81
# All clips of walks on level ground. One more climbs a step, as no walk on level ground does.
WALKS = (
    "bvhtoolbox_walk01",
    "cmu_02_01_walk",
    "cmu_07_04_slow_walk",
    "cmu_07_12_brisk_walk",
    "cmu_12_01_walk",
    "cmu_131_01_start_walk_stop_m",
    "mblab_walking",
)


@dataclass(frozen=True)
class LegFigures:
    """A walk beside the clip of its style.

    Args:
        legs_rms: mean root mean square difference of thighs and knees [degrees].
        median_correlation: median correlation of the curves that move.
        hip_difference: height of the hips above that of the clip [% of the leg].
    """

    legs_rms: float
    median_correlation: float
    hip_difference: float


@cache
def _judge_clip(shared: Path, folder: Path, name: str) -> LegFigures:
    """Return the figures of a walk of twelve seconds at the Froude number of the clip."""
    path = shared / f"data/bvh/{name}.bvh"
    recording = read_bvh(path)
    clip = analyze_gait(recording)
    # The strides of a loop that is one stride long begin in the file and end beyond it.
    begin = clip.begin if clip.end * recording.fps <= recording.frames else 0.0
    leg_length = load_builtin("humanoid").leg_length
    speed = clip.speed * float(np.sqrt(leg_length / clip.leg_length))
    task = Task(
        make_straight_path(12 * speed + 12),
        SpeedProfile(speed),
        style=str(path),
        fps=60,
        seconds=12,
    )
    motion_path = save_motion(generate(task), folder / name)
    checker = load_checker(shared / "tools" / "check_style.py")
    points, frame_time = checker.clip_points(str(path))
    figures = checker.compare(
        points, frame_time, begin, begin + clip.end - clip.begin, str(motion_path)
    )
    hips = figures["curves"]["_hip height"]
    return LegFigures(
        figures["legs_rms_deg"], figures["median_r"], hips["mean"] - hips["clip_mean"]
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("clips")


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_keeps_the_legs_of_its_clip(shared: Path, folder: Path, name: str) -> None:
    figures = _judge_clip(shared, folder, name)
    assert figures.legs_rms < 9
    assert figures.median_correlation > 0.92
    assert abs(figures.hip_difference) < 2


def test_most_walks_keep_the_legs_of_their_clips_well(shared: Path, folder: Path) -> None:
    assert np.median([_judge_clip(shared, folder, name).legs_rms for name in WALKS]) < 6


@pytest.mark.parametrize("style", ["walk", "run"])
def test_feet_of_built_in_styles_sweep_as_far_as_their_strides(style: str) -> None:
    model = KinematicModel(load_builtin("humanoid"))
    for cycle in load_builtin_style(style).cycles[:2]:
        sweep = measure_foot_sweep(model, cycle)
        assert sweep.stride == pytest.approx(cycle.stride, rel=0.06)
        assert sweep.behind == pytest.approx(cycle.behind, abs=0.03)
