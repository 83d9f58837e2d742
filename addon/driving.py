"""A process beside Blender in which a body is driven: half a cycle after the other is asked for and comes as a file."""
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
from typing import Any

from ..core.clip import Style, save_style
from ..core.errors import FootfallError
from ..core.motion import Motion, load_motion
from ..core.task import Push, Task, save_task

WORKER = Path(__file__).resolve().parents[1] / "core" / "worker.py"
LAST_WORDS = 160          # characters of the worker's last line that are shown when it dies
SAFE = "Nothing was changed."


@dataclass(frozen=True)
class Meant:
    """What hands mean: a speed in m/s, a direction in the world in rad, and pushes that begin as soon as they can."""

    speed: float
    direction: float
    pushes: tuple[Push, ...] = ()

    def same_as(self, other: Meant) -> bool:
        """Whether it is hardly worth planning anew for the other one."""
        turn = (self.direction - other.direction + 3.1416) % 6.2832 - 3.1416
        return abs(self.speed - other.speed) < 0.03 and abs(turn) < 0.05 and self.pushes == other.pushes


@dataclass(frozen=True)
class Part:
    """Half a cycle, by its number, and by that of the asking that it answers."""

    number: int
    ask: int
    motion: Motion


_running: list[Driving] = []


def stop_all_driving() -> None:
    """End whatever is driven: the add-on is being taken away."""
    for driving in list(_running):
        driving.stop()


class Driving:
    """A driver in a process of its own. `stop` may be called at any time and as often as one likes.

    Lines go to the process by a pipe, whose end is its end, and come back through a file of the private folder.

    Args:
        style: that the task goes by in place of its own, where no name and no file tells it.
    """

    def __init__(self, task: Task, style: Style | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="footfall-"))
        self._read = self._asks = 0
        self.slowest = self.fastest = 0.0              # m/s, known once it is `ready`
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
        self._tell({"drive": str(self._folder / "task.toml"), "out": str(self._folder / "parts")})

    def _start(self) -> subprocess.Popen[bytes]:
        if not sys.executable:
            raise FootfallError("Blender does not say where its Python is, so that no planning process can be started. "
                                "Install Blender from blender.org.")
        # What Blender can import the worker can import too: the extension's wheels are not on Python's usual path.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        with open(self._folder / "told", "wb") as told, open(self._folder / "log", "wb") as log:
            return subprocess.Popen([sys.executable, "-P", str(WORKER)], stdin=subprocess.PIPE, stdout=told, stderr=log,
                                    env=environment, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0), cwd=self._folder)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def ready(self) -> bool:
        """Whether it has told what the body can do."""
        return self.fastest > 0

    def ask(self, number: int, meant: Meant) -> int:
        """Ask for a part, the next one or the last one once more; returns the number of the asking."""
        self._asks += 1
        pushes = [{"force": p.force, "seconds": p.seconds, "at": p.at} for p in meant.pushes]
        self._tell({"part": number, "ask": self._asks, "speed": meant.speed, "direction": meant.direction, "pushes": pushes})
        return self._asks

    def poll(self) -> list[Part]:
        """Parts that have come since it was asked last.

        Raises:
            FootfallError: what the worker says is wrong, or that it died and with what last words.
        """
        ended = self._process.poll() is not None          # asked before reading: what it said last is in the file by then
        parts = []
        for told in self._lines():
            if "error" in told:
                raise FootfallError(str(told["error"]))
            if "fault" in told:
                raise FootfallError(f"Driving failed by a fault of Footfall: {told['fault']}. {SAFE}")
            if "slowest" in told:
                self.slowest, self.fastest = float(told["slowest"]), float(told["fastest"])
            else:
                parts.append(Part(int(told["part"]), int(told["ask"]), self._fetched(Path(told["file"]))))
        if ended:
            raise FootfallError(f"The planning process ended in the middle of the drive (status {self._process.returncode}). "
                                f"{SAFE} {self._last_words()}".strip())
        return parts

    def stop(self) -> None:
        """End the process and remove its folder."""
        if self in _running:
            _running.remove(self)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdin and not self._process.stdin.closed:
            with suppress(BrokenPipeError):      # the worker may be gone before it had read all that it was told
                self._process.stdin.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _tell(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):          # the worker is gone already; `poll` will tell
            self._process.stdin.write((json.dumps(request) + "\n").encode())
            self._process.stdin.flush()

    def _fetched(self, file: Path) -> Motion:
        motion = load_motion(file)
        shutil.rmtree(file.parent, ignore_errors=True)
        return motion

    def _lines(self) -> list[dict[str, Any]]:
        with open(self._folder / "told", "rb") as told:
            told.seek(self._read)
            text = told.read()
        whole = text.rfind(b"\n") + 1                      # the last line may be half written
        self._read += whole
        return [json.loads(line) for line in text[:whole].splitlines()]

    def _last_words(self) -> str:
        lines = (self._folder / "log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"Its last words: {lines[-1][:LAST_WORDS]}" if lines else ""
