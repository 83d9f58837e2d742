"""A live drive in a planning process, which sends the motion in parts of half a gait cycle."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from ...core.clip import Style
from ...core.motion import Motion, load_motion
from ...core.task import Push, Task
from ...core.worker.messages import (
    AdvanceRequest,
    DriveReadyAnswer,
    PartAnswer,
    StartDriveRequest,
)
from .client import FailureTexts, WorkerClient
from .process import WorkerProcess

# Differences between commands below which no new part is computed, as they are not seen: a turn of
# three degrees, and a fortieth of the speed of a human walk.
SPEED_TOLERANCE = 0.03  # [m/s]
DIRECTION_TOLERANCE = 0.05  # [rad]


@dataclass(frozen=True)
class InputCommand:
    """Command of the user."""

    speed: float  # [m/s]
    direction: float  # heading of the velocity in the world [rad]
    pushes: tuple[Push, ...] = ()  # pushes that begin as soon as possible

    def is_close_to(self, other: InputCommand) -> bool:
        """Return whether the commands differ too little to compute a new part."""
        angle = (self.direction - other.direction + 3.1416) % 6.2832 - 3.1416
        return (
            abs(self.speed - other.speed) < SPEED_TOLERANCE
            and abs(angle) < DIRECTION_TOLERANCE
            and self.pushes == other.pushes
        )


@dataclass(frozen=True)
class MotionPart:
    """Half a gait cycle of a drive."""

    number: int  # counted from 0
    request_number: int  # of the request that it answers
    motion: Motion


_running_processes: list[DriveProcess] = []


def stop_all_drives() -> None:
    """Stop all drives."""
    for process in list(_running_processes):
        process.stop()


class DriveProcess(WorkerClient):
    """A live drive in a planning process.

    Args:
        task: task that describes character, ground, engine and start.
        style: style that replaces the task's style; for a style that has neither a name nor a
            file, such as one read from an action.

    Attributes:
        min_speed: lowest speed of the body [m/s]; 0 until `is_ready`.
        max_speed: highest speed of the body [m/s]; 0 until `is_ready`.

    Raises:
        FootfallError: no process can be started.
    """

    texts = FailureTexts(
        subject="Driving",
        end_time="in the middle of the drive",
        scene_state="Nothing was changed.",
        advice="Nothing was changed.",
    )

    def __init__(self, task: Task, style: Style | None = None) -> None:
        self._request_count = 0
        self.min_speed = 0.0
        self.max_speed = 0.0
        super().__init__(task, style)
        _running_processes.append(self)

    def _start(self, task_file: Path) -> WorkerProcess:
        worker = WorkerProcess(waits_forever=True)
        worker.send_request(StartDriveRequest(task_file, self._folder / "parts"))
        return worker

    @property
    def is_ready(self) -> bool:
        """Whether the process accepts requests for parts."""
        return self.max_speed > 0

    def request_part(self, number: int, command: InputCommand) -> int:
        """Request the next part, or the latest part again for another command.

        Returns:
            The number of the request.
        """
        self._request_count += 1
        self._worker.send_request(
            AdvanceRequest(
                number,
                self._request_count,
                speed=command.speed,
                direction=command.direction,
                pushes=command.pushes,
            )
        )
        return self._request_count

    def poll(self) -> list[MotionPart]:
        """Return the parts that have arrived since the last call, without waiting.

        Raises:
            FootfallError: the body cannot be driven, or the process has failed, ended or stopped.
        """
        # Read the status first: if the process has ended, its last answers are already written.
        status = self._worker.status
        parts = []
        for answer in self._worker.read_answers():
            self._check_answer(answer)
            match answer:
                case DriveReadyAnswer():
                    self.min_speed = answer.min_speed
                    self.max_speed = answer.max_speed
                case PartAnswer():
                    parts.append(_load_part(answer))
                case _:
                    raise self._make_unexpected_answer_error(answer)
        if status is not None:
            raise self._make_exit_error(status)
        self._check_silence()
        return parts

    def stop(self) -> None:
        """End the process and remove its folder; does nothing if it was stopped before."""
        if self in _running_processes:
            _running_processes.remove(self)
        self._worker.end()
        self._remove_folder()


def _load_part(answer: PartAnswer) -> MotionPart:
    """Return a part and remove its folder."""
    motion = load_motion(answer.motion_file)
    shutil.rmtree(answer.motion_file.parent, ignore_errors=True)
    return MotionPart(answer.part_number, answer.request_number, motion)
