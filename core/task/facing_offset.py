"""The direction that a body faces relative to its path, over time."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import TaskError
from .profile import Profile, read_samples

# Maximum rate of the turn relative to the path [degrees/s]; faster ones are refused.
MAX_TURN_RATE = 180.0


class FacingOffset(Profile):
    """Angle between body and path over time [degrees], positive to the left.

    0 is forward, 90 and -90 are sideways, 180 is backward; larger angles are full turns.

    Raises:
        TaskError: as `Profile`, or the turn exceeds `MAX_TURN_RATE`.
    """

    min_value = -np.inf

    def __init__(self, degrees: ArrayLike, times: ArrayLike = 0.0) -> None:
        super().__init__("turn against the path", degrees, times)
        if len(self.times) > 1:
            turn_rate = float(np.abs(np.diff(self.values) / np.diff(self.times)).max())
            if turn_rate > MAX_TURN_RATE * (1 + 1e-9):
                raise TaskError(
                    f"The body would turn by {turn_rate:.0f} degrees per second relative to its "
                    f"path; at most {MAX_TURN_RATE:.0f} are possible. Give the turn more time."
                )

    def to_table(self) -> dict[str, Any] | None:
        """Return the angles as a task file holds them; None if the body faces along its path."""
        return super().to_table() if self.values.any() else None

    @classmethod
    def from_table(cls, table: object, key: str) -> Self:
        """Return the angles that a table or a number describes; see `Profile.from_table`."""
        samples = read_samples(table, key)
        return cls(samples.values, samples.times)
