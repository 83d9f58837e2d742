"""A bar across the way, to be leapt over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import TaskError

Array = NDArray[np.float64]

BAR_RADIUS = 0.02  # m, radius of a bar
MIN_BAR_LENGTH = 0.05  # m, length of a bar


@dataclass(frozen=True)
class Hurdle:
    """A level bar that nothing of the body may touch.

    Args:
        start, end: of the bar seen from above, m.
        height: of its middle line above the ground under its middle, m.
        depth: of a hurdle that is more than a bar, such as a box or a trunk, from front to back, m;
            the bar is in its middle.

    Raises:
        TaskError: a number that is not finite, a bar too short to be one, one that is not above the
            ground, or a depth below 0.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    height: float = 0.6
    depth: float = 0.0

    def __post_init__(self) -> None:
        ends = np.asarray([self.start, self.end], float)
        if ends.shape != (2, 2) or not np.isfinite(ends).all():
            raise TaskError(
                f"The hurdle reaches from {self.start!r} to {self.end!r}; give two places, each "
                "with x and y."
            )
        if np.linalg.norm(ends[1] - ends[0]) < MIN_BAR_LENGTH:
            raise TaskError(
                f"The hurdle's bar is shorter than {MIN_BAR_LENGTH:g} m; its two ends must lie "
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

    def scaled(self, length: float) -> Hurdle:
        """The same with all lengths multiplied by a factor above 0."""
        a, b = self.start
        c, d = self.end
        return Hurdle(
            (a * length, b * length),
            (c * length, d * length),
            self.height * length,
            self.depth * length,
        )

    def measure_offsets(self, xy: Array) -> tuple[Array, Array]:
        """How far places are across the bar, left of its way from start to end positive,
        and along it past its nearer end.

        (..., 2) -> (...,) m, (...,) m; the latter 0 between the ends.
        """
        start = np.asarray(self.start)
        direction = np.asarray(self.end) - start
        length = float(np.linalg.norm(direction))
        direction = direction / length
        offset = np.asarray(xy, float) - start
        along = offset @ direction
        return direction[0] * offset[..., 1] - direction[1] * offset[..., 0], np.maximum(
            np.maximum(-along, along - length), 0.0
        )
