"""Which way a body faces against its path, over time."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import TaskError
from .profile import Profile

MAX_TURN_RATE = 180.0  # degrees a second


class FacingOffset(Profile):
    """Degrees to the left of the path over time: 0 goes forward, 90 and -90 sidewards, 180
    backward; more turns go round.

    Raises:
        TaskError: as `Profile`, or a turn that is faster than feet can follow.
    """

    min_value = -np.inf

    def __init__(self, degrees: ArrayLike, times: ArrayLike = 0.0) -> None:
        super().__init__("turn against the path", degrees, times)
        if len(self.times) > 1:
            turn_rate = float(np.abs(np.diff(self.values) / np.diff(self.times)).max())
            if turn_rate > MAX_TURN_RATE * (1 + 1e-9):
                raise TaskError(
                    f"The body would turn by {turn_rate:.0f} degrees a second against its path; "
                    f"feet can follow {MAX_TURN_RATE:.0f} at most. Give the turn more time."
                )
