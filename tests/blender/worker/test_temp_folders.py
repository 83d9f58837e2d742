"""Temporary folders that are missing, removed or left by a killed Blender; a stopped process."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest
from blender_scene import Snapshot, add_detected_metarig
from footfall.addon import temp_folders
from footfall.addon.bake import history
from footfall.addon.worker import client, process
from footfall.addon.worker.job import Job, stop_all_jobs
from footfall.core.errors import FootfallError
from footfall.core.task import Path as TaskPath
from footfall.core.task import SpeedProfile, Task

WALK = Task(TaskPath([[0, 0], [30, 0]]), SpeedProfile(1.15), style="walk", seconds=1, fps=30)
LONG_WALK = Task(TaskPath([[0, 0], [99, 0]]), SpeedProfile(1.15), style="walk", seconds=60, fps=30)
CREATE_AND_WAIT = """
import sys
from footfall.addon.temp_folders import create_temp_folder
print(create_temp_folder("task"), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temp_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder in which temporary folders are created."""
    stop_all_jobs()
    temp_folders.remove_session_folder()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    stop_all_jobs()
    temp_folders.remove_session_folder()


def _wait_for_motion(job: Job) -> None:
    while job.poll().motion_file is None:
        time.sleep(0.02)


def test_folders_of_a_killed_blender_are_removed(temp_root: Path) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", CREATE_AND_WAIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temp_root)},
    )
    assert other.stdout is not None
    folder = Path(other.stdout.readline().strip())
    assert folder.parent.parent == temp_root
    kept = temp_folders.create_temp_folder("task")
    for session in temp_root.iterdir():
        os.utime(session, (0, 0))
    temp_folders.remove_stale_folders()
    assert folder.is_dir()
    assert kept.is_dir()
    other.kill()
    other.communicate()
    young = temp_root / f"{temp_folders.SESSION_PREFIX}young"
    young.mkdir()
    (young / temp_folders.LOCK_NAME).touch()
    temp_folders.remove_stale_folders()
    assert not folder.parent.exists()
    assert kept.is_dir()
    assert young.is_dir()


def test_missing_temporary_folder_is_named(
    scene: bpy.types.Scene, temp_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    armature = add_detected_metarig(scene)
    before = Snapshot.from_armature(armature)
    stop_all_jobs()
    temp_folders.remove_session_folder()
    monkeypatch.setattr(tempfile, "tempdir", str(temp_root / "missing"))
    with pytest.raises(RuntimeError, match=r"missing cannot be used: No such file.*TMPDIR"):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


def test_full_temporary_folder_leaves_the_last_bake(
    scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    armature = add_detected_metarig(scene)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    action = armature.animation_data.action
    before = Snapshot.from_armature(armature)

    def fail(*_: object) -> bytes:
        with temp_folders.open_temp_folder("plan"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(history, "pack_plan", fail)
    with pytest.raises(RuntimeError, match="No space left on device"):
        bpy.ops.footfall.bake_again()
    assert armature.animation_data.action == action
    assert not action.use_fake_user
    assert Snapshot.from_armature(armature) == before


def test_removed_folders_are_reported_or_replaced() -> None:
    job = Job(LONG_WALK)
    shutil.rmtree(job._worker._folder)
    with pytest.raises(FootfallError, match="temporary folder"):
        job.poll()
    job.stop()
    job = Job(WALK)
    _wait_for_motion(job)
    job.stop()
    (idle,) = process._idle_workers
    shutil.rmtree(idle._folder.parent)
    job = Job(WALK)
    _wait_for_motion(job)
    job.stop()
    assert idle.status is not None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that stops a process")
def test_stopped_process_ends_in_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SILENCE_LIMIT", 0.3)
    monkeypatch.setattr(process, "MAX_POLL_INTERVAL", 0.01)  # so that 30 polls are silence
    job = Job(LONG_WALK)
    os.kill(job.pid, signal.SIGSTOP)
    with pytest.raises(FootfallError, match="has been silent"):
        _wait_for_motion(job)
    job.stop()
    assert job._worker.status is not None


def test_process_gives_signs_of_life() -> None:
    worker = process.WorkerProcess()
    try:
        while not worker._answer_file.stat().st_size:
            time.sleep(0.05)
        assert worker.read_answers() == []
        assert worker.silence == 0
    finally:
        worker.end()
