"""A process beside Blender in which a body is driven: half a cycle after the other is asked
for and comes as a file.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.clip import Style, save_style
from ...core.errors import FootfallError
from ...core.motion import Motion, load_motion
from ...core.task import Push, Task, save_task
from .process import WorkerProcess

UNCHANGED_NOTE = "Nothing was changed."


@dataclass(frozen=True)
class InputCommand:
    """What hands mean: a speed in m/s, a direction in the world in rad,
    and pushes that begin as soon as they can.
    """

    speed: float
    direction: float
    pushes: tuple[Push, ...] = ()

    def is_close_to(self, other: InputCommand) -> bool:
        """Whether it is hardly worth planning anew for the other one."""
        angle = (self.direction - other.direction + 3.1416) % 6.2832 - 3.1416
        return (
            abs(self.speed - other.speed) < 0.03
            and abs(angle) < 0.05
            and self.pushes == other.pushes
        )


@dataclass(frozen=True)
class MotionPart:
    """Half a cycle, by its number, and by that of the asking that it answers."""

    number: int
    request_number: int
    motion: Motion


_running_processes: list[DriveProcess] = []


def stop_all_drives() -> None:
    """End whatever is driven: the add-on is being taken away."""
    for process in list(_running_processes):
        process.stop()


class DriveProcess:
    """A driver in a process of its own. `stop` may be called at any time and as often as one likes.

    Args:
        style: that the task goes by in place of its own, where no name and no file tells it.
    """

    def __init__(self, task: Task, style: Style | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="footfall-"))
        self._request_count = 0
        self.min_speed = self.max_speed = 0.0  # m/s, known once it is `is_ready`
        _running_processes.append(self)
        try:
            if style is not None:
                task = replace(task, style=str(save_style(style, self._folder / "style.toml")))
            save_task(task, self._folder / "task.toml")
            self._worker = WorkerProcess(waits_forever=True)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            _running_processes.remove(self)
            raise
        self._worker.send_request(
            {"drive": str(self._folder / "task.toml"), "out": str(self._folder / "parts")}
        )

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._worker.pid

    @property
    def is_ready(self) -> bool:
        """Whether it has told what the body can do."""
        return self.max_speed > 0

    def request_part(self, number: int, command: InputCommand) -> int:
        """Ask for a part, the next one or the last one once more;
        returns the number of the asking.
        """
        self._request_count += 1
        pushes = [
            {"force": p.force, "seconds": p.seconds, "at": p.body_part} for p in command.pushes
        ]
        self._worker.send_request(
            {
                "part": number,
                "ask": self._request_count,
                "speed": command.speed,
                "direction": command.direction,
                "pushes": pushes,
            }
        )
        return self._request_count

    def poll(self) -> list[MotionPart]:
        """Parts that have come since it was asked last.

        Raises:
            FootfallError: what the worker says is wrong, or that it died and with what last words.
        """
        # asked before reading: what it said last is in the file by then
        status = self._worker.status
        parts = []
        for message in self._worker.read_messages():
            if "error" in message:
                raise FootfallError(str(message["error"]))
            if "fault" in message:
                raise FootfallError(
                    f"Driving failed by a fault of Footfall: {message['fault']}. {UNCHANGED_NOTE}"
                )
            if "slowest" in message:
                self.min_speed = float(message["slowest"])
                self.max_speed = float(message["fastest"])
            else:
                parts.append(
                    MotionPart(
                        int(message["part"]),
                        int(message["ask"]),
                        self._load_part(Path(message["file"])),
                    )
                )
        if status is not None:
            raise FootfallError(
                (
                    f"The planning process ended in the middle of the drive (status {status}). "
                    f"{UNCHANGED_NOTE} {self._worker.describe_last_log_line()}"
                ).strip()
            )
        return parts

    def stop(self) -> None:
        """End the process and remove its folder."""
        if self in _running_processes:
            _running_processes.remove(self)
        self._worker.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _load_part(self, file: Path) -> Motion:
        motion = load_motion(file)
        shutil.rmtree(file.parent, ignore_errors=True)
        return motion
