"""Path facings, which give headings by station, and smooth lines through points."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.character.scaled import scale_character
from footfall.core.engine import generate
from footfall.core.engine.shared.scaling import to_human_scale
from footfall.core.errors import TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.task import (
    FacingOffset,
    Jump,
    PathFacing,
    SpeedProfile,
    Task,
    load_task,
    save_task,
    smooth_through,
)
from footfall.core.task import Path as Way
from judging import WALK_LIMITS, find_exceeded, judge_motion

BEND = [(0, 0), (2, 0), (4, 1.5), (4, 4)]


def _task(
    headings: list[float], places: list[tuple[float, float]], speed: float = 0.8, **values: object
) -> Task:
    smooth = smooth_through(places)
    line = smooth.points
    stations = smooth.stations
    return Task(
        Way(line),
        SpeedProfile(speed),
        style="walk",
        facing=PathFacing(headings, stations),
        **values,
    )  # type: ignore[arg-type]


def _yaw_near(motion: Motion, place: tuple[float, float]) -> float:
    """Return the heading of the pelvis where the body is nearest to a point [degrees].

    The body passes within 15 cm of the point.
    """
    away = np.linalg.norm(motion.com[:, :2] - place, axis=1)
    k = int(away.argmin())
    assert away[k] < 0.15
    return float(
        np.degrees(so3.yaw_from_matrix(so3.quat_to_matrix(motion.link_orientation[k, :1])))[0]
    )


def _off(degrees: float) -> float:
    return (degrees + 180) % 360 - 180


def test_smooth_line_passes_through_all_points_without_loops() -> None:
    # near points between distant ones
    places = np.array([(0, 0), (4, 0), (4.2, 0.1), (4.2, 3), (0, 3)], float)
    smooth = smooth_through(places)
    line = smooth.points
    stations = smooth.stations
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))
    result = np.column_stack([np.interp(stations, along, line[:, k]) for k in range(2)])
    assert result == pytest.approx(places)
    turns = np.diff(np.unwrap(np.arctan2(*np.diff(line, axis=0).T[::-1])))
    assert np.abs(turns).max() < np.radians(40)
    assert np.abs(turns).sum() < np.radians(400)  # two corners of the polygon and a small margin
    assert smooth_through([(0, 0), (0, 5)]).points[:, 1] == pytest.approx(np.linspace(0, 5, 25))
    for wrong in ([(0, 0)], [(0, 0), (1, 1), (1, 1)]):
        with pytest.raises(TaskError, match="two places"):
            smooth_through(wrong)


def test_heading_changes_evenly_by_the_smaller_angle_and_follows_the_path_by_default() -> None:
    path = Way([(0, 0), (10, 0)])
    facing = PathFacing([170.0, -170.0, np.nan, np.nan, 90.0], [0.0, 2.0, 4.0, 6.0, 8.0])
    result = np.degrees(
        facing.yaw_offset_at(path, [-5.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 12.0])
    )
    assert result == pytest.approx([170, 170, 180, 190, 275, 360, 360, 360, 405, 450, 450])
    around = np.linspace(0, 2 * np.pi, 200)
    # a full turn to the left
    circle = Way(np.column_stack([3 * np.sin(around), -3 * np.cos(around)]))
    north = PathFacing([90.0, 90.0, 90.0, 90.0], np.linspace(0, circle.length, 4))
    against = np.degrees(north.yaw_offset_at(circle, [0.0, circle.length / 2, circle.length]))
    assert against == pytest.approx(
        [90, -90, -270], abs=3
    )  # the heading is constant while the path turns


def test_task_file_keeps_path_facings(tmp_path: Path) -> None:
    save_task(_task([np.nan, 90.0, 0.0, -30.5], BEND), tmp_path / "task.toml")
    kept = load_task(tmp_path / "task.toml").facing
    assert kept is not None
    assert kept.headings == pytest.approx([np.nan, 90, 0, -30.5], nan_ok=True)
    assert kept.stations == pytest.approx(smooth_through(BEND).stations)


def test_invalid_path_facings_are_refused() -> None:
    for wrong, match in (
        (([0.0, 1.0], [0.0]), "one heading for each"),
        (([], []), "one heading"),
        (([np.inf], [0.0]), "not finite"),
        (([0.0, 0.0], [1.0, 1.0]), "must increase"),
    ):
        with pytest.raises(TaskError, match=match):
            PathFacing(*wrong)
    straight = [(0.0, 0.0), (9.0, 0.0)]
    with pytest.raises(TaskError, match="faces is given twice"):
        _task([90.0, 90.0], straight, facing_offset=FacingOffset(10.0))
    with pytest.raises(TaskError, match="take out the facing by place"):
        generate(_task([90.0, 90.0], straight, 0.0, jumps=(Jump(1.2, 0.3),), start="standing"))
    with pytest.raises(TaskError, match="turns against the path are not supported"):
        generate(_task([90.0, 90.0], straight, character="dog"))
    assert _task([np.nan, np.nan], straight, facing_offset=FacingOffset(10.0)).facing is not None


def test_body_has_the_given_headings_along_a_bend_within_the_limits(
    shared: Path, tmp_path: Path
) -> None:
    headings = [0.0, 90.0, 90.0, 180.0]
    motion = generate(_task(headings, BEND, seconds=9.0, fps=120.0))
    for place, heading in zip(BEND[1:3], headings[1:3], strict=True):
        assert _off(_yaw_near(motion, place) - heading) == pytest.approx(0, abs=12)
    result = judge_motion(shared, tmp_path, motion)
    # Pops exceed the limit of a walk because feet turn under the body:
    # this bound only shows that it does not get worse
    bars = WALK_LIMITS | {
        "friction_p99": 0.6,
        "speed_error": 0.03,
        "pop_max_deg_per_frame2": 4,
        "relaxed_share": 0,
    }
    assert not find_exceeded(result, bars)


def test_turn_on_a_short_distance_slows_the_body() -> None:
    motion = generate(
        _task([0.0, 0.0, 180.0, 180.0], [(0, 0), (3, 0), (3.3, 0), (9, 0)], 1.4, seconds=6.0)
    )
    assert any("faces away" in note for note in motion.report.notes)
    assert abs(_off(_yaw_near(motion, (2.0, 0.0)))) < 20
    assert abs(_off(_yaw_near(motion, (4.0, 0.0)) - 180)) < 20
    facing = np.degrees(
        np.unwrap(so3.yaw_from_matrix(so3.quat_to_matrix(motion.link_orientation[:, 0])))
    )
    assert np.abs(np.diff(facing)).max() * motion.fps < 220


def test_path_facings_scale_with_the_body() -> None:
    task = _task([0.0, 90.0, 90.0, 180.0], BEND)
    big = scale_character(load_character("humanoid"), 3.0)
    scaled = to_human_scale(task, big)
    small = scaled.task
    scale = scaled.scale
    there = np.linspace(0.0, task.path.length, 20)
    assert small.facing is not None
    assert task.facing is not None
    assert scale.length == pytest.approx(3 * load_character("humanoid").leg_length / 0.93)
    assert small.facing.yaw_offset_at(small.path, there / scale.length) == pytest.approx(
        task.facing.yaw_offset_at(task.path, there), abs=1e-6
    )
