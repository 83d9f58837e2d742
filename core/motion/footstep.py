"""One contact of a limb: where, how turned, and from when to when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TimeSpan:
    """A span of time.

    Args:
        begin: [s].
        end: [s].
    """

    begin: float
    end: float


@dataclass(frozen=True)
class Footstep:
    """A contact of a foot with the ground, or of a hand with what it holds.

    Times in seconds; heel down from `strike` to `heel_off`, ball down from `flat` to `lift`.

    A foot that steps strikes with its heel, one that lands from a jump with its ball:
    then `flat` is before `strike`.

    One that is `toes_first` comes down on its ball and leaves from its heel, as those of bodies
    that go backward do: its ball is down from `strike` to `heel_off`, its heel from `flat` to
    `lift`.

    Where `heel_raise` is given, ball and toes alone stand and the heel is free: it is held up by
    that angle against the sole's rest, rad. Its ball is down from `strike`, which `flat` equals, to
    `lift`, and rolls over the toes from `heel_off` on.

    `position` is the point of the ground under the middle between heel and ball; the columns of
    `rotation` are the sole's forward, left and up directions. A hand that holds has its grip at
    `position` from `strike` to `lift`, its `rotation` has the way ahead, the way along the rung and
    upward, and its `leg` counts on from the legs through the arms.
    """

    leg: int
    strike: float
    flat: float
    heel_off: float
    lift: float
    position: Array  # (3,)
    rotation: Array  # (3, 3)
    pinned: bool = False  # it was asked for there, and stays
    grip: bool = False  # a hand that holds
    heel_raise: float | None = None  # rad; None where the heel comes down
    toes_first: bool = False  # it rolls from the ball to the heel

    @property
    def time(self) -> float:
        """Middle of the contact."""
        return 0.5 * (self.strike + self.lift)

    @property
    def heel_span(self) -> TimeSpan:
        """Time in which the heel is down; meaningless where `heel_raise` is given."""
        return (
            TimeSpan(self.flat, self.lift)
            if self.toes_first
            else TimeSpan(self.strike, self.heel_off)
        )

    @property
    def ball_span(self) -> TimeSpan:
        """Time in which the ball is down."""
        return (
            TimeSpan(self.strike, self.heel_off)
            if self.toes_first
            else TimeSpan(self.flat, self.lift)
        )

    @property
    def slope(self) -> float:
        """By how much the sole rests toes up against the level, rad."""
        return float(np.arcsin(np.clip(self.rotation[2, 0], -1.0, 1.0)))

    @property
    def yaw(self) -> float:
        """Heading of the sole, radians."""
        return float(np.arctan2(self.rotation[1, 0], self.rotation[0, 0]))
