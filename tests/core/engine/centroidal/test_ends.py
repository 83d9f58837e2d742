"""Clips that begin and end in given poses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath
from typing import NamedTuple

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.engine import generate
from footfall.core.engine.centroidal.end_poses import EndPoses
from footfall.core.errors import TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.task import Path, SpeedProfile, StandingPose, SteppingStones, Task
from footfall.core.task.file import load_task, save_task

WALK = Task(Path([[0, 0], [3, 0]]), SpeedProfile(1.2), seconds=6, fps=60, start="standing")


@pytest.fixture(scope="module")
def stood() -> Motion:
    """Return the motion of a body that has stopped at its path's end."""
    return generate(WALK)


def _pose(motion: Motion, x: float, arms: float) -> StandingPose:
    """Return the motion's last pose with arms lifted to the front, at a position along x."""
    turns = {}
    for name, quat in zip(motion.link_names, motion.link_orientation[-1], strict=True):
        arm = any(part in name for part in ("upper_arm", "forearm", "hand"))
        turns[name] = tuple(
            so3.quat_multiply(so3.quat_exp(np.array([0.0, -arms * arm, 0.0])), quat)
        )
    return StandingPose((x, *motion.link_origin[-1, 0, 1:]), turns)


class _Between(NamedTuple):
    """A task with given poses at both ends, and its motion."""

    task: Task
    motion: Motion


@pytest.fixture(scope="module")
def between(stood: Motion) -> _Between:
    """Return a clip between two standing poses."""
    task = replace(WALK, first_pose=_pose(stood, 0.0, 1.2), last_pose=_pose(stood, 3.0, 0.6))
    return _Between(task, generate(task))


@pytest.mark.parametrize(("frame", "which"), [(0, "first_pose"), (-1, "last_pose")])
def test_a_clip_begins_and_ends_in_the_poses_given(
    between: _Between, frame: int, which: str
) -> None:
    task, motion = between
    pose = getattr(task, which)
    np.testing.assert_allclose(motion.link_origin[frame, 0], pose.position, atol=1e-6)
    wanted = np.array([pose.orientations[name] for name in motion.link_names])
    off = so3.quat_log(
        so3.quat_multiply(so3.quat_conjugate(wanted), motion.link_orientation[frame])
    )
    assert np.abs(off).max() < 1e-6
    ends = motion.link_position[[0, 1]] if frame == 0 else motion.link_position[[-2, -1]]
    assert np.abs(np.diff(ends, axis=0)).max() * task.fps < 0.01, "at rest"


def test_feet_between_poses_stay_where_they_stand(between: _Between) -> None:
    _, motion = between
    rests = motion.contact_active[1:] & motion.contact_active[:-1]
    assert (np.linalg.norm(np.diff(motion.contact_position, axis=0), axis=-1) * rests).max() < 5e-4
    assert np.linalg.norm(motion.com - motion.planned_com, axis=1).max() < 6e-3
    assert not motion.report.violations


def test_a_clip_from_standing_stands_first(stood: Motion) -> None:
    assert stood.contact_active[0].reshape(2, -1).any(1).all(), "on both feet"
    assert np.abs(np.diff(stood.com[:6], axis=0)).max() * stood.fps < 0.05


@pytest.mark.parametrize("drop", [-0.03, 0.03])
def test_feet_of_a_pose_are_set_on_the_ground(drop: float) -> None:
    character = load_builtin("humanoid")
    model = KinematicModel(character)
    low = StandingPose((0.0, 0.0, character.root_height - drop), {"chest": (0.99, 0.0, 0.1, 0.0)})
    end_poses = EndPoses.from_task(replace(WALK, first_pose=low), model)
    assert end_poses.first is not None
    placed = model.compute_link_poses(end_poses.first.pose[None])
    for foot in character.feet:
        for point in (foot.heel, foot.ball):
            place = placed.origin[0, foot.link] + placed.rotation[0, foot.link] @ point
            assert abs(place[2]) < 0.002
    (note,) = end_poses.notes
    assert "above or in the ground" in note


def test_a_pose_that_turns_the_chest_does_not_lean_the_whole_body() -> None:
    """A body whose pelvis leans as far as its chest stands beside its feet, and flails."""
    character = load_builtin("humanoid")
    model = KinematicModel(character)
    turn = so3.quat_exp(np.array([0.2, 0.0, 0.0]))
    pose = StandingPose((0.0, 0.0, character.root_height), {"chest": tuple(turn)})
    end_poses = EndPoses.from_task(replace(WALK, first_pose=pose), model)
    assert end_poses.first is not None
    placed = model.compute_link_poses(end_poses.first.pose[None])
    chest = character.link_names().index("chest")
    np.testing.assert_allclose(placed.rotation[0, 0], np.eye(3), atol=0.01)
    np.testing.assert_allclose(placed.rotation[0, chest], so3.quat_to_matrix(turn), atol=0.01)
    assert abs(np.mean([foot.position[1] for foot in end_poses.first.feet])) < 0.01


def test_feet_of_a_pose_on_the_ground_are_kept(stood: Motion) -> None:
    model = KinematicModel(load_builtin("humanoid"))
    end_poses = EndPoses.from_task(replace(WALK, first_pose=_pose(stood, 0.0, 1.2)), model)
    assert end_poses.notes == ()


def test_messages_of_poses(stood: Motion) -> None:
    pose = _pose(stood, 0.0, 0.0)
    with pytest.raises(TaskError, match="standing"):
        replace(WALK, start="moving", first_pose=pose)
    with pytest.raises(TaskError, match="off the ground"):
        generate(replace(WALK, first_pose=replace(pose, position=(0.0, 0.0, 1.3))))
    stones = SteppingStones([[0.3 * k, 0.1 * (-1) ** k] for k in range(20)])
    with pytest.raises(TaskError, match="take out the pose or the stones"):
        generate(replace(WALK, first_pose=pose, stepping_stones=stones))
    with pytest.raises(TaskError, match="'tail'"):
        generate(
            replace(WALK, first_pose=replace(pose, orientations={"tail": (1.0, 0.0, 0.0, 0.0)}))
        )
    with pytest.raises(TaskError, match="still moves"):
        generate(replace(WALK, seconds=2.5, last_pose=_pose(stood, 3.0, 0.0)))
    with pytest.raises(TaskError, match="quaternion"):
        StandingPose((0.0, 0.0, 1.0), {"pelvis": (0.0, 0.0, 0.0, 0.0)})


def test_poses_in_a_task_file(stood: Motion, tmp_path: FilePath) -> None:
    task = replace(WALK, first_pose=_pose(stood, 0.0, 1.0))
    save_task(task, tmp_path / "task.toml")
    read = load_task(tmp_path / "task.toml")
    assert read.last_pose is None
    assert read.first_pose is not None
    assert task.first_pose is not None
    assert read.first_pose.position == pytest.approx(task.first_pose.position)
    assert read.first_pose.orientations.keys() == task.first_pose.orientations.keys()
    (tmp_path / "bad.toml").write_text(
        (tmp_path / "task.toml").read_text().replace("[first]", "[first]\nknees = 2")
    )
    with pytest.raises(TaskError, match="first pose"):
        load_task(tmp_path / "bad.toml")
