"""The run of a batch on an executor."""

from __future__ import annotations

import queue
import shutil
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from ...errors import BatchError
from .batch import Batch, Item, JobResult, Summary
from .cluster import ClusterExecutor
from .job import Answer, BatchJob, do_job
from .versions import find_versions


@dataclass(frozen=True)
class BatchParameters:
    """How a batch waits for results and deals with workers that die.

    Args:
        poll_interval: between two calls of the progress callback while no job ends [s]. Tuned:
            a stop by the user takes effect within a quarter of a second, test_cancel.
        shared_deaths: number of workers that may die while they do a job together with others
            being at work, since the memory of all of them may have been used up by another job;
            after that the job waits until it can be done alone.
        lone_deaths: number of workers that may die while they do a job alone, so that one death of
            another cause does not end the batch.
        lost_jobs: number of times that a job may be lost before a worker has begun it; without a
            limit a batch whose workers cannot start would never end.
        storage_delay: time after which a file written by another machine is visible on this one
            at the latest [s]. Tuned: NFS caches attributes for up to 60 s by default, but lists
            a folder anew within 3 s to 5 s after a change.
    """

    poll_interval: float = 0.2
    shared_deaths: int = 2
    lone_deaths: int = 2
    lost_jobs: int = 20
    storage_delay: float = 10.0


PARAMETERS = BatchParameters()
ShareCallback = Callable[[float], None]


def run_batch(
    batch: Batch[Item, Summary],
    executor: Executor,
    progress: ShareCallback = lambda share: None,
    parameters: BatchParameters = PARAMETERS,
) -> Iterator[JobResult[Summary]]:
    """Do all jobs of a batch and yield their results in the order of the items.

    A result is yielded as soon as it and those before it are there. The error of a job is part of
    its result and does not end the batch. A job whose worker dies is submitted again. When the
    batch ends early, jobs that have not begun are cancelled, and finished results stay.

    Args:
        batch: work, items and folder.
        executor: does the jobs; stays open.
        progress: called with the share done several times a second; may raise an exception to
            stop the batch.

    Raises:
        BatchError: the folder cannot be written, a worker does not see it or has other versions,
            or the executor takes no more jobs.
    """
    folder = batch.folder.absolute()
    try:
        workspace = folder / f".unfinished-{uuid4().hex}"
        workspace.mkdir(parents=True)
    except OSError as error:
        raise BatchError(
            f"The folder {folder} cannot be written: {error.strerror or error}. Choose another one."
        ) from error
    run = _Run(batch, executor, workspace, parameters)
    try:
        run.submit_all()
        yield from run.collect(progress)
    finally:
        run.cancel()
        shutil.rmtree(workspace, ignore_errors=True)


class _Run:
    """State of a batch while it runs."""

    def __init__(
        self,
        batch: Batch[Any, Any],
        executor: Executor,
        workspace: Path,
        parameters: BatchParameters,
    ) -> None:
        self._batch = batch
        self._executor = executor
        self._workspace = workspace
        self._parameters = parameters
        self._paths = [workspace.parent / name for name in batch.names]
        self._versions = find_versions()
        self._pending: dict[Future[Answer], int] = {}
        self._ended: queue.SimpleQueue[Future[Answer]] = queue.SimpleQueue()
        self._answers: dict[int, Answer] = {}
        self._done_count = 0
        self._deaths: Counter[int] = Counter()
        self._losses: Counter[int] = Counter()
        self._suspects: deque[int] = deque()  # of the deaths of workers

    def submit_all(self) -> None:
        """Submit every job."""
        for k in range(len(self._paths)):
            self._submit(k)

    def collect(self, progress: ShareCallback) -> Iterator[JobResult[Any]]:
        """Yield results in order until all are there."""
        count = len(self._paths)
        for k in range(count):
            while k not in self._answers:
                progress(self._done_count / count)
                self._await_one()
            answer = self._answers.pop(k)
            if answer.error is None:
                self._await_file(self._paths[k])
            yield JobResult(
                self._batch.names[k], self._paths[k], answer.summary, answer.error, answer.seconds
            )
        progress(1.0)

    def cancel(self) -> None:
        """Cancel all jobs that have not begun."""
        for future in tuple(self._pending):
            future.cancel()

    def _submit(self, k: int) -> None:
        job = BatchJob(
            self._batch.work,
            self._batch.items[k],
            str(self._paths[k]),
            str(self._workspace),
            _format_mark(k),
            self._versions,
        )
        try:
            future = self._executor.submit(do_job, job)
        except RuntimeError as error:
            raise BatchError(
                f"The executor takes no more jobs: {error}. Finished results are in "
                f"{self._workspace.parent}."
            ) from error
        self._pending[future] = k
        future.add_done_callback(self._ended.put)

    def _await_one(self) -> None:
        """Wait for the end of one job, for a limited time."""
        if isinstance(self._executor, ClusterExecutor):
            self._executor.check()
        if not self._pending:
            self._submit(self._suspects.popleft())
        try:
            future = self._ended.get(timeout=self._parameters.poll_interval)
        except queue.Empty:
            return
        k = self._pending.pop(future)
        try:
            answer = future.result()
        except Exception as error:
            self._deal_with_loss(k, error)
            return
        if answer.refusal:
            raise BatchError(answer.refusal)
        self._answers[k] = answer
        self._done_count += 1

    def _deal_with_loss(self, k: int, error: BaseException) -> None:
        """Submit a job again that a worker has not answered, or give it up."""
        if isinstance(self._executor, ClusterExecutor):
            # A worker of another version fails at once, and would fail all jobs one by one.
            self._executor.check(at_once=True)
        marks = list(self._workspace.glob(f"{_format_mark(k)}*"))
        for mark in marks:
            shutil.rmtree(mark, ignore_errors=True)
        self._deaths[k] += bool(marks)
        self._losses[k] += 1
        limits = self._parameters
        if self._deaths[k] < limits.shared_deaths and self._losses[k] < limits.lost_jobs:
            self._submit(k)
        elif (
            self._deaths[k] < limits.shared_deaths + limits.lone_deaths
            and self._losses[k] < limits.lost_jobs + limits.lone_deaths
        ):
            self._suspects.append(k)
        else:
            self._answers[k] = Answer(
                error=f"{self._losses[k]} workers were lost while they did this job, which has "
                f"perhaps too little memory: {type(error).__name__}: {error}"
            )
            self._done_count += 1

    def _await_file(self, path: Path) -> None:
        """Wait until the storage shows a result of another machine.

        Raises:
            BatchError: it does not.
        """
        end = time.monotonic() + self._parameters.storage_delay
        while not path.exists():
            if time.monotonic() > end:
                raise BatchError(
                    f"A worker has written {path}, which is not there on this machine; choose a "
                    "folder on storage that all machines share."
                )
            time.sleep(0.1)


def _format_mark(k: int) -> str:
    return f"{k}-"
