"""A footstep that the user keeps where it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TaskError

SIDES = ("L", "R")


@dataclass(frozen=True)
class PinnedStep:
    """A footstep at a given time and place; the others are planned around it.

    Args:
        side: "L" or "R".
        time: middle of its contact, s.
        position: of the middle between heel and ball, m, along x and y.
        heading: heading of the foot, rad; None for the one that it would have anyway.
        contact_times: when it strikes, comes down flat, lifts its heel and leaves, in s;
            None for what its gait has.
        follows_previous: it comes next after the kept footstep before it, however long that takes.

    Raises:
        TaskError: a side that is none, a number that is not finite, or times that do not rise.
    """

    side: str
    time: float
    position: tuple[float, float]
    heading: float | None = None
    contact_times: tuple[float, float, float, float] | None = None
    follows_previous: bool = False

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise TaskError(
                f"The kept footstep is of the side {self.side!r}; it must be one of: "
                f"{', '.join(SIDES)}."
            )
        position = np.asarray(self.position, float)
        if position.shape != (2,) or not np.isfinite(position).all():
            raise TaskError(
                f"The kept footstep is at {self.position!r}; give two numbers in metres, along x "
                "and y."
            )
        if not np.isfinite(self.time) or (
            self.heading is not None and not np.isfinite(self.heading)
        ):
            raise TaskError("The kept footstep has a time or a turn that is not a finite number.")
        if self.contact_times is not None and not (
            np.isfinite(self.contact_times).all() and (np.diff(self.contact_times) >= 0).all()
        ):
            raise TaskError(
                f"The kept footstep's contact is {self.contact_times!r}; its four times must rise."
            )
        object.__setattr__(self, "place", (float(position[0]), float(position[1])))

    def with_times(self, map_time: Callable[[float], float]) -> PinnedStep:
        """The same with other times."""
        a, b, c, d = self.contact_times or (0.0, 0.0, 0.0, 0.0)
        contact_times = (
            None
            if self.contact_times is None
            else (map_time(a), map_time(b), map_time(c), map_time(d))
        )
        return replace(self, time=map_time(self.time), contact_times=contact_times)

    @property
    def side_sign(self) -> int:
        """1 for the left side, -1 for the right."""
        return 1 if self.side == "L" else -1
