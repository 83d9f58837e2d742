"""Work for a planning process beside Blender: begun, asked how far it is, stopped."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...core.clip import QuadrupedStyle, Style, save_style
from ...core.errors import Cancelled, FootfallError
from ...core.motion import Motion, load_motion, save_motion
from ...core.task import Pace, SpeedProfile, Task, save_task
from . import process


@dataclass(frozen=True)
class JobProgress:
    """Where the work stands; `motion` is there when it is done."""

    stage: str
    share: float
    motion: Path | None = None


@dataclass(frozen=True)
class ResolveWindow:
    """A motion of which a stretch, from `begin` to `end` in s,
    is solved again for a task that has changed.
    """

    motion: Motion
    begin: float
    end: float


_running_jobs: list[Job] = []


def stop_all_jobs() -> None:
    """End whatever is still at work or waits for work: the add-on is being taken away."""
    for job in list(_running_jobs):
        job.stop()
    process.end_idle_workers()


class Job:
    """One task in a process of its own, which may have done others before.
    `stop` may be called at any time and often.

    Args:
        style: that the task goes by in place of its own, where no name and no file tells it.
        window: solve a stretch of this motion again; None for the whole task.
        arrival_pace: pace at which the body must reach the end of the path when the clip ends; the
            process solves for the speed. None keeps the speed of the task.

    Raises:
        FootfallError: no process can be started.
    """

    def __init__(
        self,
        task: Task,
        style: Style | QuadrupedStyle | None = None,
        window: ResolveWindow | None = None,
        arrival_pace: Pace | None = None,
    ) -> None:
        self._task = task
        self._folder = Path(tempfile.mkdtemp(prefix="footfall-"))
        self._progress = JobProgress("starting", 0.0)
        self._has_answered = False
        self._is_finished = False
        _running_jobs.append(self)
        try:
            if style is not None:
                task = replace(task, style=str(save_style(style, self._folder / "style.toml")))
            save_task(task, self._folder / "task.toml")
            self._request: dict[str, object] = {
                "task": str(self._folder / "task.toml"),
                "out": str(self._folder / "out"),
            }
            if window is not None:
                motion_file = save_motion(window.motion, self._folder / "before", compressed=False)
                self._request |= {
                    "motion": str(motion_file),
                    "begin": window.begin,
                    "end": window.end,
                }
            if arrival_pace is not None:
                self._request["arrival"] = _pace_to_data(arrival_pace)
            self._worker = self._send_request(process.acquire_worker())
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            _running_jobs.remove(self)
            raise

    def _send_request(self, worker: process.WorkerProcess) -> process.WorkerProcess:
        worker.send_request(self._request)
        return worker

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._worker.pid

    @property
    def task(self) -> Task:
        """The task, with the speed of an arrival in time as soon as the process has solved it."""
        return self._task

    def poll(self) -> JobProgress:
        """How far the work is. A worker that died while it waited is replaced by a new one.

        Raises:
            FootfallError: what the worker says is wrong with the task,
                or that it died and with what last words.
        """
        # asked before reading: what it said last is in the file by then
        status = self._worker.status
        for message in self._worker.read_messages():
            self._has_answered = True
            if "error" in message:
                self._is_finished = True
                raise FootfallError(message["error"])
            if "fault" in message:
                self._is_finished = True
                raise FootfallError(
                    f"The planning failed by a fault of Footfall: {message['fault']}. The scene "
                    "is as it was."
                )
            if "motion" in message:
                self._progress = JobProgress("done", 1.0, Path(message["motion"]))
                self._is_finished = True
            elif "speeds" in message:
                self._task = replace(
                    self._task, speed=SpeedProfile(message["speeds"], message["times"])
                )
            else:
                self._progress = JobProgress(message["stage"], float(message["share"]))
        if status is not None and not self._is_finished:
            if self._worker.is_fresh or self._has_answered:
                raise FootfallError(
                    (
                        f"The planning process ended before its work was done (status {status}). "
                        "The scene is as it was; try again. "
                        f"{self._worker.describe_last_log_line()}"
                    ).strip()
                )
            self._worker.end()
            self._worker = self._send_request(process.WorkerProcess())
        return self._progress

    def load_result(self) -> Motion:
        """The motion, once `poll` has told of it."""
        if self._progress.motion is None:
            raise Cancelled("The motion is not ready.")
        return load_motion(self._progress.motion)

    def stop(self) -> None:
        """End the work and remove its folder; a process that is done with
        it is kept for the next.
        """
        if self not in _running_jobs:
            return
        _running_jobs.remove(self)
        if self._is_finished:
            process.release_worker(self._worker)
        else:
            self._worker.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def read_log(self) -> str:
        """All that the process had to say of this work besides its answers,
        with the faults that it told of.
        """
        return self._worker.read_log()


def _pace_to_data(pace: Pace) -> dict[str, object]:
    """Return a pace as the entry "arrival" of a request."""
    return {
        "seconds": pace.seconds,
        "stations": np.atleast_1d(pace.stations).tolist(),
        "shares": np.atleast_1d(pace.shares).tolist(),
        "waits": [[wait.time, wait.seconds] for wait in pace.waits],
    }
