"""A batch job: one task, or one stretch of a motion, for a planning process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from ...core.clip import QuadrupedStyle, Style
from ...core.errors import Cancelled
from ...core.motion import Motion, load_motion, save_motion
from ...core.task import Pace, Task, load_task
from ...core.worker.messages import (
    Answer,
    ErrorAnswer,
    FaultAnswer,
    GenerateRequest,
    MotionAnswer,
    ProgressAnswer,
    Request,
    ResolveRequest,
    TaskAnswer,
)
from . import process
from .client import FailureTexts, WorkerClient


@dataclass(frozen=True)
class JobProgress:
    """Progress of a job."""

    stage: str  # stage of the computation, a key of `batch.STAGE_LABELS`
    share: float  # completed share, 0 to 1
    motion_file: Path | None = None  # result; None while the job runs


@dataclass(frozen=True)
class ResolveWindow:
    """A stretch of a motion that is solved again for a changed task."""

    motion: Motion
    begin: float  # start of the stretch [s]
    end: float  # end of the stretch [s]


_running_jobs: list[Job] = []


def stop_all_jobs() -> None:
    """Stop all jobs and end all idle processes."""
    for job in list(_running_jobs):
        job.stop()
    process.end_idle_workers()


class Job(WorkerClient):
    """One task in a planning process, which may have worked on other tasks before.

    Args:
        task: task to work on.
        style: style that replaces the task's style; for a style that has neither a name nor a
            file, such as one read from an action.
        window: stretch of a motion to solve again; None for the whole task.
        arrival_pace: pace at which the body must reach the end of the path when the clip ends; the
            process solves for the speed. None keeps the speed of the task.

    Raises:
        FootfallError: no process can be started.
    """

    # Answers that end the job
    final_answers: ClassVar[tuple[type[Answer], ...]] = (MotionAnswer, ErrorAnswer, FaultAnswer)
    texts = FailureTexts(
        subject="The planning",
        end_time="before its work was done",
        scene_state="The scene is as it was.",
        advice="The scene is as it was; try again.",
    )

    def __init__(
        self,
        task: Task,
        style: Style | QuadrupedStyle | None = None,
        window: ResolveWindow | None = None,
        arrival_pace: Pace | None = None,
    ) -> None:
        self._task = task
        self._style = style
        self._window = window
        self._arrival_pace = arrival_pace
        self._progress = JobProgress("starting", 0.0)
        self._has_answered = False
        self._is_finished = False
        super().__init__(task, style)
        _running_jobs.append(self)

    def _start(self, task_file: Path) -> process.WorkerProcess:
        self._request = self._make_request(task_file)
        return self._send_request(process.acquire_worker())

    def _make_request(self, task_file: Path) -> Request:
        output_folder = self._folder / "out"
        if self._window is None:
            return GenerateRequest(task_file, output_folder, self._arrival_pace)
        motion_file = save_motion(self._window.motion, self._folder / "before", compressed=False)
        return ResolveRequest(
            task_file, output_folder, motion_file, begin=self._window.begin, end=self._window.end
        )

    def _send_request(self, worker: process.WorkerProcess) -> process.WorkerProcess:
        worker.send_request(self._request)
        return worker

    @property
    def task(self) -> Task:
        """The task whose motion this is.

        The process may change the requested one: it solves for the speed of an arrival in time, and
        lowers demands that no motion can meet.
        """
        return self._task

    @property
    def style(self) -> Style | QuadrupedStyle | None:
        """The style that replaces that of the task, unless the process has changed the latter."""
        return self._style

    @property
    def progress(self) -> JobProgress:
        """Progress at the last `poll`."""
        return self._progress

    def poll(self) -> JobProgress:
        """Return the progress without waiting.

        A process that ended while it was idle is replaced by a new one.

        Raises:
            FootfallError: the task has an error, or the process has failed, ended or stopped.
        """
        # Read the status first: if the process has ended, its last answers are already written.
        status = self._worker.status
        for answer in self._worker.read_answers():
            self._has_answered = True
            self._is_finished = isinstance(answer, self.final_answers)
            self._check_answer(answer)
            self._take_answer(answer)
        if status is not None and not self._is_finished:
            if self._worker.is_fresh or self._has_answered:
                raise self._make_exit_error(status)
            self._worker.end()
            self._worker = self._send_request(process.WorkerProcess())
        self._check_silence()
        return self._progress

    def _take_answer(self, answer: Answer) -> None:
        """Store what an answer says.

        Raises:
            ProtocolError: the answer does not belong to the job.
        """
        match answer:
            case ProgressAnswer():
                self._progress = JobProgress(answer.stage, answer.share)
            case TaskAnswer():
                self._take_changes(answer)
            case MotionAnswer():
                self._progress = JobProgress("done", 1.0, answer.motion_file)
            case _:
                raise self._make_unexpected_answer_error(answer)

    def _take_changes(self, answer: TaskAnswer) -> None:
        changed = load_task(answer.task_file)
        changes = {name: getattr(changed, name) for name in answer.changed_fields}
        self._task = replace(self._task, **changes)
        if "style" in changes:
            self._style = None

    def load_result(self) -> Motion:
        """Return the motion.

        Raises:
            Cancelled: `poll` has not reported the end of the job.
        """
        if self._progress.motion_file is None:
            raise Cancelled("The motion is not ready.")
        return load_motion(self._progress.motion_file)

    def stop(self) -> None:
        """Stop the job and remove its folder; does nothing if it was stopped before.

        The process of a finished job is kept for the next job, that of an unfinished job is killed.
        """
        if self not in _running_jobs:
            return
        _running_jobs.remove(self)
        if self._is_finished:
            process.release_worker(self._worker)
        else:
            self._worker.end()
        self._remove_folder()
