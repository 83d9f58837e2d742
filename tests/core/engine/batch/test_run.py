"""Batches on processes and threads: order, files, errors, deaths and stops."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from batch_work import die_once, refuse_odd_numbers, sleep_and_write, write_folder, write_square
from footfall.core.engine.batch import Batch, ProcessPool, run_batch
from footfall.core.engine.batch import job as job_module
from footfall.core.engine.batch.motions import create_motion_batch
from footfall.core.engine.batch.run import PARAMETERS
from footfall.core.errors import BatchError, Cancelled
from footfall.core.scenarios.scenarios import SCENARIOS

NO_KILL = sys.platform == "win32"


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def _number_batch(count: int, folder: Path) -> Batch[int, int]:
    return Batch(write_square, range(count), [f"{k}.txt" for k in range(count)], folder)


def test_results_are_files_in_the_order_of_the_items(threads: Executor, tmp_path: Path) -> None:
    shares: list[float] = []
    results = list(run_batch(_number_batch(20, tmp_path / "out"), threads, shares.append))
    assert [result.summary for result in results] == list(range(20))
    assert [int(result.path.read_text()) for result in results] == [k**2 for k in range(20)]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(r.name for r in results)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_results_of_an_earlier_batch_are_replaced(threads: Executor, tmp_path: Path) -> None:
    for text in ("first", "second"):
        batch = Batch(write_folder, [text], ["a"], tmp_path)
        assert [result.error for result in run_batch(batch, threads)] == [None]
        assert (tmp_path / "a" / "text.txt").read_text() == text
        (tmp_path / "a" / "of the user.txt").touch()
    assert len(list((tmp_path / "a").iterdir())) == 2


def test_errors_of_jobs_do_not_end_the_batch(threads: Executor, tmp_path: Path) -> None:
    batch = Batch(refuse_odd_numbers, range(4), list("abcd"), tmp_path)
    results = list(run_batch(batch, threads))
    errors = [None, "1 is odd.", "ZeroDivisionError: two", "3 is odd."]
    assert [result.error for result in results] == errors
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_motions_do_not_depend_on_the_executor(threads: Executor, tmp_path: Path) -> None:
    scenario = SCENARIOS["humanoid-walk"]
    tasks = [scenario.build_task(seconds=0.5, seed=k, speed=1 + k / 4) for k in range(4)]
    with ProcessPool(2) as processes:
        for name, executor in (("processes", processes), ("threads", threads)):
            results = list(run_batch(create_motion_batch(tasks, tmp_path / name), executor))
            assert [(r.name, r.error) for r in results] == [(f"{k:02}", None) for k in range(4)]
    for k in range(4):
        files = [tmp_path / name / f"{k:02}" / "motion.npz" for name in ("processes", "threads")]
        assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.skipif(NO_KILL, reason="processes cannot be killed by a signal")
def test_process_that_dies_costs_a_retry(tmp_path: Path) -> None:
    markers = ["never", str(tmp_path / "dead"), "never", "always", "never"]
    batch = Batch(die_once, markers, list("abcde"), tmp_path / "out")
    with ProcessPool(2) as pool:
        results = list(run_batch(batch, pool))
    assert [result.name for result in results if result.error is None] == list("abce")
    assert results[3].error is not None
    assert "workers were lost" in results[3].error
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == list("abce")


@pytest.mark.skipif(NO_KILL, reason="processes cannot be killed by a signal")
def test_processes_killed_at_random_moments_leave_whole_results(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    batch = Batch(sleep_and_write, rng.uniform(0, 0.1, 30), [f"{k}" for k in range(30)], tmp_path)
    killed = set()
    with ProcessPool(2) as pool:
        for k, result in enumerate(run_batch(batch, pool)):
            assert result.path.read_text() == "half whole"
            assert result.summary is not None
            if k in (3, 15) and result.summary not in killed:
                killed.add(result.summary)
                os.kill(result.summary, signal.SIGKILL)
    assert len(killed) == 2
    assert k == 29
    assert len(list(tmp_path.iterdir())) == 30


def test_cancel(threads: Executor, tmp_path: Path) -> None:
    batch = Batch(sleep_and_write, [0.05] + [0.5] * 50, [f"{k}" for k in range(51)], tmp_path)
    stop = threading.Event()

    def progress(share: float) -> None:
        if stop.is_set():
            raise Cancelled("stopped")

    run = run_batch(batch, threads, progress)
    assert next(run).error is None
    stop.set()
    begin = time.monotonic()
    with pytest.raises(Cancelled):
        next(run)
    assert time.monotonic() - begin < 0.45
    threads.shutdown()
    assert all(path.read_text() == "half whole" for path in tmp_path.iterdir())
    assert 1 <= len(list(tmp_path.iterdir())) <= 5


def test_other_versions_are_refused(
    threads: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_others() -> dict[str, str]:
        return {"Footfall": "0.0.9", "Python": "2.7"}

    monkeypatch.setattr(job_module, "find_versions", find_others)
    with pytest.raises(BatchError, match=r"has Footfall 0\.0\.9 instead of .*, Python 2\.7 inst"):
        list(run_batch(_number_batch(2, tmp_path), threads))
    assert list(tmp_path.iterdir()) == []


def test_folders_that_cannot_be_used(threads: Executor, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BatchError, match="cannot be written"):
        list(run_batch(_number_batch(1, tmp_path / "file"), threads))
    job = job_module.BatchJob(
        write_square,
        1,
        str(tmp_path / "a"),
        str(tmp_path / "none"),
        "0-",
        job_module.find_versions(),
    )
    refusal = job_module.do_job(job).refusal
    assert refusal is not None
    assert "does not see the folder" in refusal


def test_results_on_storage_of_another_machine(
    threads: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_module, "move_result", lambda source, target: source.unlink())
    parameters = replace(PARAMETERS, storage_delay=0.2)
    with pytest.raises(BatchError, match="not there on this machine"):
        list(run_batch(_number_batch(1, tmp_path), threads, parameters=parameters))


def test_executor_that_is_shut_down(threads: Executor, tmp_path: Path) -> None:
    threads.shutdown()
    with pytest.raises(BatchError, match="takes no more jobs"):
        list(run_batch(_number_batch(1, tmp_path), threads))


def test_bad_names_and_counts(tmp_path: Path) -> None:
    for names in (["a"], ["a", "a"], ["a", "b/c"], ["a", ".."], ["a", ""]):
        with pytest.raises(BatchError, match="name"):
            Batch(write_square, [1, 2], names, tmp_path)
    with pytest.raises(BatchError, match="at least 1"):
        ProcessPool(0)
