"""A jump from both feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import TaskError

# m
MIN_HEIGHT = 0.02
MAX_HEIGHT = 50.0

MAX_TURN = 2 * np.pi  # rad
MAX_FLIPS = 10


@dataclass(frozen=True)
class Jump:
    """Off the ground with both feet, and down on both.

    Args:
        time: at which the feet leave the ground, s.
        height: by which the centre of mass rises from there, m.
        distance: how far along the path, m; negative is backward.
        turn: by which the body turns in the air beyond what the path turns, to the left, rad.
        flips: whole turns about the axis from side to side, forward; negative is backward.

    Raises:
        TaskError: a number that is not finite or that no jump can have.
    """

    time: float
    height: float
    distance: float = 0.0
    turn: float = 0.0
    flips: int = 0

    def __post_init__(self) -> None:
        for name, value in (
            ("time", self.time),
            ("height", self.height),
            ("reach", self.distance),
            ("turn", self.turn),
        ):
            if not np.isfinite(value):
                raise TaskError(f"The {name} of a jump is {value}; it must be a finite number.")
        if self.time < 0:
            raise TaskError(f"A jump takes off at {self.time:g} s; it must be at 0 or later.")
        if not MIN_HEIGHT <= self.height <= MAX_HEIGHT:
            raise TaskError(
                f"The jump at {self.time:g} s is {self.height:g} m high; it must be between "
                f"{MIN_HEIGHT:g} and {MAX_HEIGHT:g} m."
            )
        if abs(self.turn) > MAX_TURN + 1e-6:
            raise TaskError(
                f"The jump at {self.time:g} s turns by {np.degrees(self.turn):.0f} degrees; at "
                "most 360 are possible."
            )
        if self.flips != int(self.flips) or abs(self.flips) > MAX_FLIPS:
            raise TaskError(
                f"The jump at {self.time:g} s has {self.flips} flips; give a whole number of at "
                f"most {MAX_FLIPS}."
            )
        object.__setattr__(self, "flips", int(self.flips))
