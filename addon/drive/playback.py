"""Playback of a live drive: sequence of parts, request of the next part and clock.

Playback runs in real time as long as the next part arrives in time; otherwise its clock waits.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.motion import Motion
from ..worker.drive_process import DriveProcess, InputCommand

# Margin on top of the latency of the previous request within which a part is not requested again
# [s]: three frames of the screen, by which latencies differ.
REQUEST_MARGIN = 0.05


@dataclass(frozen=True)
class _PendingRequest:
    """A request without an answer."""

    request_number: int
    command: InputCommand
    request_time: float  # [s]


@dataclass(frozen=True)
class _NextPart:
    """A part that has arrived and waits to be shown."""

    motion: Motion
    command: InputCommand  # command for which it was computed


@dataclass(frozen=True)
class _LatestCommand:
    """The current command of the user."""

    command: InputCommand
    start_time: float  # time of the change to this command [s]


class Playback:
    """Requests part after part from a drive and determines the frame to show.

    The next part is requested as soon as a part begins to be shown. If the command changes and
    there is still time, the next part is requested again. So a next part is available whenever the
    planner is fast enough, and it follows the latest command possible.

    All times are those of the caller's clock.

    Args:
        process: drive that computes the parts.
        fps: frames per second.

    Attributes:
        parts: parts that have been shown, the current one last.
        frame: current frame, counted from the first frame of the first part; -1 before it.
        shown_command: command for which the current part was computed.
        is_waiting: whether the clock waits for a part.
        waiting_time: total waiting time since the first frame [s].
        response_delays: times from a change of the command to the first frame that follows it [s].
        planning_ratios: computing time per time of motion, of each part that has arrived.
    """

    def __init__(self, process: DriveProcess, fps: float) -> None:
        self._process = process
        self._fps = fps
        self.parts: list[Motion] = []
        self.frame = -1
        self.shown_command: InputCommand | None = None
        self.is_waiting = True
        self.waiting_time = 0.0
        self.response_delays: list[float] = []
        self.planning_ratios: list[float] = []
        self._next: _NextPart | None = None
        self._pending: _PendingRequest | None = None
        self._latency = 0.0  # time from request to answer of the latest part [s]
        self._start_time = 0.0  # time of the first frame, shifted by the waiting time [s]
        self._latest: _LatestCommand | None = None

    @property
    def frame_count(self) -> int:
        """Number of frames of all parts in `parts`."""
        return sum(part.frames for part in self.parts)

    def tick(self, now: float, command: InputCommand) -> Motion | None:
        """Advance to a time.

        Args:
            now: current time [s].
            command: current command.

        Returns:
            The part that begins to be shown; None if the part does not change.

        Raises:
            FootfallError: the drive process has failed.
        """
        if self._latest is None or not command.is_close_to(self._latest.command):
            self._latest = _LatestCommand(command, now)
        self._receive_parts(now)
        new_part = self._advance(now) if self.parts else self._show_first(now)
        self._request_next(now, command)
        return new_part

    def _show_first(self, now: float) -> Motion | None:
        """Start the clock if the first part has arrived."""
        if self._next is None:
            return None
        self._start_time = now
        self.frame = 0
        self.is_waiting = False
        return self._show_next(self._next, now)

    def _advance(self, now: float) -> Motion | None:
        """Update the frame, or stop the clock if the part of the due frame has not arrived."""
        new_part = None
        due_frame = int((now - self._start_time) * self._fps + 1e-6)
        if due_frame >= self.frame_count and self._next is not None and self._pending is None:
            new_part = self._show_next(self._next, now)
        self.is_waiting = due_frame >= self.frame_count
        if self.is_waiting:  # shift the clock so that the next frame remains due
            lateness = now - self._start_time - self.frame_count / self._fps
            self._start_time += lateness
            self.waiting_time += lateness
        self.frame = max(self.frame, min(due_frame, self.frame_count - 1))
        return new_part

    def _receive_parts(self, now: float) -> None:
        for part in self._process.poll():
            if self._pending is not None and part.request_number == self._pending.request_number:
                self._next = _NextPart(part.motion, self._pending.command)
                self._latency = now - self._pending.request_time
                self.planning_ratios.append(
                    part.motion.report.seconds["total"] * self._fps / part.motion.frames
                )
                self._pending = None

    def _show_next(self, part: _NextPart, now: float) -> Motion:
        """Make a part the current one and record the response delay."""
        assert self._latest is not None
        previous = self.shown_command
        self.shown_command = part.command
        self._next = None
        self.parts.append(part.motion)
        if (
            previous is not None
            and not previous.is_close_to(part.command)
            and part.command.is_close_to(self._latest.command)
        ):
            self.response_delays.append(now - self._latest.start_time)
        return part.motion

    def _request_next(self, now: float, command: InputCommand) -> None:
        """Request the next part, or request it again if the command has changed in time."""
        if self._pending is not None or not self._process.is_ready:
            return
        if self._next is not None:
            time_left = self._start_time + self.frame_count / self._fps - now if self.parts else 0.0
            is_too_late = time_left < self._latency + REQUEST_MARGIN
            if command.is_close_to(self._next.command) or is_too_late:
                return
        self._pending = _PendingRequest(
            self._process.request_part(len(self.parts), command), command, now
        )
