"""One contact of a limb: where, how turned, and from when to when."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Footstep:
    """A contact of a foot with the ground, or of a hand with what it holds.

    Times in seconds; heel down from `strike` to `heel_off`, ball down from `flat` to `lift`.

    A foot that steps strikes with its heel, one that lands from a jump with its ball: then `flat` is before `strike`.

    Where `raised` is given, ball and toes alone stand and the heel is free: it is held up by that angle against the sole's
    rest, rad. Its ball is down from `strike`, which `flat` equals, to `lift`, and rolls over the toes from `heel_off` on.

    `position` is the point of the ground under the middle between heel and ball; the columns of `rotation` are the sole's
    forward, left and up directions. A hand that holds has its grip at `position` from `strike` to `lift`, its `rotation` has
    the way ahead, the way along the rung and upward, and its `leg` counts on from the legs through the arms.
    """

    leg: int
    strike: float
    flat: float
    heel_off: float
    lift: float
    position: Array           # (3,)
    rotation: Array           # (3, 3)
    kept: bool = False        # it was asked for there, and stays
    grip: bool = False        # a hand that holds
    raised: float | None = None       # rad; None where the heel comes down

    @property
    def time(self) -> float:
        """Middle of the contact."""
        return 0.5 * (self.strike + self.lift)

    @property
    def yaw(self) -> float:
        """Heading of the sole, radians."""
        return float(np.arctan2(self.rotation[1, 0], self.rotation[0, 0]))
