"""A jump from both feet."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import TaskError

LOWEST, HIGHEST = 0.02, 50.0       # m
LARGEST_TURN = 2 * np.pi           # rad
MOST_FLIPS = 10


@dataclass(frozen=True)
class Jump:
    """Off the ground with both feet, and down on both.

    Args:
        time: at which the feet leave the ground, s.
        height: by which the centre of mass rises from there, m.
        reach: how far along the path, m; negative is backward.
        turn: by which the body turns in the air beyond what the path turns, to the left, rad.
        flips: whole turns about the axis from side to side, forward; negative is backward.

    Raises:
        TaskError: a number that is not finite or that no jump can have.
    """

    time: float
    height: float
    reach: float = 0.0
    turn: float = 0.0
    flips: int = 0

    def __post_init__(self) -> None:
        for name in ("time", "height", "reach", "turn"):
            if not np.isfinite(getattr(self, name)):
                raise TaskError(f"The {name} of a jump is {getattr(self, name)}; it must be a finite number.")
        if self.time < 0:
            raise TaskError(f"A jump takes off at {self.time:g} s; it must be at 0 or later.")
        if not LOWEST <= self.height <= HIGHEST:
            raise TaskError(f"The jump at {self.time:g} s is {self.height:g} m high; it must be between {LOWEST:g} and "
                            f"{HIGHEST:g} m.")
        if abs(self.turn) > LARGEST_TURN + 1e-6:
            raise TaskError(f"The jump at {self.time:g} s turns by {np.degrees(self.turn):.0f} degrees; at most 360 are possible.")
        if self.flips != int(self.flips) or abs(self.flips) > MOST_FLIPS:
            raise TaskError(f"The jump at {self.time:g} s has {self.flips} flips; give a whole number of at most {MOST_FLIPS}.")
        object.__setattr__(self, "flips", int(self.flips))
