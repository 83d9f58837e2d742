"""Measure batches on two Dask workers of this machine and on a pool of two processes."""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from footfall.core.engine.batch import Batch, ProcessPool, open_cluster, run_batch
from footfall.core.engine.batch.job import BatchJob
from footfall.core.engine.batch.motions import create_motion_batch
from footfall.core.engine.batch.versions import find_versions
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import Task

PORT = 18786
WORKERS = 2


def write_nothing(number: int, path: Path) -> int:
    """Write an empty file."""
    path.touch()
    return number


def main() -> None:
    """Print overheads, bytes, and the times of equal batches in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=200, help="number of motions")
    parser.add_argument("--seconds", type=float, default=10.0, help="length of each motion")
    parser.add_argument("--empty", type=int, default=2000, help="number of empty jobs")
    parser.add_argument("--rounds", type=int, default=1, help="number of times of all batches")
    options = parser.parse_args()
    scenario = SCENARIOS["humanoid-terrain-walk"]
    tasks = [scenario.build_task(seconds=options.seconds, seed=k) for k in range(options.tasks)]
    with (
        tempfile.TemporaryDirectory() as folder,
        start_cluster(Path(folder)) as address,
        open_cluster(address) as cluster,
        ProcessPool(WORKERS) as pool,
    ):
        executors = {"pool": pool, "cluster": cluster}
        for name, executor in executors.items():
            _run_motions(tasks[:WORKERS], Path(folder, "first", name), executor)
        _print_bytes(tasks, Path(folder))
        for name, executor in executors.items():
            _time_empty_jobs(options.empty, Path(folder, "empty", name), executor)
        for _ in range(options.rounds):
            for name, executor in executors.items():
                seconds = _run_motions(tasks, Path(folder, "motions", name), executor)
                print(f"{name}: {len(tasks)} motions in {seconds:.1f} s", flush=True)
        _compare_files(Path(folder, "motions"))


@contextmanager
def start_cluster(folder: Path) -> Iterator[str]:
    """Start a scheduler and workers, and yield the scheduler's address."""
    address = f"tcp://127.0.0.1:{PORT}"
    commands = [["scheduler", "--host", "127.0.0.1", "--port", str(PORT), "--no-dashboard"]]
    worker = ["worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    commands += [[*worker, "--local-directory", str(folder)]] * WORKERS
    places = [str(Path(__file__).parent), *filter(None, sys.path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", "dask", *command],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]
    try:
        from distributed import Client

        with Client(address, timeout=300, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=300)
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _run_motions(tasks: Sequence[Task], folder: Path, executor: Executor) -> float:
    """Generate the motions of tasks and return the time [s]."""
    begin = time.perf_counter()
    results = list(run_batch(create_motion_batch(tasks, folder), executor))
    assert [result.error for result in results] == [None] * len(tasks)
    return time.perf_counter() - begin


def _time_empty_jobs(count: int, folder: Path, executor: Executor) -> None:
    name = folder.name
    batch = Batch(write_nothing, range(count), [f"{k}" for k in range(count)], folder)
    begin = time.perf_counter()
    assert len(list(run_batch(batch, executor))) == count
    seconds = time.perf_counter() - begin
    print(f"{name}: {1000 * seconds / count:.2f} ms an empty job", flush=True)


def _print_bytes(tasks: Sequence[Task], folder: Path) -> None:
    batch = create_motion_batch(tasks, folder)
    job = BatchJob(
        batch.work,
        batch.items[0],
        str(folder / "00"),
        workspace=str(folder),
        mark="0-",
        versions=find_versions(),
    )
    flat = SCENARIOS["humanoid-walk"].build_task()
    sizes = [len(pickle.dumps(each)) / 1e3 for each in (job, replace(job, item=flat))]
    print(f"a job: {sizes[0]:.0f} kB with this terrain, {sizes[1]:.1f} kB on flat ground")
    for path in sorted(folder.glob("first/pool/00/*")):
        print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB")


def _compare_files(folder: Path) -> None:
    names = [path.relative_to(folder / "pool") for path in (folder / "pool").glob("*/motion.npz")]
    equal = [
        (folder / "pool" / name).read_bytes() == (folder / "cluster" / name).read_bytes()
        for name in names
    ]
    print(f"{sum(equal)} of {len(names)} motions are the same bytes")


if __name__ == "__main__":
    main()
