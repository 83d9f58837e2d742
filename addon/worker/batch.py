"""Several characters planned side by side, each in a process of its own."""
from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...core.errors import FootfallError
from ...core.motion import Motion
from ..scene.task import Asked
from .failures import remember
from .job import Job, Progress

# as users see them
STAGES = {"starting": "Starting", "sketch": "Steps", "plan": "Forces", "full body": "Poses", "simulate": "Simulation",
          "done": "Done"}
KNOWN = 0.2          # share done from which on the time left can be told


@dataclass(frozen=True)
class Done:
    """What became of one character: a motion, or what was wrong."""

    asked: Asked
    motion: Motion | None = None
    error: str = ""


@dataclass
class Work:
    """Jobs of several characters, at most as many at once as there are cores."""

    asked: Sequence[Asked]
    _waiting: list[Asked] = field(init=False)
    _running: list[tuple[Asked, Job]] = field(default_factory=list, init=False)
    _shares: dict[int, float] = field(default_factory=dict, init=False)
    _ended: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._waiting = list(self.asked)
        self._moved = (time.monotonic(), 0.0)          # when the last was seen that had done nothing
        self._stage = "starting"
        self._begin()

    @property
    def ended(self) -> bool:
        """Whether nothing is left to do."""
        return self._ended == len(self.asked)

    @property
    def progress(self) -> Progress:
        """Stage of the job that began first, and the share done of all."""
        return Progress(self._stage, min(1.0, (self._ended + sum(self._shares.values())) / max(len(self.asked), 1)))

    @property
    def left(self) -> float:
        """Seconds that the rest will take; 0 as long as nothing is known of it. That processes start tells nothing of it."""
        share, now = self.progress.share, time.monotonic()
        if share <= 0:
            self._moved = (now, 0.0)
        since, at = self._moved
        return (now - since) * (1 - share) / (share - at) if share - at > KNOWN else 0.0

    def poll(self) -> list[Done]:
        """What has ended since the last time; what waits begins in its place."""
        out = []
        for asked, job in list(self._running):
            done = self._look(asked, job)
            if done is not None:
                job.stop()
                self._running.remove((asked, job))
                self._shares.pop(id(job), None)
                self._ended += 1
                out.append(done)
        self._begin()
        return out

    def _begin(self) -> None:
        while self._waiting and len(self._running) < (os.cpu_count() or 1):
            asked = self._waiting.pop(0)
            self._running.append((asked, Job(asked.task, asked.style)))

    def _look(self, asked: Asked, job: Job) -> Done | None:
        try:
            progress = job.poll()
            if job is self._running[0][1]:
                self._stage = progress.stage
            self._shares[id(job)] = progress.share
            return None if progress.motion is None else Done(asked, job.result())
        except FootfallError as error:
            remember(asked.task, asked.style, str(error), job.log())
            return Done(asked, error=str(error))

    def stop(self) -> None:
        """End all processes; may be called at any time and as often as one likes."""
        for _, job in self._running:
            job.stop()
        self._running.clear()
        self._waiting.clear()
