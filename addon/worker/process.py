"""Planning processes beside Blender: started, asked, kept warm for the next task, ended."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...core.errors import FootfallError

SCRIPT = Path(__file__).resolve().parents[2] / "core" / "worker.py"
MAX_LOG_LINE_LENGTH = 160  # characters of the worker's last line that are shown when it dies
MAX_IDLE_WORKERS = 1  # workers that wait for the next task
IDLE_TIMEOUT = 300.0  # s after which a worker that waits ends


class WorkerProcess:
    """One process, which takes one request after the other.

    Its lines are read from a file of its private folder, since a pipe cannot be read without
    waiting on every system; its input is a pipe, whose end is the worker's end, even if Blender
    crashes.

    Args:
        waits_forever: whether it waits for ever; otherwise it ends when it has waited
            `IDLE_TIMEOUT` in vain.

    Raises:
        FootfallError: there is no Python to start it with.
    """

    def __init__(self, waits_forever: bool = False) -> None:
        self.is_fresh = True  # it has not yet done anything
        self._read_position = self._log_start = 0
        self._traces: list[str] = []  # of faults since it was asked
        self._folder = Path(tempfile.mkdtemp(prefix="footfall-worker-"))
        try:
            self._process = self._start([] if waits_forever else [str(IDLE_TIMEOUT)])
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def _start(self, arguments: list[str]) -> subprocess.Popen[bytes]:
        if not sys.executable:
            raise FootfallError(
                "Blender does not say where its Python is, so that no planning process can be "
                "started. Install Blender from blender.org."
            )
        # What Blender can import the worker can import too: the extension's wheels are not
        # on Python's usual path.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        with open(self._folder / "told", "wb") as output, open(self._folder / "log", "wb") as log:
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
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """None while it lives."""
        return self._process.poll()

    def send_request(self, request: dict[str, object]) -> None:
        """Give it something to do; one that is gone already shows by its `status`."""
        assert self._process.stdin is not None
        self._log_start = (self._folder / "log").stat().st_size
        self._traces = []
        with suppress(OSError):
            self._process.stdin.write((json.dumps(request) + "\n").encode())
            self._process.stdin.flush()

    def read_messages(self) -> list[dict[str, Any]]:
        """What it has told since the last time."""
        with open(self._folder / "told", "rb") as output:
            output.seek(self._read_position)
            text = output.read()
        complete_length = text.rfind(b"\n") + 1  # the last line may be half written
        self._read_position += complete_length
        messages = [json.loads(line) for line in text[:complete_length].splitlines()]
        self._traces += [message["trace"] for message in messages if "trace" in message]
        return messages

    def read_log(self) -> str:
        """Its errors since it was asked, and the traces of the faults that it told of;
        nothing once it was ended.
        """
        if not self._folder.exists():
            return ""
        log = (self._folder / "log").read_bytes()[self._log_start :].decode(errors="replace")
        return "\n".join([*self._traces, log]).strip()

    def describe_last_log_line(self) -> str:
        """The last line of its errors since it was asked, as a sentence;
        empty where there is none.
        """
        log_lines = (
            (self._folder / "log")
            .read_bytes()[self._log_start :]
            .decode(errors="replace")
            .strip()
            .splitlines()
        )
        return f"Its last words: {log_lines[-1][:MAX_LOG_LINE_LENGTH]}" if log_lines else ""

    def end(self) -> None:
        """End the process at once and remove its folder; may be called as often as one likes."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdin and not self._process.stdin.closed:
            with suppress(OSError):  # it may be gone before it had read all of its request
                self._process.stdin.close()
        shutil.rmtree(self._folder, ignore_errors=True)


_idle_workers: list[WorkerProcess] = []


def acquire_worker() -> WorkerProcess:
    """A worker that has nothing to do: one that waits, or a new one."""
    while _idle_workers:
        worker = _idle_workers.pop()
        if worker.status is None:
            return worker
        worker.end()
    return WorkerProcess()


def release_worker(worker: WorkerProcess) -> None:
    """Keep a worker that is done for the next task, unless enough of them wait."""
    _remove_ended_workers()
    if worker.status is not None or len(_idle_workers) >= MAX_IDLE_WORKERS:
        worker.end()
        return
    worker.is_fresh = False
    _idle_workers.append(worker)
    atexit.unregister(end_idle_workers)
    atexit.register(end_idle_workers)


def warm_up() -> None:
    """Start a worker ahead of its first task, which then need not wait
    until it has loaded itself.
    """
    _remove_ended_workers()
    if not _idle_workers:
        worker = WorkerProcess()
        _idle_workers.append(worker)
        atexit.unregister(end_idle_workers)
        atexit.register(end_idle_workers)


def end_idle_workers() -> None:
    """End all that wait."""
    while _idle_workers:
        _idle_workers.pop().end()
    atexit.unregister(end_idle_workers)


def _remove_ended_workers() -> None:
    """Those that waited too long have ended themselves; their folders go."""
    for worker in [w for w in _idle_workers if w.status is not None]:
        _idle_workers.remove(worker)
        worker.end()
