"""Key poses: chest, arms and head reach them in time, the legs walk on, and nothing jumps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.errors import TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.task import KeyPose, SpeedProfile, Task, load_task, save_task
from judging import WALK_LIMITS, find_exceeded, judge_motion

TASK = Task(make_straight_path(30), SpeedProfile(1.2), seconds=4, fps=60, style="walk")
SALUTE = {
    "upper_arm.R": so3.quat_from_matrix(
        so3.rotation_about("x", -1.3) @ so3.rotation_about("y", -0.5)
    ),
    "forearm.R": so3.quat_from_matrix(
        so3.rotation_about("x", -1.3) @ so3.rotation_about("y", -2.6)
    ),
}
WAVE = KeyPose(
    2.0,
    {name: tuple(float(v) for v in turn) for name, turn in SALUTE.items()},
    hold_time=0.5,
    blend_time=0.5,
)  # type: ignore[misc]


def _hand(motion: Motion) -> np.ndarray:
    """Return the height of the right forearm over the chest. (n,)."""
    names = motion.link_names
    return (
        motion.link_position[:, names.index("forearm.R"), 2]
        - motion.link_position[:, names.index("chest"), 2]
    )


def test_key_pose_is_reached_at_its_time_and_left_afterwards() -> None:
    plain = generate(TASK)
    motion = generate(replace(TASK, key_poses=(WAVE,)))
    arm = motion.link_names.index("upper_arm.R")
    got = so3.quat_to_matrix(motion.link_orientation[:, arm])
    off = np.degrees(
        np.linalg.norm(
            so3.log(np.swapaxes(got, 1, 2) @ so3.quat_to_matrix(SALUTE["upper_arm.R"])), axis=1
        )
    )
    held = slice(int(1.8 * 60), int(2.2 * 60) + 1)
    assert off[held].max() < 12  # relative to the chest, which turns with the steps
    assert _hand(motion)[held].min() > _hand(plain)[held].max() + 0.15
    away = np.r_[0 : int(1.1 * 60), int(2.9 * 60) : motion.frames]
    np.testing.assert_allclose(
        motion.link_position[away, arm] - plain.link_position[away, arm], 0, atol=0.02
    )
    foot = motion.link_names.index("foot.L")
    np.testing.assert_allclose(
        motion.link_position[:, foot], plain.link_position[:, foot], atol=0.01
    )


def test_motion_with_key_poses_is_within_the_limits(shared: Path, tmp_path: Path) -> None:
    motion = generate(replace(TASK, fps=120, key_poses=(WAVE,)))
    assert not find_exceeded(judge_motion(shared, tmp_path, motion), WALK_LIMITS)


def test_times_of_key_poses_scale() -> None:
    """Under another gravity the task has another time scale; key poses keep their times."""
    motion = generate(replace(TASK, gravity=3.7, key_poses=(WAVE,)))
    high = _hand(motion)
    assert 1.7 < np.argmax(high) / motion.fps < 2.3


def test_task_file_keeps_key_poses(tmp_path: Path) -> None:
    save_task(
        replace(TASK, key_poses=(WAVE, replace(WAVE, time=3.0, hold_time=0.0))),
        tmp_path / "task.toml",
    )
    assert load_task(tmp_path / "task.toml").key_poses == (
        WAVE,
        replace(WAVE, time=3.0, hold_time=0.0),
    )


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: KeyPose(1.0, {}), "turns no link"),
        (lambda: KeyPose(1.0, {"head": (0, 0, 0, 0)}), "quaternion"),
        (lambda: KeyPose(np.nan, {"head": (1, 0, 0, 0)}), "nan s"),
        (lambda: KeyPose(1.0, {"head": (1, 0, 0, 0)}, blend_time=0), "at least 0.05 s"),
        (
            lambda: generate(replace(TASK, key_poses=(KeyPose(1.0, {"tail": (1, 0, 0, 0)}),))),
            "link 'tail'",
        ),
        (
            lambda: generate(replace(TASK, key_poses=(KeyPose(1.0, {"foot.L": (1, 0, 0, 0)}),))),
            "legs and pelvis",
        ),
        (
            lambda: generate(replace(TASK, character="dog", style="natural", key_poses=(WAVE,))),
            "key poses",
        ),
    ],
)
def test_invalid_key_poses_are_refused(make: object, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        make()  # type: ignore[operator]
