"""A jump off both feet."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..errors import TaskError
from .entries import check_keys, read_float, read_table
from .part import TaskPart, copy_part

# Range of the rise of the center of mass [m]: from a flight of 0.13 s to one of 6 s, which is that
# of superheroes; lower ones are steps.
MIN_HEIGHT = 0.02
MAX_HEIGHT = 50.0
# Maximum turn in the air to either side [rad].
MAX_TURN = 2 * np.pi
# Maximum number of flips, forward or backward; more are a slip of the keyboard.
MAX_FLIPS = 10
# Entries in a task file by field, in the order of the fields.
JUMP_KEYS = {
    "time": "time",
    "height": "height",
    "distance": "reach",
    "turn": "turn",
    "flips": "flips",
}


@dataclass(frozen=True)
class Jump(TaskPart):
    """A jump off the ground with both feet that lands on both feet.

    Args:
        time: of the takeoff [s].
        height: rise of the center of mass after the takeoff [m].
        distance: along the path [m]; negative is backward.
        turn: of the body in the air relative to the path [rad], positive to the left.
        flips: number of full turns about the lateral axis; positive is forward.

    Raises:
        TaskError: a number is not finite or out of range.
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

    def in_units(self, length: float, time: float) -> Jump:
        """Return the jump in units of `length` [m] and `time` [s]."""
        return copy_part(
            self,
            time=self.time / time,
            height=self.height / length,
            distance=self.distance / length,
        )

    def shifted(self, seconds: float) -> Jump:
        """Return the jump later by `seconds`."""
        return copy_part(self, time=self.time + seconds)

    def to_table(self) -> dict[str, Any]:
        """Return the jump as a task file holds it."""
        return {JUMP_KEYS[name]: value for name, value in asdict(self).items()}

    @classmethod
    def from_table(cls, table: object, key: str) -> Jump:
        """Return the jump that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        check_keys(entries, "A jump", tuple(JUMP_KEYS.values()))
        missing = [name for name in ("time", "height") if name not in entries]
        if missing:
            raise TaskError(
                f"A jump needs a {missing[0]}; write for example `time = 1.5` and `height = 0.3`."
            )
        values = {name: read_float(entries, file_key, 0.0) for name, file_key in JUMP_KEYS.items()}
        flips = values.pop("flips")
        if not flips.is_integer():
            raise TaskError(f"A jump has {flips:g} flips; give a whole number.")
        return cls(**values, flips=int(flips))
