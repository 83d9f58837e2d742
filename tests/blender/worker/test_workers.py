"""The planning process that stays warm between tasks."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace

import footfall
import numpy as np
import pytest
from blender_scene import ensure_registered
from footfall.addon.worker import job as jobs
from footfall.addon.worker import process
from footfall.addon.worker.job import Job, ResolveWindow
from footfall.core.engine.centroidal.editing.pinned_steps import make_pinned_step
from footfall.core.engine.centroidal.editing.stretch import find_affected_stretch
from footfall.core.engine.shared.arrival import with_arrival_speed
from footfall.core.errors import FootfallError, ProtocolError
from footfall.core.motion import Motion
from footfall.core.task import Pace, Path, SpeedProfile, Task, Wait
from footfall.core.worker.messages import GenerateRequest, Request

WALK = Task(Path([[0, 0], [30, 0]]), SpeedProfile(1.15), style="walk", seconds=6, fps=30)

HANG_LIMIT = 600.0  # time after which an end that never comes fails the test [s]


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    jobs.stop_all_jobs()
    yield
    jobs.stop_all_jobs()


def _done(job: Job) -> Motion:
    while job.poll().motion_file is None:  # raises an error if the process ends or falls silent
        time.sleep(0.02)
    return job.load_result()


def _run(task: Task, again: ResolveWindow | None = None) -> tuple[Motion, int]:
    job = Job(task, window=again)
    try:
        motion = _done(job)
        pid = job.pid
    finally:
        job.stop()
    return motion, pid


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_process_solves_for_the_speed_of_an_arrival_in_time() -> None:
    task = replace(WALK, path=Path([[0, 0], [3, 0]]), seconds=4)
    pace = Pace(4.0, [0.0, 3.0], [1.0, 0.7], (Wait(2.0, 0.5),))
    job = Job(task, arrival_pace=pace)
    try:
        motion = _done(job)
    finally:
        job.stop()
    expected = with_arrival_speed(task, pace)
    np.testing.assert_array_equal(job.task.speed.values, expected.speed.values)
    np.testing.assert_array_equal(job.task.speed.times, expected.speed.times)
    assert motion.com[-1, 0] == pytest.approx(3.0, abs=0.15)
    far = Job(replace(task, path=Path([[0, 0], [99, 0]])), arrival_pace=pace)
    try:
        with pytest.raises(FootfallError, match="Make the path shorter"):
            _done(far)
    finally:
        far.stop()


def test_job_has_the_task_of_a_motion_that_demands_less() -> None:
    task = replace(WALK, speed=SpeedProfile(9.0), seconds=2.0, style="hop", friction=0.3)
    job = Job(task)
    try:
        motion = _done(job)
    finally:
        job.stop()
    assert any("the speed was lowered from 9.00" in note for note in motion.report.notes)
    assert job.task.speed.max_speed < 9.0
    assert job.task.path is task.path


def test_one_process_takes_one_task_after_the_other() -> None:
    motion, first = _run(WALK)
    step = next(f for f in motion.footsteps if f.leg == 0 and f.time > 3)
    kept = make_pinned_step(step)
    after = replace(
        WALK, pinned_steps=(replace(kept, position=(kept.position[0], kept.position[1] + 0.1)),)
    )
    stretch = find_affected_stretch(motion, WALK, after)
    new, second = _run(after, ResolveWindow(motion, stretch.begin, stretch.end))
    assert first == second
    assert any(
        np.linalg.norm(f.position[:2] - after.pinned_steps[0].position) < 1e-9
        for f in new.footsteps
    )
    np.testing.assert_array_equal(new.link_position[:20], motion.link_position[:20])
    with pytest.raises(FootfallError, match="cannot be solved again"):
        _run(after, ResolveWindow(motion, 3.0, 3.1))
    assert _run(replace(WALK, seconds=1))[1] == first, (
        "what is wrong with a task is no reason to start anew"
    )


def test_one_that_died_while_it_waited_is_replaced() -> None:
    _, first = _run(replace(WALK, seconds=1))
    os.kill(first, signal.SIGKILL)
    motion, second = _run(replace(WALK, seconds=1))
    assert second != first
    assert motion.frames == 31


def test_process_that_dies_at_a_request_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    _, first = _run(replace(WALK, seconds=1))
    send_request = process.WorkerProcess.send_request

    def doomed(worker: process.WorkerProcess, request: Request) -> None:
        if worker.pid == first:
            os.kill(first, signal.SIGKILL)
        send_request(worker, request)

    monkeypatch.setattr(process.WorkerProcess, "send_request", doomed)
    motion, second = _run(replace(WALK, seconds=1))
    assert second != first
    assert motion.frames == 31


def test_one_that_is_stopped_at_work_is_not_kept() -> None:
    _, first = _run(replace(WALK, seconds=1))
    job = Job(replace(WALK, seconds=60))
    assert job.pid == first
    job.stop()
    assert not _alive(first)
    job.stop()
    assert _run(replace(WALK, seconds=1))[1] != first


def test_several_work_side_by_side_and_one_is_kept() -> None:
    both = [Job(replace(WALK, seconds=1)), Job(replace(WALK, seconds=2))]
    assert both[0].pid != both[1].pid
    assert [_done(job).frames for job in both] == [31, 61]
    pids = [job.pid for job in both]
    for job in both:
        job.stop()
    assert sorted(map(_alive, pids)) == [False, True]


def test_warmed_up_ahead_of_its_first_task() -> None:
    process.warm_up()
    process.warm_up()
    (waiting,) = process._idle_workers
    assert _run(replace(WALK, seconds=1))[1] == waiting.pid


def test_no_process_is_left_when_the_add_on_is_disabled() -> None:
    _, pid = _run(replace(WALK, seconds=1))
    folder = process._idle_workers[0]._folder
    ensure_registered()
    footfall.unregister()
    assert not _alive(pid)
    assert not folder.exists()


def test_one_that_waits_in_vain_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "IDLE_TIMEOUT", 0.3)
    _, pid = _run(replace(WALK, seconds=1))
    assert process._idle_workers[0]._process.wait(HANG_LIMIT) == 0
    assert _run(replace(WALK, seconds=1))[1] != pid


@pytest.mark.parametrize(
    "line",
    ["not JSON", '{"kind": "motion"}', '{"kind": "drive ready", "min_speed": 0, "max_speed": 1}'],
)
def test_an_answer_that_cannot_be_read_ends_the_process(line: str) -> None:
    job = Job(replace(WALK, seconds=60))
    with open(job._worker._answer_file, "r+b") as answers:
        answers.write(line.encode() + b"\n")
    with pytest.raises(ProtocolError, match="bug in Footfall"):
        job.poll()
    job.stop()
    assert not _alive(job.pid)
    assert not job._folder.exists()
    assert not process._idle_workers


def test_a_request_that_cannot_be_read_is_answered_by_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(GenerateRequest, "to_json", lambda request: "not JSON")
    job = Job(WALK)
    with pytest.raises(FootfallError, match="bug in Footfall: ProtocolError"):
        _done(job)
    assert "Traceback" in job.read_log()
    job.stop()
    assert _alive(job.pid), "what is wrong with a request is no reason to start anew"
