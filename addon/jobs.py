"""A planning process beside Blender: started, asked how far it is, stopped."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.clip import QuadrupedStyle, Style, save_style
from ..core.errors import Cancelled, FootfallError
from ..core.motion import Motion, load_motion
from ..core.task import Task, save_task

WORKER = Path(__file__).resolve().parents[1] / "core" / "worker.py"
LAST_WORDS = 160          # characters of the worker's last line that are shown when it dies


@dataclass(frozen=True)
class Progress:
    """Where the work stands; `motion` is there when it is done."""

    stage: str
    share: float
    motion: Path | None = None


_running: list[Job] = []


def stop_all() -> None:
    """End whatever is still at work: the add-on is being taken away."""
    for job in list(_running):
        job.stop()


class Job:
    """One task in a process of its own. `stop` may be called at any time and as often as one likes.

    The worker's lines are read from a file of the private folder, since a pipe cannot be read without waiting on every
    system; its input is a pipe, whose end is the worker's end, even if Blender crashes.

    Args:
        style: that the task goes by in place of its own, where no name and no file tells it.
    """

    def __init__(self, task: Task, style: Style | QuadrupedStyle | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="footfall-"))
        self._read = 0
        self._last = Progress("starting", 0.0)
        _running.append(self)
        try:
            if style is not None:
                task = replace(task, style=str(save_style(style, self._folder / "style.toml")))
            save_task(task, self._folder / "task.toml")
            self._process = self._start()
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            _running.remove(self)
            raise
        request = {"task": str(self._folder / "task.toml"), "out": str(self._folder / "out")}
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):          # the worker is gone already; `poll` will tell
            self._process.stdin.write((json.dumps(request) + "\n").encode())
            self._process.stdin.flush()

    def _start(self) -> subprocess.Popen[bytes]:
        if not sys.executable:
            raise FootfallError("Blender does not say where its Python is, so that no planning process can be started. "
                                "Install Blender from blender.org.")
        # What Blender can import the worker can import too: the extension's wheels are not on Python's usual path.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        with open(self._folder / "told", "wb") as told, open(self._folder / "log", "wb") as log:
            return subprocess.Popen([sys.executable, "-P", str(WORKER)], stdin=subprocess.PIPE, stdout=told, stderr=log,
                                    env=environment, creationflags=flags, cwd=self._folder)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def poll(self) -> Progress:
        """How far the work is.

        Raises:
            FootfallError: what the worker says is wrong with the task, or that it died and with what last words.
        """
        ended = self._process.poll() is not None          # asked before reading: what it said last is in the file by then
        for told in self._lines():
            if "error" in told:
                raise FootfallError(told["error"])
            if "fault" in told:
                raise FootfallError(f"The planning failed by a fault of Footfall: {told['fault']}. The scene is as it was.")
            if "motion" in told:
                self._last = Progress("done", 1.0, Path(told["motion"]))
            else:
                self._last = Progress(told["stage"], float(told["share"]))
        if ended and self._last.motion is None:
            raise FootfallError(f"The planning process ended before its work was done (status {self._process.returncode}). "
                                f"The scene is as it was; try again. {self._last_words()}".strip())
        return self._last

    def result(self) -> Motion:
        """The motion, once `poll` has told of it."""
        if self._last.motion is None:
            raise Cancelled("The motion is not ready.")
        return load_motion(self._last.motion)

    def stop(self) -> None:
        """End the process and remove its folder."""
        if self in _running:
            _running.remove(self)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdin and not self._process.stdin.closed:
            with suppress(BrokenPipeError):      # the worker may be gone before it had read all of its request
                self._process.stdin.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _lines(self) -> list[dict[str, str]]:
        with open(self._folder / "told", "rb") as told:
            told.seek(self._read)
            text = told.read()
        whole = text.rfind(b"\n") + 1                      # the last line may be half written
        self._read += whole
        return [json.loads(line) for line in text[:whole].splitlines()]

    def log(self) -> str:
        """All that the process had to say besides its answers, with the faults that it told of."""
        texts = [(self._folder / name).read_text(encoding="utf-8", errors="replace") for name in ("told", "log")]
        faults = [json.loads(line) for line in texts[0].splitlines() if '"trace"' in line]
        return "\n".join([*(fault["trace"] for fault in faults), texts[1]]).strip()

    def _last_words(self) -> str:
        lines = (self._folder / "log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"Its last words: {lines[-1][:LAST_WORDS]}" if lines else ""
