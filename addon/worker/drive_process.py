"""A process beside Blender in which a body is driven: half a cycle after the other is asked for and comes as a file."""
from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.clip import Style, save_style
from ...core.errors import FootfallError
from ...core.motion import Motion, load_motion
from ...core.task import Push, Task, save_task
from .process import Worker

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

    Args:
        style: that the task goes by in place of its own, where no name and no file tells it.
    """

    def __init__(self, task: Task, style: Style | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="footfall-"))
        self._asks = 0
        self.slowest = self.fastest = 0.0              # m/s, known once it is `ready`
        _running.append(self)
        try:
            if style is not None:
                task = replace(task, style=str(save_style(style, self._folder / "style.toml")))
            save_task(task, self._folder / "task.toml")
            self._worker = Worker(patient=True)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            _running.remove(self)
            raise
        self._worker.ask({"drive": str(self._folder / "task.toml"), "out": str(self._folder / "parts")})

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._worker.pid

    @property
    def ready(self) -> bool:
        """Whether it has told what the body can do."""
        return self.fastest > 0

    def ask(self, number: int, meant: Meant) -> int:
        """Ask for a part, the next one or the last one once more; returns the number of the asking."""
        self._asks += 1
        pushes = [{"force": p.force, "seconds": p.seconds, "at": p.at} for p in meant.pushes]
        self._worker.ask({"part": number, "ask": self._asks, "speed": meant.speed, "direction": meant.direction, "pushes": pushes})
        return self._asks

    def poll(self) -> list[Part]:
        """Parts that have come since it was asked last.

        Raises:
            FootfallError: what the worker says is wrong, or that it died and with what last words.
        """
        status = self._worker.status          # asked before reading: what it said last is in the file by then
        parts = []
        for told in self._worker.lines():
            if "error" in told:
                raise FootfallError(str(told["error"]))
            if "fault" in told:
                raise FootfallError(f"Driving failed by a fault of Footfall: {told['fault']}. {SAFE}")
            if "slowest" in told:
                self.slowest, self.fastest = float(told["slowest"]), float(told["fastest"])
            else:
                parts.append(Part(int(told["part"]), int(told["ask"]), self._fetched(Path(told["file"]))))
        if status is not None:
            raise FootfallError(f"The planning process ended in the middle of the drive (status {status}). "
                                f"{SAFE} {self._worker.last_words()}".strip())
        return parts

    def stop(self) -> None:
        """End the process and remove its folder."""
        if self in _running:
            _running.remove(self)
        self._worker.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _fetched(self, file: Path) -> Motion:
        motion = load_motion(file)
        shutil.rmtree(file.parent, ignore_errors=True)
        return motion
