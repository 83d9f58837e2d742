"""Several characters planned side by side, each in a process of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...core.errors import FootfallError
from ...core.motion import Motion
from ..scene.task import TaskRequest
from .failures import set_last_failure
from .job import Job, JobProgress

# as users see them
STAGE_LABELS = {
    "starting": "Starting",
    "sketch": "Steps",
    "plan": "Forces",
    "full body": "Poses",
    "simulate": "Simulation",
    "done": "Done",
}
MIN_SHARE_FOR_ESTIMATE = 0.2  # share done from which on the time left can be told


@dataclass(frozen=True)
class JobResult:
    """What became of one character: a motion, or what was wrong."""

    request: TaskRequest
    motion: Motion | None = None
    error: str = ""


@dataclass
class JobBatch:
    """Jobs of several characters, at most as many at once as there are cores."""

    requests: Sequence[TaskRequest]
    _pending: list[TaskRequest] = field(init=False)
    _running: list[tuple[TaskRequest, Job]] = field(default_factory=list, init=False)
    _shares: dict[int, float] = field(default_factory=dict, init=False)
    _finished_count: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._pending = list(self.requests)
        # when the last was seen that had done nothing
        self._progress_start = (time.monotonic(), 0.0)
        self._stage = "starting"
        self._start_pending()

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to do."""
        return self._finished_count == len(self.requests)

    @property
    def progress(self) -> JobProgress:
        """Stage of the job that began first, and the share done of all."""
        return JobProgress(
            self._stage,
            min(
                1.0,
                (self._finished_count + sum(self._shares.values())) / max(len(self.requests), 1),
            ),
        )

    @property
    def remaining_time(self) -> float:
        """Seconds that the rest will take; 0 as long as nothing is known of it. That processes
        start tells nothing of it.
        """
        share = self.progress.share
        now = time.monotonic()
        if share <= 0:
            self._progress_start = (now, 0.0)
        start_time, start_share = self._progress_start
        return (
            (now - start_time) * (1 - share) / (share - start_share)
            if share - start_share > MIN_SHARE_FOR_ESTIMATE
            else 0.0
        )

    def poll(self) -> list[JobResult]:
        """What has ended since the last time; what waits begins in its place."""
        results = []
        for request, job in list(self._running):
            result = self._poll_job(request, job)
            if result is not None:
                job.stop()
                self._running.remove((request, job))
                self._shares.pop(id(job), None)
                self._finished_count += 1
                results.append(result)
        self._start_pending()
        return results

    def _start_pending(self) -> None:
        while self._pending and len(self._running) < (os.cpu_count() or 1):
            request = self._pending.pop(0)
            job = Job(request.task, request.style, arrival_pace=request.arrival_pace)
            self._running.append((request, job))

    def _poll_job(self, request: TaskRequest, job: Job) -> JobResult | None:
        try:
            progress = job.poll()
            if job is self._running[0][1]:
                self._stage = progress.stage
            self._shares[id(job)] = progress.share
            if progress.motion is None:
                return None
            return JobResult(replace(request, task=job.task), job.load_result())
        except FootfallError as error:
            set_last_failure(job.task, request.style, str(error), job.read_log())
            return JobResult(request, error=str(error))

    def stop(self) -> None:
        """End all processes; may be called at any time and as often as one likes."""
        for _, job in self._running:
            job.stop()
        self._running.clear()
        self._pending.clear()
