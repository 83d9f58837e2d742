"""A footstep that the user has fixed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..errors import TaskError
from ..files.values import show_value
from .entries import check_keys, read_number, read_table, read_text
from .part import TaskPart, copy_part

SIDES = ("L", "R")
# Entries in a task file whose names differ from those of their fields.
PINNED_STEP_KEYS = {
    "position": "place",
    "heading": "turn",
    "contact_times": "contact",
    "follows_previous": "follows",
}


@dataclass(frozen=True)
class PinnedStep(TaskPart):
    """A footstep at a given time and place; the other footsteps are planned around it.

    Args:
        side: "L" or "R".
        time: middle of its contact [s].
        position: (2,) midpoint between heel and ball in x and y [m].
        heading: heading of the foot [rad]; None for the planned one.
        contact_times: strike, flat, heel-off and lift [s]; None for those of the gait.
        follows_previous: whether it is the next step after the previous pinned footstep, however
            long the time between them.

    Raises:
        TaskError: the side is neither, a number is not finite, or the times do not increase.
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
                f"The pinned footstep is of the side {show_value(self.side)}; it must be one of: "
                f"{', '.join(SIDES)}."
            )
        position = np.asarray(self.position, float)
        if position.shape != (2,) or not np.isfinite(position).all():
            raise TaskError(
                f"The pinned footstep is at {show_value(self.position)}; give two numbers in "
                "meters, along x "
                "and y."
            )
        if not np.isfinite(self.time) or (
            self.heading is not None and not np.isfinite(self.heading)
        ):
            raise TaskError("The pinned footstep has a time or a turn that is not a finite number.")
        if self.contact_times is not None and not (
            np.isfinite(self.contact_times).all() and (np.diff(self.contact_times) >= 0).all()
        ):
            raise TaskError(
                f"The pinned footstep's contact is {show_value(self.contact_times)}; its four "
                "times must "
                "increase."
            )
        object.__setattr__(self, "position", (float(position[0]), float(position[1])))

    @property
    def side_sign(self) -> int:
        """1 for the left side, -1 for the right."""
        return 1 if self.side == "L" else -1

    def in_units(self, length: float, time: float) -> PinnedStep:
        """Return the footstep in units of `length` [m] and `time` [s]."""
        x, y = self.position
        contact_times = None
        if self.contact_times is not None:
            strike, flat, heel_off, lift = self.contact_times
            contact_times = (strike / time, flat / time, heel_off / time, lift / time)
        return copy_part(
            self,
            time=self.time / time,
            position=(x / length, y / length),
            contact_times=contact_times,
        )

    def shifted(self, seconds: float) -> PinnedStep:
        """Return the footstep later by `seconds`."""
        contact_times = None
        if self.contact_times is not None:
            strike, flat, heel_off, lift = self.contact_times
            contact_times = (strike + seconds, flat + seconds, heel_off + seconds, lift + seconds)
        return copy_part(self, time=self.time + seconds, contact_times=contact_times)

    def to_table(self) -> dict[str, Any]:
        """Return the footstep as a task file holds it."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            PINNED_STEP_KEYS.get(name, name): list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value is not None and value is not False
        }

    @classmethod
    def from_table(cls, table: object, key: str) -> PinnedStep:
        """Return the footstep that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        check_keys(entries, "A footstep", ("side", "time", *PINNED_STEP_KEYS.values()))
        position = entries.get("place")
        if not isinstance(position, list) or len(position) != 2:
            raise TaskError(
                "A footstep's place must be two numbers, such as [1.2, 0.1]; it is "
                f"{show_value(position)}."
            )
        x, y = (float(read_number(v, "place", float)) for v in position)
        return cls(
            read_text(entries.get("side", ""), "side"),
            float(read_number(entries.get("time"), "time", float)),
            (x, y),
            heading=float(read_number(entries["turn"], "turn", float))
            if "turn" in entries
            else None,
            contact_times=_read_contact_times(entries.get("contact")),
            follows_previous=bool(read_number(entries.get("follows", False), "follows", bool)),
        )


def _read_contact_times(entry: object) -> tuple[float, float, float, float] | None:
    if entry is None:
        return None
    if not isinstance(entry, list) or len(entry) != 4:
        raise TaskError(f"A footstep's contact must be four times; it is {show_value(entry)}.")
    strike, flat, heel_off, lift = (float(read_number(v, "contact", float)) for v in entry)
    return strike, flat, heel_off, lift
