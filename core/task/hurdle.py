"""A bar across the path that the body leaps over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TaskError
from ..files.values import show_value
from .entries import check_keys, read_float, read_numbers, read_table
from .part import TimelessPart, copy_part

Array = NDArray[np.float64]

# Radius of a bar [m].
BAR_RADIUS = 0.02
# Minimum length of a bar [m].
MIN_BAR_LENGTH = 0.05


@dataclass(frozen=True)
class HurdleOffsets:
    """Horizontal offsets of places from a hurdle's bar.

    Args:
        across: (...,) perpendicular to the bar [m], positive to the left of its direction from
            start to end.
        past_end: (...,) along the bar past its nearer end [m], 0 between the ends.
    """

    across: Array
    past_end: Array


@dataclass(frozen=True)
class Hurdle(TimelessPart):
    """A level bar that no part of the body may touch.

    Args:
        start, end: (2,) ends of the bar seen from above [m].
        height: of the bar's axis above the ground under its midpoint [m].
        depth: extent from front to back [m] of a hurdle such as a box or a trunk, with the bar in
            the middle; 0 for a bar.

    Raises:
        TaskError: a number is not finite, the bar is too short or not above the ground, or the
            depth is negative.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    height: float = 0.6
    depth: float = 0.0

    def __post_init__(self) -> None:
        ends = np.asarray([self.start, self.end], float)
        if ends.shape != (2, 2) or not np.isfinite(ends).all():
            raise TaskError(
                f"The hurdle reaches from {show_value(self.start)} to {show_value(self.end)}; "
                "give two places, each "
                "with x and y."
            )
        if np.linalg.norm(ends[1] - ends[0]) < MIN_BAR_LENGTH:
            raise TaskError(
                f"The hurdle's bar is shorter than {MIN_BAR_LENGTH:g} m; its two ends must be "
                "apart."
            )
        if not (np.isfinite(self.height) and self.height > 0):
            raise TaskError(
                f"The hurdle is {self.height:g} m high; its bar must be above the ground."
            )
        if not (np.isfinite(self.depth) and self.depth >= 0):
            raise TaskError(
                f"The hurdle is {self.depth:g} m deep; give 0 for a bar, or the depth of a box."
            )
        object.__setattr__(self, "start", tuple(float(v) for v in ends[0]))
        object.__setattr__(self, "end", tuple(float(v) for v in ends[1]))

    def in_units(self, length: float, time: float) -> Hurdle:
        """Return the hurdle in units of `length` [m]."""
        factor = 1 / length
        return copy_part(
            self,
            start=(self.start[0] * factor, self.start[1] * factor),
            end=(self.end[0] * factor, self.end[1] * factor),
            height=self.height * factor,
            depth=self.depth * factor,
        )

    def to_table(self) -> dict[str, Any]:
        """Return the hurdle as a task file holds it."""
        return {
            "start": list(self.start),
            "end": list(self.end),
            "height": self.height,
            "depth": self.depth,
        }

    @classmethod
    def from_table(cls, table: object, key: str) -> Hurdle:
        """Return the hurdle that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        check_keys(entries, "A hurdle", ("start", "end", "height", "depth"))
        start, end = (
            read_numbers(entries.get(name), f"hurdle's {name}", (4.0, 0.6))
            for name in ("start", "end")
        )
        return cls(
            (start[0], start[1]),
            (end[0], end[1]),
            read_float(entries, "height", cls.height),
            read_float(entries, "depth", cls.depth),
        )

    def measure_offsets(self, xy: Array) -> HurdleOffsets:
        """Return the offsets of places from the bar. (..., 2) [m] -> (...,) each."""
        start = np.asarray(self.start)
        direction = np.asarray(self.end) - start
        length = float(np.linalg.norm(direction))
        direction = direction / length
        offset = np.asarray(xy, float) - start
        along = offset @ direction
        return HurdleOffsets(
            across=direction[0] * offset[..., 1] - direction[1] * offset[..., 0],
            past_end=np.maximum(np.maximum(-along, along - length), 0.0),
        )
