"""Batches on a Dask cluster of two workers on this machine."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from batch_work import sleep_and_write
from footfall.core.engine.batch import Batch, cluster, open_cluster, run_batch
from footfall.core.engine.batch.motions import create_motion_batch
from footfall.core.errors import BatchError
from footfall.core.scenarios.scenarios import SCENARIOS

if not os.environ.get("CI"):
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

ROOT = Path(__file__).resolve().parents[4]
PLACES = [str(ROOT / "tests" / "support"), *filter(None, sys.path)]
JOIN_TIMEOUT = 300  # for workers on a busy machine [s]
GREETINGS = 3  # Attempts to connect to the scheduler


class Cluster:
    """Processes of a cluster, started as a user starts them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # of logs and temporary files
        self.workers: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        port = self.address.rpartition(":")[2]
        command = ["scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"]
        self.scheduler = self._start(command, PLACES)

    def add_worker(self, places: list[str] = PLACES) -> None:
        """Start a worker with one thread, which imports modules from some places."""
        command = ["worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        command += ["--local-directory", str(self.folder)]
        self.workers.append(self._start(command, places))

    def await_workers(self) -> None:
        """Wait until all workers that run have joined.

        The client asserts that the scheduler answers its greeting with one message; a worker that
        joins at this moment adds another one.
        """
        for _ in range(GREETINGS):
            try:
                self._connect()
            except AssertionError:
                continue
            return
        pytest.fail("the scheduler answered no greeting with one message")

    def _connect(self) -> None:
        from distributed import Client

        with Client(self.address, timeout=JOIN_TIMEOUT, set_as_default=False) as client:
            if count := self.count_workers():
                client.wait_for_workers(count, timeout=JOIN_TIMEOUT)

    def count_workers(self) -> int:
        """Return the number of workers that run."""
        return sum(worker.poll() is None for worker in self.workers)

    def remove_worker(self) -> None:
        """End the worker that was added last."""
        _end(self.workers.pop())

    def stop(self) -> None:
        """End all processes."""
        for process in [*self.workers, self.scheduler]:
            _end(process)

    def _start(self, arguments: list[str], places: list[str]) -> subprocess.Popen[bytes]:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
        with (self.folder / f"{arguments[0]}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", "dask", *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=self.folder,
            )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def clusters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Cluster]]:
    started = [Cluster(tmp_path_factory.mktemp("cluster"))]
    yield started
    for each in started:
        each.stop()


@pytest.fixture
def two_workers(clusters: list[Cluster], tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    """The cluster of the test before, with new processes for those that have died."""
    if clusters[-1].scheduler.poll() is not None:
        clusters.append(Cluster(tmp_path_factory.mktemp("cluster")))
    cluster = clusters[-1]
    for _ in range(2 - cluster.count_workers()):
        cluster.add_worker()
    cluster.await_workers()
    return cluster


def test_motions_are_those_of_this_machine(two_workers: Cluster, tmp_path: Path) -> None:
    scenario = SCENARIOS["humanoid-terrain-walk"]
    tasks = [scenario.build_task(seconds=0.5, seed=k) for k in range(3)]
    with open_cluster(two_workers.address) as executor:
        far = list(run_batch(create_motion_batch(tasks, tmp_path / "far"), executor))
    with ThreadPoolExecutor(1) as threads:
        near = list(run_batch(create_motion_batch(tasks, tmp_path / "near"), threads))
    assert [result.error for result in far] == [None] * 3
    for a, b in zip(far, near, strict=True):
        assert (a.path / "motion.npz").read_bytes() == (b.path / "motion.npz").read_bytes()


def test_worker_killed_at_a_random_moment_leaves_all_results(
    two_workers: Cluster, tmp_path: Path
) -> None:
    rng = np.random.default_rng(1)
    batch = Batch(sleep_and_write, rng.uniform(0, 0.2, 30), [f"{k}" for k in range(30)], tmp_path)
    victim = two_workers.workers[0]
    moment = rng.uniform(0.1, 0.7)

    def kill_worker(share: float) -> None:
        if share > moment and victim.poll() is None:
            os.kill(victim.pid, signal.SIGKILL)

    with open_cluster(two_workers.address) as executor:
        results = list(run_batch(batch, executor, kill_worker))
    assert victim.poll() is not None
    assert [result.error for result in results] == [None] * 30
    assert [result.path.read_text() for result in results] == ["half whole"] * 30
    assert len({result.summary for result in results}) == 2
    assert len(list(tmp_path.iterdir())) == 30


def test_worker_of_another_version_that_joins_later_is_refused(
    two_workers: Cluster, tmp_path: Path
) -> None:
    copy = tmp_path / "copy" / "footfall"
    shutil.copytree(ROOT / "core", copy / "core", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "__init__.py", copy)
    (copy / "core" / "changed.py").touch()
    waits = [0.02] * 2 + [0.5] * 2000  # until the other worker is there
    batch = Batch(sleep_and_write, waits, [f"{k}" for k in range(len(waits))], tmp_path / "out")
    with open_cluster(two_workers.address) as executor:
        run = run_batch(batch, executor)
        assert next(run).error is None
        two_workers.add_worker([str(copy.parent), *PLACES])
        with pytest.raises(BatchError, match=r"has Footfall .* instead of .*\)"):
            list(run)
    two_workers.remove_worker()


def test_lost_scheduler_ends_the_batch_with_a_message(two_workers: Cluster, tmp_path: Path) -> None:
    two_workers.remove_worker()
    batch = Batch(sleep_and_write, [0.01] * 2 + [20.0] * 3, list("abcde"), tmp_path)
    with open_cluster(two_workers.address) as executor:
        run = run_batch(batch, executor)
        assert [next(run).name, next(run).name] == ["a", "b"]
        two_workers.scheduler.kill()
        with pytest.raises(BatchError, match="connection to the scheduler"):
            next(run)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_workers_that_cannot_import_us_are_refused_by_name(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "footfall.py").write_text("raise ImportError('a broken copy')")
    empty = Cluster(tmp_path)
    try:
        empty.await_workers()
        with pytest.raises(BatchError, match="has no workers"), open_cluster(empty.address):
            pass
        empty.add_worker([str(broken), *PLACES])
        empty.await_workers()
        message = r"tcp://127\.0\.0\.1:\d+ cannot import it \(.*a broken copy"
        with pytest.raises(BatchError, match=message), open_cluster(empty.address):
            pass
    finally:
        empty.stop()


def test_addresses_without_a_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", 0.5)
    monkeypatch.setattr(cluster, "HANDSHAKE_TIMEOUT", 0.5)
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        other = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        for address in (
            "nowhere",
            "tcp://127.0.0.1:1",
            "ftp://a:2",
            "",
            "tcp://",
            "tls://a:1",
            other,
        ):
            with pytest.raises(BatchError, match="No Dask scheduler"), open_cluster(address):
                pass
