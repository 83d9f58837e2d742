"""Work for a planning process beside Blender: begun, asked how far it is, stopped."""
from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.clip import QuadrupedStyle, Style, save_style
from ...core.errors import Cancelled, FootfallError
from ...core.motion import Motion, load_motion, save_motion
from ...core.task import Task, save_task
from . import process


@dataclass(frozen=True)
class Progress:
    """Where the work stands; `motion` is there when it is done."""

    stage: str
    share: float
    motion: Path | None = None


@dataclass(frozen=True)
class Again:
    """A motion of which a stretch, from `begin` to `end` in s, is solved again for a task that has changed."""

    motion: Motion
    begin: float
    end: float


_running: list[Job] = []


def stop_all() -> None:
    """End whatever is still at work or waits for work: the add-on is being taken away."""
    for job in list(_running):
        job.stop()
    process.end_idle()


class Job:
    """One task in a process of its own, which may have done others before. `stop` may be called at any time and often.

    Args:
        style: that the task goes by in place of its own, where no name and no file tells it.
        again: solve a stretch of this motion again; None for the whole task.

    Raises:
        FootfallError: no process can be started.
    """

    def __init__(self, task: Task, style: Style | QuadrupedStyle | None = None, again: Again | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="footfall-"))
        self._last, self._heard, self._over = Progress("starting", 0.0), False, False
        _running.append(self)
        try:
            if style is not None:
                task = replace(task, style=str(save_style(style, self._folder / "style.toml")))
            save_task(task, self._folder / "task.toml")
            self._request: dict[str, object] = {"task": str(self._folder / "task.toml"), "out": str(self._folder / "out")}
            if again is not None:
                before = save_motion(again.motion, self._folder / "before", packed=False)
                self._request |= {"motion": str(before), "begin": again.begin, "end": again.end}
            self._worker = self._asked(process.take())
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            _running.remove(self)
            raise

    def _asked(self, worker: process.Worker) -> process.Worker:
        worker.ask(self._request)
        return worker

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._worker.pid

    def poll(self) -> Progress:
        """How far the work is. A worker that died while it waited is replaced by a new one.

        Raises:
            FootfallError: what the worker says is wrong with the task, or that it died and with what last words.
        """
        status = self._worker.status          # asked before reading: what it said last is in the file by then
        for told in self._worker.lines():
            self._heard = True
            if "error" in told:
                self._over = True
                raise FootfallError(told["error"])
            if "fault" in told:
                self._over = True
                raise FootfallError(f"The planning failed by a fault of Footfall: {told['fault']}. The scene is as it was.")
            if "motion" in told:
                self._last, self._over = Progress("done", 1.0, Path(told["motion"])), True
            else:
                self._last = Progress(told["stage"], float(told["share"]))
        if status is not None and not self._over:
            if self._worker.fresh or self._heard:
                raise FootfallError(f"The planning process ended before its work was done (status {status}). "
                                    f"The scene is as it was; try again. {self._worker.last_words()}".strip())
            self._worker.end()
            self._worker = self._asked(process.Worker())
        return self._last

    def result(self) -> Motion:
        """The motion, once `poll` has told of it."""
        if self._last.motion is None:
            raise Cancelled("The motion is not ready.")
        return load_motion(self._last.motion)

    def stop(self) -> None:
        """End the work and remove its folder; a process that is done with it is kept for the next."""
        if self not in _running:
            return
        _running.remove(self)
        if self._over:
            process.give_back(self._worker)
        else:
            self._worker.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def log(self) -> str:
        """All that the process had to say of this work besides its answers, with the faults that it told of."""
        return self._worker.said()
