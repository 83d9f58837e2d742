"""Planning processes: start, requests and answers, reuse for the next job, end."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from ...core.engine.adaptive.movement_choice import (
    USER_FOLDER_VARIABLE as CONTROLLERS_VARIABLE,
)
from ...core.engine.learned.networks import USER_FOLDER_VARIABLE
from ...core.errors import FootfallError, ProtocolError
from ...core.worker.messages import Answer, FaultAnswer, Request, read_answer
from ..temp_folders import create_temp_folder, make_temp_folder_error
from ..user_files.trained import controllers_folder, networks_folder

SCRIPT = Path(__file__).resolve().parents[2] / "core" / "worker" / "start.py"
MAX_LOG_LINE_LENGTH = 160  # characters of a log line that an error message shows
# Processes that are kept for the next job, since a user mostly has one at a time; each keeps the
# memory of the libraries that it has loaded.
MAX_IDLE_WORKERS = 1
# Time after which an idle process ends [s]: that in which a user looks at a motion, changes
# settings and generates it again.
IDLE_TIMEOUT = 300.0
# Silence after which a process counts as stopped [s]: many signs of life, which come every
# `start.HEARTBEAT_INTERVAL`, also while the computer is busy.
SILENCE_LIMIT = 60.0
# Longest time between two polls that counts as silence [s]. Blender may have been suspended too.
MAX_POLL_INTERVAL = 1.0


class WorkerProcess:
    """A planning process, which handles one request after the other.

    The process writes its answers to a file, because a pipe cannot be read without blocking on
    every system. Its input is a pipe: when Blender ends or crashes the pipe is closed, which ends
    the process.

    Args:
        waits_forever: whether the process waits for requests without a time limit; otherwise it
            ends after `IDLE_TIMEOUT`.

    Attributes:
        is_fresh: whether the process has never finished a job.

    Raises:
        FootfallError: no Python interpreter is available, or the temporary folder cannot be used.
    """

    def __init__(self, waits_forever: bool = False) -> None:
        self.is_fresh = True
        self._read_position = 0  # number of bytes of the answers that have been read
        self._log_start = 0  # length of the log at the last request [bytes]
        self._fault_details: list[str] = []  # since the last request
        self._silence = 0.0
        self._poll_time = time.monotonic()
        self._output_size = 0  # number of bytes at the last poll
        self._folder = create_temp_folder("worker")
        try:
            self._process = self._start([] if waits_forever else [str(IDLE_TIMEOUT)])
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise make_temp_folder_error(error) from error
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def _start(self, arguments: list[str]) -> subprocess.Popen[bytes]:
        if not sys.executable:
            raise FootfallError(
                "Blender does not say where its Python is, so no planning process can be "
                "started. Install Blender from blender.org."
            )
        # Make everything importable that Blender can import: the extension's wheels are not on
        # Python's default path.
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            USER_FOLDER_VARIABLE: str(networks_folder()),
            CONTROLLERS_VARIABLE: str(controllers_folder()),
        }
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        with open(self._answer_file, "wb") as output, open(self._log_file, "wb") as log:
            return subprocess.Popen(
                [sys.executable, "-P", str(SCRIPT), *arguments],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=log,
                env=environment,
                creationflags=flags,
                cwd=self._folder,
            )

    @property
    def _answer_file(self) -> Path:
        return self._folder / "answers"

    @property
    def _log_file(self) -> Path:
        return self._folder / "log"

    @property
    def pid(self) -> int:
        """Process identifier."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Exit status; None while the process runs."""
        return self._process.poll()

    @property
    def is_usable(self) -> bool:
        """Whether the process runs and its folder was not removed by the system."""
        return self.status is None and self._log_file.exists()

    @property
    def silence(self) -> float:
        """Time without a sign of life since the last request, as far as it was polled [s]."""
        return self._silence

    def send_request(self, request: Request) -> None:
        """Send a request; if the process has ended, only `status` shows it."""
        assert self._process.stdin is not None
        self._log_start = self._log_file.stat().st_size
        self._fault_details = []
        self._silence = 0.0
        self._poll_time = time.monotonic()
        with suppress(OSError):
            self._process.stdin.write((request.to_json() + "\n").encode())
            self._process.stdin.flush()

    def read_answers(self) -> list[Answer]:
        """Return the answers that have arrived since the last call.

        Raises:
            ProtocolError: the process wrote a line that is not an answer.
            FootfallError: the answers cannot be read, for example because they were removed.
        """
        try:
            with open(self._answer_file, "rb") as output:
                output.seek(self._read_position)
                text = output.read()
        except OSError as error:
            raise make_temp_folder_error(error) from error
        self._measure_silence(self._read_position + len(text))
        complete_length = text.rfind(b"\n") + 1  # the last line may still be incomplete
        self._read_position += complete_length
        lines = text[:complete_length].splitlines()
        return [self._read_answer(line) for line in lines if line]  # empty ones are signs of life

    def _measure_silence(self, output_size: int) -> None:
        """Add the time since the last poll to the silence, or end it if there is more output."""
        now = time.monotonic()
        self._silence += min(now - self._poll_time, MAX_POLL_INTERVAL)
        if output_size > self._output_size:
            self._silence = 0.0
        self._poll_time = now
        self._output_size = output_size

    def _read_answer(self, line: bytes) -> Answer:
        try:
            answer = read_answer(line.decode(errors="replace"))
        except ProtocolError as error:
            self._fault_details.append(str(error))
            raise ProtocolError(
                "The answer of the planning process cannot be read, because of a bug in Footfall. "
                "Nothing was changed; try again."
            ) from error
        if isinstance(answer, FaultAnswer):
            self._fault_details.append(answer.trace)
        return answer

    def read_log(self) -> str:
        """Return details of faults and the error output since the last request.

        Without the files, as after `end`, there are only the details of faults.
        """
        return "\n".join([*self._fault_details, self._read_error_output()]).strip()

    def describe_last_log_line(self) -> str:
        """Return a sentence with the last line of the error output since the last request.

        The text is empty if there is no such line.
        """
        lines = self._read_error_output().strip().splitlines()
        return f"Its last message: {lines[-1][:MAX_LOG_LINE_LENGTH]}" if lines else ""

    def _read_error_output(self) -> str:
        try:
            return self._log_file.read_bytes()[self._log_start :].decode(errors="replace")
        except OSError:
            return ""

    def end(self) -> None:
        """Kill the process and remove its folder; does nothing if it was ended before."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdin and not self._process.stdin.closed:
            # Closing flushes the rest of a request, which fails if nothing reads it anymore.
            with suppress(OSError):
                self._process.stdin.close()
        shutil.rmtree(self._folder, ignore_errors=True)


_idle_workers: list[WorkerProcess] = []


def acquire_worker() -> WorkerProcess:
    """Return an idle process, or a new one if none is idle.

    Raises:
        FootfallError: no Python interpreter is available.
    """
    while _idle_workers:
        worker = _idle_workers.pop()
        if worker.is_usable:
            return worker
        worker.end()
    return WorkerProcess()


def release_worker(worker: WorkerProcess) -> None:
    """Keep a process for the next job, or end it if `MAX_IDLE_WORKERS` are idle."""
    _remove_ended_workers()
    if worker.status is not None or len(_idle_workers) >= MAX_IDLE_WORKERS:
        worker.end()
        return
    worker.is_fresh = False
    _keep_idle(worker)


def warm_up() -> None:
    """Start a process before the first job, so that the job does not wait for its imports.

    Raises:
        FootfallError: no Python interpreter is available.
    """
    _remove_ended_workers()
    if not _idle_workers:
        _keep_idle(WorkerProcess())


def end_idle_workers() -> None:
    """End all idle processes."""
    while _idle_workers:
        _idle_workers.pop().end()
    atexit.unregister(end_idle_workers)


def _keep_idle(worker: WorkerProcess) -> None:
    _idle_workers.append(worker)
    atexit.unregister(end_idle_workers)
    atexit.register(end_idle_workers)


def _remove_ended_workers() -> None:
    """Remove processes that ended after `IDLE_TIMEOUT`, with their folders."""
    for worker in [w for w in _idle_workers if w.status is not None]:
        _idle_workers.remove(worker)
        worker.end()
