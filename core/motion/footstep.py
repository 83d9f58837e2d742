"""Footsteps: the contacts of feet and hands."""

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
    """A contact of a foot with the ground, or of a hand with a hold.

    The heel is down from `strike` to `heel_off`, the ball from `flat` to `lift`. After a jump the
    ball lands first, with `flat` before `strike`.

    With `toes_first` heel and ball are exchanged, as in walking backward: the ball is down from
    `strike` to `heel_off`, the heel from `flat` to `lift`.

    With `heel_raise` only ball and toes are down: the ball from `strike`, which equals `flat`, to
    `lift`. It rolls over the toes from `heel_off`.

    A hand holds from `strike` to `lift`.

    Args:
        leg: index of the leg; of a hand, the number of legs plus the index of the arm.
        strike: [s].
        flat: [s].
        heel_off: [s].
        lift: [s].
        position: (3,) point of the ground below the middle between heel and ball, or the grip [m].
        rotation: (3, 3) columns are the forward, left and up directions of the sole; of a hand,
            the forward direction, the direction along the rung, and up.
        pinned: whether the user requested the footstep, which then is not moved.
        grip: whether the contact is that of a hand.
        heel_raise: angle between the raised heel and the sole at rest [rad]; None if the heel comes
            down.
        toes_first: whether the foot rolls from the ball to the heel.
    """

    leg: int
    strike: float
    flat: float
    heel_off: float
    lift: float
    position: Array
    rotation: Array
    pinned: bool = False
    grip: bool = False
    heel_raise: float | None = None
    toes_first: bool = False

    @property
    def time(self) -> float:
        """Middle of the contact [s]."""
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
        """Inclination of the sole, positive with the toes up [rad]."""
        return float(np.arcsin(np.clip(self.rotation[2, 0], -1.0, 1.0)))

    @property
    def yaw(self) -> float:
        """Heading of the sole [rad]."""
        return float(np.arctan2(self.rotation[1, 0], self.rotation[0, 0]))
