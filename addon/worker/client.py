"""Common base of batch jobs and live drives: a planning process that works on one task."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from ...core.clip import QuadrupedStyle, Style, save_style
from ...core.errors import FootfallError, ProtocolError
from ...core.task import Task, save_task
from ...core.worker.messages import Answer, ErrorAnswer, FaultAnswer
from ..temp_folders import create_temp_folder, make_temp_folder_error
from .process import SILENCE_LIMIT, WorkerProcess


@dataclass(frozen=True)
class FailureTexts:
    """Wording of error messages about one kind of work."""

    subject: str  # what failed, at the start of a sentence
    end_time: str  # when the process ended, as an adverbial
    scene_state: str  # sentence about the state of the scene
    advice: str  # sentence that says what is left after the process has ended


# Free space below which a disk counts as full; a process that cannot write an answer ends [bytes]
MIN_FREE_SPACE = 65536


class WorkerClient:
    """A task and the planning process that works on it.

    Task and style lie in a temporary folder. It is removed by `stop`, or at once if the process
    cannot be started.

    Args:
        task: task to work on.
        style: style that replaces the task's style; for a style that has neither a name nor a
            file, such as one read from an action.

    Raises:
        FootfallError: no process can be started, or the temporary folder cannot be used.
    """

    texts: ClassVar[FailureTexts]

    def __init__(self, task: Task, style: Style | QuadrupedStyle | None) -> None:
        self._folder = create_temp_folder("task")
        try:
            if style is not None:
                task = replace(task, style=str(save_style(style, self._folder / "style.toml")))
            task_file = self._folder / "task.toml"
            save_task(task, task_file)
            self._worker = self._start(task_file)
        except OSError as error:
            self._remove_folder()
            raise make_temp_folder_error(error) from error
        except BaseException:
            self._remove_folder()
            raise

    def _start(self, task_file: Path) -> WorkerProcess:
        """Return a process to which the first request has been sent."""
        raise NotImplementedError

    @property
    def pid(self) -> int:
        """Process identifier."""
        return self._worker.pid

    def read_log(self) -> str:
        """Return the process's error output since the last request and the traces of faults."""
        return self._worker.read_log()

    def _check_answer(self, answer: Answer) -> None:
        """Raise the error that an answer reports.

        Raises:
            FootfallError: the answer reports an error of the task or a fault.
        """
        if isinstance(answer, ErrorAnswer):
            raise FootfallError(answer.message)
        if isinstance(answer, FaultAnswer):
            raise FootfallError(
                f"{self.texts.subject} failed because of a bug in Footfall: {answer.description}. "
                f"{self.texts.scene_state}"
            )

    def _make_unexpected_answer_error(self, answer: Answer) -> ProtocolError:
        return ProtocolError(
            f"{self.texts.subject} failed because of a bug in Footfall: the planning process sent "
            f"an unexpected answer of the kind {answer.kind!r}. {self.texts.scene_state}"
        )

    def _check_silence(self) -> None:
        """Raise an error if the process has been silent for too long.

        Raises:
            FootfallError: it has stopped or hangs.
        """
        if self._worker.silence > SILENCE_LIMIT:
            raise FootfallError(
                f"The planning process has been silent for {SILENCE_LIMIT:.0f} s, so it was ended: "
                f"it was stopped, or the computer has no memory left. {self.texts.advice}"
            )

    def _make_exit_error(self, status: int) -> FootfallError:
        """Return the error for a process that ended by itself.

        Args:
            status: exit status of the process.
        """
        if _is_disk_full(self._folder):
            return make_temp_folder_error(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        return FootfallError(
            (
                f"The planning process ended {self.texts.end_time} (status {status}). "
                f"{self.texts.advice} {self._worker.describe_last_log_line()}"
            ).strip()
        )

    def _remove_folder(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def _is_disk_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < MIN_FREE_SPACE
    except OSError:
        return False
