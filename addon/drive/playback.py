"""What is driven as it is shown: parts in a row, which of them is next,
and which frame it is time for.

Real time is kept as long as the next part is there in time; otherwise the clock waits.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.motion import Motion
from ..worker.drive_process import DriveProcess, InputCommand

REQUEST_MARGIN = 0.05  # s more than a part took last, within which it is not asked for once more


@dataclass(frozen=True)
class _PendingRequest:
    """An asking that is not answered yet; when it was, s."""

    request_number: int
    command: InputCommand
    request_time: float


class Playback:
    """Asks a driving process for part after part and keeps the time.

    The next part is asked for as soon as one begins to be shown, and again whenever hands mean
    something else and there is time for it: so there is always one to go on with, and it is as new
    as can be.
    """

    def __init__(self, process: DriveProcess, fps: float) -> None:
        self._process = process
        self._fps = fps
        self.parts: list[Motion] = []  # shown, or being shown
        self.frame = -1  # that is shown, counted from the first part's first
        # what was meant when the part that is shown was asked for
        self.shown_command: InputCommand | None = None
        self.is_waiting = True  # whether the clock stands still for want of a part
        self.waiting_time = 0.0  # s that it did since the first frame
        # s from a change of what is meant to the first frame planned with it
        self.response_delays: list[float] = []
        # s of planning for a second of motion, of each part that came
        self.planning_ratios: list[float] = []
        self._next: tuple[Motion, InputCommand] | None = None
        self._pending: _PendingRequest | None = None
        self._latency = 0.0  # s from asking to having, of the last part
        self._start_time = 0.0  # s of the host's clock at the first frame, later by what was waited
        self._last_command: tuple[InputCommand, float] | None = None  # and since when

    @property
    def frame_count(self) -> int:
        """Frames of the parts that are or were shown."""
        return sum(part.frames for part in self.parts)

    def tick(self, now: float, command: InputCommand) -> Motion | None:
        """Go on to a time in s of the host's clock; returns a part that begins
        to be shown, if one does.

        Raises:
            FootfallError: the driving process cannot go on.
        """
        if self._last_command is None or not command.is_close_to(self._last_command[0]):
            self._last_command = command, now
        self._receive_parts(now)
        new_part = None
        if not self.parts:
            if self._next is not None:
                self._start_time = now
                self.frame = 0
                self.is_waiting = False
                new_part = self._show_next(now)
        else:
            due_frame = int((now - self._start_time) * self._fps + 1e-6)
            if due_frame >= self.frame_count and self._next is not None and self._pending is None:
                new_part = self._show_next(now)
            self.is_waiting = due_frame >= self.frame_count
            if self.is_waiting:  # the next frame stays due until it is there
                lateness = now - self._start_time - self.frame_count / self._fps
                self._start_time += lateness
                self.waiting_time += lateness
            self.frame = max(self.frame, min(due_frame, self.frame_count - 1))
        self._request_next(now, command)
        return new_part

    def _receive_parts(self, now: float) -> None:
        for part in self._process.poll():
            if self._pending is not None and part.request_number == self._pending.request_number:
                self._next = part.motion, self._pending.command
                self._latency = now - self._pending.request_time
                self.planning_ratios.append(
                    part.motion.report.seconds["total"] * self._fps / part.motion.frames
                )
                self._pending = None

    def _show_next(self, now: float) -> Motion:
        assert self._next is not None
        assert self._last_command is not None
        previous = self.shown_command
        motion, self.shown_command = self._next
        self._next = None
        self.parts.append(motion)
        if (
            previous is not None
            and not previous.is_close_to(self.shown_command)
            and self.shown_command.is_close_to(self._last_command[0])
        ):
            self.response_delays.append(now - self._last_command[1])
        return motion

    def _request_next(self, now: float, command: InputCommand) -> None:
        if self._pending is not None or not self._process.is_ready:
            return
        if self._next is not None:
            time_left = self._start_time + self.frame_count / self._fps - now if self.parts else 0.0
            if command.is_close_to(self._next[1]) or time_left < self._latency + REQUEST_MARGIN:
                return
        self._pending = _PendingRequest(
            self._process.request_part(len(self.parts), command), command, now
        )
