"""What is driven as it is shown: parts in a row, which of them is next, and which frame it is time for.

Real time is kept as long as the next part is there in time; otherwise the clock waits.
"""
from __future__ import annotations

from dataclasses import dataclass

from ...core.motion import Motion
from ..worker.drive_process import Driving, Meant

SPARE = 0.05          # s more than a part took last, within which it is not asked for once more


@dataclass(frozen=True)
class _Asked:
    """An asking that is not answered yet; when it was, s."""

    ask: int
    meant: Meant
    at: float


class Reel:
    """Asks a driving process for part after part and keeps the time.

    The next part is asked for as soon as one begins to be shown, and again whenever hands mean something else and there is time
    for it: so there is always one to go on with, and it is as new as can be.
    """

    def __init__(self, driving: Driving, fps: float) -> None:
        self._driving, self._fps = driving, fps
        self.parts: list[Motion] = []         # shown, or being shown
        self.frame = -1                       # that is shown, counted from the first part's first
        self.obeyed: Meant | None = None      # what was meant when the part that is shown was asked for
        self.waiting = True                   # whether the clock stands still for want of a part
        self.waited = 0.0                     # s that it did since the first frame
        self.delays: list[float] = []         # s from a change of what is meant to the first frame planned with it
        self.shares: list[float] = []         # s of planning for a second of motion, of each part that came
        self._next: tuple[Motion, Meant] | None = None
        self._asked: _Asked | None = None
        self._took = 0.0                      # s from asking to having, of the last part
        self._begin = 0.0                     # s of the host's clock at the first frame, later by what was waited
        self._meant: tuple[Meant, float] | None = None          # and since when

    @property
    def frames(self) -> int:
        """Frames of the parts that are or were shown."""
        return sum(part.frames for part in self.parts)

    def tick(self, now: float, meant: Meant) -> Motion | None:
        """Go on to a time in s of the host's clock; returns a part that begins to be shown, if one does.

        Raises:
            FootfallError: the driving process cannot go on.
        """
        if self._meant is None or not meant.same_as(self._meant[0]):
            self._meant = meant, now
        self._take(now)
        begun = None
        if not self.parts:
            if self._next is not None:
                self._begin, self.frame, self.waiting = now, 0, False
                begun = self._show_next(now)
        else:
            due = int((now - self._begin) * self._fps + 1e-6)
            if due >= self.frames and self._next is not None and self._asked is None:
                begun = self._show_next(now)
            self.waiting = due >= self.frames
            if self.waiting:                  # the next frame stays due until it is there
                late = now - self._begin - self.frames / self._fps
                self._begin += late
                self.waited += late
            self.frame = max(self.frame, min(due, self.frames - 1))
        self._ask(now, meant)
        return begun

    def _take(self, now: float) -> None:
        for part in self._driving.poll():
            if self._asked is not None and part.ask == self._asked.ask:
                self._next = part.motion, self._asked.meant
                self._took = now - self._asked.at
                self.shares.append(part.motion.report.seconds["total"] * self._fps / part.motion.frames)
                self._asked = None

    def _show_next(self, now: float) -> Motion:
        assert self._next is not None
        assert self._meant is not None
        before, (motion, self.obeyed) = self.obeyed, self._next
        self._next = None
        self.parts.append(motion)
        if before is not None and not before.same_as(self.obeyed) and self.obeyed.same_as(self._meant[0]):
            self.delays.append(now - self._meant[1])
        return motion

    def _ask(self, now: float, meant: Meant) -> None:
        if self._asked is not None or not self._driving.ready:
            return
        if self._next is not None:
            left = self._begin + self.frames / self._fps - now if self.parts else 0.0
            if meant.same_as(self._next[1]) or left < self._took + SPARE:
                return
        self._asked = _Asked(self._driving.ask(len(self.parts), meant), meant, now)
