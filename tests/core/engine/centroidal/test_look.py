"""Heads turn to a target as far as necks allow, at any scale, and the other motion is unchanged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.errors import TaskError
from footfall.core.geometry.so3 import quat_to_matrix
from footfall.core.motion import Motion
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.task import GazeTarget, SpeedProfile, Task, load_task, save_task
from judging import WALK_LIMITS, find_exceeded, judge_motion
from numpy.typing import NDArray

TASK = Task(make_straight_path(30), SpeedProfile(1.2), seconds=4, fps=60, style="walk")


def _off(
    motion: Motion, places: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the angles of the target from the head's direction and from the pelvis's heading.

    In degrees, (n,) each.
    """
    head = motion.link_names.index("head")
    pelvis = motion.link_names.index("pelvis")
    looks, faces = (quat_to_matrix(motion.link_orientation[:, k])[..., 0] for k in (head, pelvis))
    away = places - motion.link_origin[:, head]
    to = away / np.linalg.norm(away, axis=1, keepdims=True)
    aside = np.arctan2(to[:, 1], to[:, 0]) - np.arctan2(faces[:, 1], faces[:, 0])
    return np.degrees(np.arccos(np.clip((looks * to).sum(1), -1, 1))), np.degrees(
        (aside + np.pi) % (2 * np.pi) - np.pi
    )


def test_head_follows_a_target_until_it_is_behind() -> None:
    place = np.array([3.0, 1.5, 1.2])
    motion = generate(replace(TASK, gaze=GazeTarget(place), seconds=6))
    off, aside = _off(motion, np.tile(place, (motion.frames, 1)))
    seen = np.abs(aside) < 60
    behind = np.abs(aside) > 170
    assert seen.sum() > 60
    assert off[seen].max() < 4.5
    ahead = quat_to_matrix(motion.link_orientation[:, motion.link_names.index("head")])[behind][
        :, 0, 0
    ]
    assert (ahead > np.cos(np.radians(15))).all()


def test_moving_target_is_followed() -> None:
    times = np.linspace(0, 4, 9)
    look = GazeTarget(
        np.stack([1.2 * times + 3, np.sin(1.5 * times), 1.5 + 0.4 * np.cos(times)], -1), times
    )
    motion = generate(replace(TASK, gaze=look))
    off, _ = _off(motion, look.position_at(np.arange(motion.frames) / motion.fps))
    assert off[10:-10].max() < 6


def test_other_motion_is_unchanged(shared: Path, tmp_path: Path) -> None:
    plain = generate(replace(TASK, fps=120, seconds=3))
    motion = generate(replace(TASK, fps=120, seconds=3, gaze=GazeTarget([2.0, -3.0, 0.2])))
    assert [f.strike for f in motion.footsteps] == pytest.approx(
        [f.strike for f in plain.footsteps]
    )
    foot = plain.link_names.index("foot.L")
    np.testing.assert_allclose(
        motion.link_position[:, foot], plain.link_position[:, foot], atol=0.01
    )
    assert not find_exceeded(judge_motion(shared, tmp_path, motion), WALK_LIMITS)


def test_bodies_of_any_size_look_at_the_same_place() -> None:
    """Under another gravity the task is planned at another scale, and the target scales as well."""
    place = np.array([4.0, 2.0, 1.0])
    motion = generate(replace(TASK, gravity=3.7, gaze=GazeTarget(place), seconds=3))
    off, aside = _off(motion, np.tile(place, (motion.frames, 1)))
    assert off[np.abs(aside) < 60].max() < 8  # long strides shake the head by some degrees


def test_task_file_keeps_the_look(tmp_path: Path) -> None:
    task = replace(TASK, gaze=GazeTarget([[1, 2, 3], [4, 5, 6]], [0, 2.5]))
    save_task(task, tmp_path / "task.toml")
    again = load_task(tmp_path / "task.toml").gaze
    assert again is not None
    np.testing.assert_array_equal(
        again.position_at(np.array([-1, 1.25, 9.0])), [[1, 2, 3], [2.5, 3.5, 4.5], [4, 5, 6]]
    )
    (tmp_path / "short.toml").write_text(
        "footfall_task = 1\nspeed = 1.0\n[path]\npoints = [[0, 0], [5, 0]]\n[look]\nplaces = "
        "[3.0, 1.0, 1.5]\n"
    )
    short = load_task(tmp_path / "short.toml").gaze
    assert short is not None
    assert short.places.tolist() == [[3.0, 1.0, 1.5]]


@pytest.mark.parametrize(
    ("places", "times", "says"),
    [
        ([1, 2], 0.0, "x, y and z"),
        ([[1, 2, 3]], [0, 1], "1, 3"),
        ([[1, 2, np.nan]], 0.0, "not a finite"),
        ([[1, 2, 3], [1, 2, 3]], [1, 1], "must increase"),
    ],
)
def test_invalid_targets_are_refused(places: object, times: object, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        GazeTarget(places, times)  # type: ignore[arg-type]


def test_look_of_animals_is_refused() -> None:
    with pytest.raises(TaskError, match="gaze targets"):
        generate(replace(TASK, character="dog", style="natural", gaze=GazeTarget([1, 2, 3])))
