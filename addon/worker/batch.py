"""Batch jobs of several characters, computed in parallel."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...core.errors import FootfallError
from ...core.motion import Motion
from ..scene.task import TaskRequest
from .failures import Failure, set_last_failure
from .job import Job, JobProgress

# Label of each stage of the computation in the user interface.
STAGE_LABELS = {
    "starting": "Starting",
    "sketch": "Steps",
    "plan": "Forces",
    "full body": "Poses",
    "simulate": "Simulation",
    "samples": "Motions",
    "training": "Training",
    "validation": "Test walks",
    "search": "Search",
    "bake": "Keys",
    "done": "Done",
}
MIN_SHARE_FOR_ESTIMATE = 0.2  # completed share above which the remaining time is estimated


@dataclass(frozen=True)
class CharacterJobResult:
    """Result of one job: a motion or an error message."""

    request: TaskRequest
    motion: Motion | None = None
    error: str = ""


@dataclass(eq=False)  # two characters may have equal tasks
class _RunningJob:
    """A job and the request that it works on."""

    request: TaskRequest
    job: Job
    share: float = 0.0  # completed share, 0 to 1


@dataclass
class JobBatch:
    """Jobs of several characters; at most as many run in parallel as there are CPU cores."""

    requests: Sequence[TaskRequest]
    _pending: list[TaskRequest] = field(init=False)
    _running: list[_RunningJob] = field(default_factory=list, init=False)
    _finished_count: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._pending = list(self.requests)
        self._progress_start = time.monotonic()  # latest time without progress [s]
        self._stage = "starting"
        self._start_pending()

    @property
    def is_finished(self) -> bool:
        """Whether all jobs have ended."""
        return self._finished_count == len(self.requests)

    @property
    def progress(self) -> JobProgress:
        """Stage of the oldest running job and the completed share of the whole batch."""
        completed = self._finished_count + sum(running.share for running in self._running)
        return JobProgress(self._stage, min(1.0, completed / max(len(self.requests), 1)))

    @property
    def remaining_time(self) -> float:
        """Estimated remaining time [s]; 0 until it can be estimated.

        The time in which the processes start is not part of the estimate.
        """
        share = self.progress.share
        now = time.monotonic()
        if share <= 0:
            self._progress_start = now
        if share <= MIN_SHARE_FOR_ESTIMATE:
            return 0.0
        return (now - self._progress_start) * (1 - share) / share

    def poll(self) -> list[CharacterJobResult]:
        """Return the results since the last call and start waiting jobs in place of ended ones."""
        results = []
        for running in list(self._running):
            result = self._poll_job(running)
            if result is not None:
                running.job.stop()
                self._running.remove(running)
                self._finished_count += 1
                results.append(result)
                # One after the other, since only one idle process is kept.
                self._start_pending()
        return results

    def _start_pending(self) -> None:
        while self._pending and len(self._running) < (os.cpu_count() or 1):
            request = self._pending.pop(0)
            job = Job(request.task, request.style, arrival_pace=request.arrival_pace)
            self._running.append(_RunningJob(request, job))

    def _poll_job(self, running: _RunningJob) -> CharacterJobResult | None:
        """Return the result of a job; None while it runs."""
        request = running.request
        job = running.job
        try:
            progress = job.poll()
            if running is self._running[0]:
                self._stage = progress.stage
            running.share = progress.share
            if progress.motion_file is None:
                return None
            return CharacterJobResult(
                replace(request, task=job.task, style=job.style), job.load_result()
            )
        except FootfallError as error:
            set_last_failure(Failure(job.task, request.style, str(error), job.read_log()))
            return CharacterJobResult(request, error=str(error))

    def stop(self) -> None:
        """End all processes; does nothing if they were ended before."""
        for running in self._running:
            running.job.stop()
        self._running.clear()
        self._pending.clear()
