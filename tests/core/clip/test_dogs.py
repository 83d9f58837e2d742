"""Trot and pace of a real dog: analysis of its captured motion, and its gait on a horse."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dogs import DogClip, load_dog_clip
from footfall.core.character.load import load_builtin
from footfall.core.character.recognition.names import is_part_name, side_from_name, strip_side
from footfall.core.clip import (
    analyze_quadruped_gait,
    build_quadruped_clip_style,
    read_bvh,
    save_style,
)
from footfall.core.clip.recording.quadruped.gait_analysis import FOOT_ORDER
from footfall.core.clip.recording.quadruped.gait_names import name_quadruped_gait
from footfall.core.engine import generate
from footfall.core.errors import ClipError
from footfall.core.motion import Motion
from footfall.core.sketch.gait.gait_body import build_gait_body
from footfall.core.task import Path as TaskPath
from footfall.core.task import SpeedProfile, Task
from judging import find_exceeded, has_flight_phase, judge_motion

BARS = {
    "drift_max_m": 0.001,
    "penetration_max_m": 0.003,
    "momentum_residual_bw": 0.01,
    "angular_residual": 0.015,
    "relaxed_share": 0.0,
}
FLYING = BARS | {"momentum_residual_bw": 0.025, "angular_residual": 0.02}
GAITS = ("trot", "pace")


def _clip(shared: Path, gait: str) -> DogClip:
    return load_dog_clip(shared / "data" / "robots" / "dog_motions" / f"dog_{gait}.txt")


@pytest.mark.parametrize("gait", GAITS)
def test_feet_of_the_file_stand_still_on_the_ground(shared: Path, gait: str) -> None:
    """The robot of the file is built correctly: low feet neither slide nor sink."""
    recording = _clip(shared, gait).recording
    for leg in ("FR", "FL", "RR", "RL"):
        toe = recording.positions[:, recording.joints.index(f"{leg}_toe")]
        low = toe[:, 2] < toe[:, 2].min() + 0.01
        speed = np.linalg.norm(np.gradient(toe, 1 / recording.fps, axis=0)[:, :2], axis=1)
        assert np.median(speed[low]) < 0.35
        assert 0.03 < toe[:, 2].min() < 0.06


@pytest.mark.parametrize("gait", GAITS)
def test_a_dogs_gait_is_analyzed(shared: Path, gait: str) -> None:
    clip = _clip(shared, gait)
    analysis = analyze_quadruped_gait(clip.recording)
    expected_speed = (
        np.linalg.norm((clip.recording.positions[-1, 0] - clip.recording.positions[0, 0])[:2])
        / clip.cycle
    )
    assert (analysis.gait, build_quadruped_clip_style(analysis).gait) == (gait, gait)
    assert analysis.stride_time == pytest.approx(clip.cycle, rel=0.05)
    assert analysis.speed == pytest.approx(expected_speed, rel=0.05)
    assert 0.4 < analysis.hip_height < 0.5
    assert np.isnan(analysis.curves["neck"]).all()  # The robot has neither head nor tail.
    assert np.isnan(analysis.curves["tail"]).all()


@pytest.mark.parametrize("gait", GAITS)
def test_its_joints_may_have_other_names(shared: Path, gait: str) -> None:
    recording = _clip(shared, gait).recording
    for names in (
        {"FR": "RF", "FL": "LF", "RR": "RH", "RL": "LH"},
        {"FR": "FR", "FL": "FL", "RR": "HR", "RL": "HL"},
        {"FR": "Front Right", "FL": "Front Left", "RR": "Hind Right", "RL": "Hind Left"},
    ):
        joints = tuple(names.get(name[:2], name[:2]) + name[2:] for name in recording.joints)
        analysis = analyze_quadruped_gait(replace(recording, joints=joints))
        assert analysis.gait == gait


def test_a_body_whose_legs_do_not_reach_below_their_roots_is_refused(shared: Path) -> None:
    recording = read_bvh(shared / "data" / "bvh" / "mblab_walking.bvh")
    with pytest.raises(ClipError, match="reaches no lower than that joint"):
        analyze_quadruped_gait(recording)


def test_legs_that_are_named_by_two_letters() -> None:
    assert [side_from_name(name) for name in ("FL_hip", "RR_thigh", "LH_HAA", "FL1", "Hair")] == [
        1,
        -1,
        1,
        1,
        0,
    ]
    assert strip_side("FL_hip") == strip_side("FR_hip") != strip_side("RL_hip")
    assert is_part_name("RF_shank", "front")
    assert is_part_name("RL_calf", "hind")
    assert not is_part_name("FR_arm", "forearm")


def _measure_cycle(motion: Motion) -> tuple[float, np.ndarray]:
    """Return the time of a stride [s] and the touch-down of each foot [strides]."""
    late = 0.3 * motion.frames / motion.fps
    end = motion.frames / motion.fps
    strikes = [
        np.array([f.strike for f in motion.footsteps if f.leg == leg and late < f.strike < end])
        for leg in range(4)
    ]
    stride = float(np.diff(strikes[0]).mean())
    return stride, np.array(
        [(leg_strikes[0] - strikes[0][0]) / stride % 1.0 for leg_strikes in strikes]
    )


@pytest.mark.parametrize("gait", GAITS)
def test_a_dogs_gait_on_a_horse(shared: Path, tmp_path: Path, gait: str) -> None:
    clip = analyze_quadruped_gait(_clip(shared, gait).recording)
    style = save_style(build_quadruped_clip_style(clip), tmp_path / f"a dog's {gait}.toml")
    height = build_gait_body(load_builtin("horse")).hip_height
    speed = clip.speed / clip.unit_speed * float(np.sqrt(9.81 * height))
    motion = generate(
        Task(
            TaskPath([[0, 0], [60, 0]]),
            SpeedProfile(speed),
            character="horse",
            style=str(style),
            seconds=3.0,
            fps=120.0,
        )
    )
    stride, phases = _measure_cycle(motion)
    assert stride / np.sqrt(height / 9.81) == pytest.approx(
        clip.stride_time / clip.unit_time, rel=0.05
    )
    assert np.abs((phases - clip.phases + 0.5) % 1 - 0.5).max() < 0.05
    assert name_quadruped_gait(dict(zip(FOOT_ORDER, phases, strict=True)), clip.duty) == gait
    assert not find_exceeded(
        judge_motion(shared, tmp_path, motion), FLYING if has_flight_phase(motion) else BARS
    )
