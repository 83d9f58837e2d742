"""A footstep that the user keeps where it is."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TaskError

SIDES = ("L", "R")


@dataclass(frozen=True)
class KeptStep:
    """A footstep at a given time and place; the others are planned around it.

    Args:
        side: "L" or "R".
        time: middle of its contact, s.
        place: of the middle between heel and ball, m, along x and y.
        turn: heading of the foot, rad; None for the one that it would have anyway.
        contact: when it strikes, comes down flat, lifts its heel and leaves, in s; None for what its gait has.
        follows: it comes next after the kept footstep before it, however long that takes.

    Raises:
        TaskError: a side that is none, a number that is not finite, or times that do not rise.
    """

    side: str
    time: float
    place: tuple[float, float]
    turn: float | None = None
    contact: tuple[float, float, float, float] | None = None
    follows: bool = False

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise TaskError(f"The kept footstep is of the side {self.side!r}; it must be one of: {', '.join(SIDES)}.")
        place = np.asarray(self.place, float)
        if place.shape != (2,) or not np.isfinite(place).all():
            raise TaskError(f"The kept footstep is at {self.place!r}; give two numbers in metres, along x and y.")
        if not np.isfinite(self.time) or (self.turn is not None and not np.isfinite(self.turn)):
            raise TaskError("The kept footstep has a time or a turn that is not a finite number.")
        if self.contact is not None and not (np.isfinite(self.contact).all() and (np.diff(self.contact) >= 0).all()):
            raise TaskError(f"The kept footstep's contact is {self.contact!r}; its four times must rise.")
        object.__setattr__(self, "place", (float(place[0]), float(place[1])))

    def changed(self, time: Callable[[float], float]) -> KeptStep:
        """The same with other times."""
        a, b, c, d = self.contact or (0.0, 0.0, 0.0, 0.0)
        contact = None if self.contact is None else (time(a), time(b), time(c), time(d))
        return replace(self, time=time(self.time), contact=contact)

    @property
    def sign(self) -> int:
        """1 for the left side, -1 for the right."""
        return 1 if self.side == "L" else -1
