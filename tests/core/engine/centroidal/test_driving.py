"""Driven bodies: steps follow the commands as far as possible, and the parts join to one motion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as File

import numpy as np
import pytest
from footfall.core.engine.base import LIVE_ENGINE_NAME, DriveCommand
from footfall.core.engine.centroidal.driver import CentroidalDriver
from footfall.core.errors import MotionError, TaskError
from footfall.core.motion import Motion
from footfall.core.motion.splice import cut_first_frames, join_parts
from footfall.core.task import Path, Push, SpeedProfile, Task
from footfall.core.terrain import ExtendedGround, MeshGround
from judging import judge_motion

TASK = Task(Path([[0, 0], [1, 0]]), SpeedProfile(1.2), fps=60)
BACK = DriveCommand(1.2, np.pi)


def _driven(commands: list[DriveCommand], task: Task = TASK) -> list[Motion]:
    """Return the parts of a drive by commands.

    Now and then the commands change and the last part is planned again.
    """
    driver = CentroidalDriver(task)
    parts = []
    for k, command in enumerate(commands):
        if k % 3 == 1:
            driver.advance(DriveCommand(2.0, 1.0, (Push(0, (150, 0, 0)),)))
            driver.undo_last()
        parts.append(driver.advance(command))
    return parts


def test_random_commands_give_one_continuous_motion(tmp_path: File, shared: File) -> None:
    commands = [
        *[DriveCommand(1.2)] * 2,
        *[BACK] * 8,
        *[DriveCommand(3.0, np.pi)] * 5,
        *[DriveCommand(0.0, np.pi)] * 5,
        *[DriveCommand(1.2, 0.0)] * 8,
        DriveCommand(1.2, 0.0, (Push(0, (0, 150, 0)),)),
        *[DriveCommand(1.2, 0.0)] * 4,
    ]
    parts = _driven(commands)
    motion = join_parts(parts)
    assert motion.frames == sum(p.frames for p in parts)
    assert motion.report.engine == LIVE_ENGINE_NAME
    figures = judge_motion(shared, tmp_path, motion)
    assert figures["drift_max_m"] < 1e-3
    assert figures["pop_max_deg_per_frame2"] < 12
    assert figures["momentum_residual_bw"] < 0.02
    assert figures["off_terrain_contacts"] == 0
    assert figures["relaxed_share"] < 0.02
    velocity = np.gradient(motion.com, 1 / motion.fps, axis=0)
    ends = np.cumsum([p.frames for p in parts])
    assert velocity[ends[13] : ends[14], 0].mean() == pytest.approx(-3.0, abs=0.4)
    assert velocity[-60:, 0].mean() == pytest.approx(1.2, abs=0.2)


def test_undone_part_leaves_no_trace() -> None:
    plain = []
    driver = CentroidalDriver(TASK)
    for command in [DriveCommand(1.2)] * 3 + [BACK] * 4:
        plain.append(driver.advance(command))
    again = _driven([DriveCommand(1.2)] * 3 + [BACK] * 4)
    # the order of numpy's sums depends on the alignment of arrays in memory
    for a, b in zip(plain, again, strict=True):
        np.testing.assert_allclose(a.link_position, b.link_position, rtol=0, atol=1e-10)


def test_footsteps_of_parts_are_reported_once() -> None:
    motion = join_parts(_driven([DriveCommand(1.2)] * 8))
    strikes = np.array([f.strike for f in motion.footsteps])
    assert [f.leg for f in motion.footsteps] == [
        (motion.footsteps[0].leg + k) % 2 for k in range(len(strikes))
    ]
    assert np.diff(strikes).min() > 0.3
    assert strikes[-1] < motion.report.clip_seconds
    cut = cut_first_frames(motion, 60)
    assert (cut.frames, cut.report.clip_seconds) == (60, 1.0)
    assert all(f.strike <= 1.0 for f in cut.footsteps)
    np.testing.assert_array_equal(cut.link_origin, motion.link_origin[:60])
    for frames in (0, motion.frames + 1):
        with pytest.raises(MotionError, match="must be 1 to"):
            cut_first_frames(motion, frames)
    with pytest.raises(MotionError, match="no part"):
        join_parts([])


def test_drive_continues_on_level_ground_beyond_the_terrain() -> None:
    tilted = MeshGround(
        [(-2, -2, -0.2), (2, -2, 0.2), (2, 2, 0.2), (-2, 2, -0.2)], [(0, 1, 2), (0, 2, 3)]
    )
    ground = ExtendedGround(tilted)
    np.testing.assert_allclose(
        ground.sample_heights([(0, 0), (1, 1), (6, 0.5), (-9, 0), (0.5, 7)]),
        (0, 0.1, 0.2, -0.2, 0.05),
        atol=0.01,
    )
    motion = join_parts(_driven([DriveCommand(1.2)] * 8, replace(TASK, ground=tilted)))
    assert motion.com[-1, 0] > 4
    rests = motion.contact_position[motion.contact_active]
    np.testing.assert_allclose(rests[:, 2], 0.1 * np.minimum(rests[:, 0], 2), atol=0.02)


def test_only_humans_are_driven_and_the_step_time_has_a_minimum() -> None:
    with pytest.raises(TaskError, match="cannot be driven"):
        CentroidalDriver(Task(Path([[0, 0], [1, 0]]), SpeedProfile(1.0), character="dog"))
    motion = join_parts(_driven([DriveCommand(0.0)] * 6))
    assert not motion.relaxed.any()
    assert motion.com[-1, 0] - motion.com[-60, 0] == pytest.approx(
        CentroidalDriver(TASK).speed_range.slowest, abs=0.08
    )
