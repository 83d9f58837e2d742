"""Dimensions of the numbers in a task, and the units of a task that an engine converted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", float, NDArray[np.float64])


@dataclass(frozen=True)
class Dimension:
    """Exponents of length and time in a quantity. The unit of mass is always the kilogram."""

    length: int = 0
    time: int = 0

    def convert(self, value: Value, length: float, time: float) -> Value:
        """Return a quantity in new units.

        Args:
            value: in SI units; a number or an array.
            length: new unit of length [m].
            time: new unit of time [s].
        """
        units = ((time, self.time), (length, self.length))
        # All multiplications come first; another order would round differently.
        for unit, exponent in units:
            if exponent < 0:
                value = value * unit**-exponent
        for unit, exponent in units:
            if exponent > 0:
                value = value / unit**exponent
        return value


PURE_NUMBER = Dimension()
LENGTH = Dimension(length=1)
TIME = Dimension(time=1)
FREQUENCY = Dimension(time=-1)
SPEED = Dimension(length=1, time=-1)
ACCELERATION = Dimension(length=1, time=-2)
FORCE = Dimension(length=1, time=-2)
MOMENT = Dimension(length=2, time=-2)


@dataclass(frozen=True)
class TaskUnits:
    """Units of the numbers in a task.

    Engines plan at human scale and put a run-up before the clip. Ranges are checked and messages
    are worded in the user's units, to which this converts.

    Args:
        length: unit of length [m].
        time: unit of time [s].
        clip_start: when the user's clip begins, in the units of this task.
    """

    length: float = 1.0
    time: float = 1.0
    clip_start: float = 0.0

    def in_units(self, length: float, time: float) -> TaskUnits:
        """Return the units of a task that is converted once more."""
        return TaskUnits(self.length * length, self.time * time, self.clip_start / time)

    def shifted(self, seconds: float) -> TaskUnits:
        """Return the units of a task with every moment later by `seconds`."""
        return TaskUnits(self.length, self.time, self.clip_start + seconds)

    def to_user(self, value: float, dimension: Dimension) -> float:
        """Return a number of the task in SI units."""
        return dimension.convert(value, 1 / self.length, 1 / self.time)

    def to_user_length(self, value: float) -> float:
        """Return a length of the task [m]."""
        return self.to_user(value, LENGTH)

    def to_user_speed(self, value: float) -> float:
        """Return a speed of the task [m/s]."""
        return self.to_user(value, SPEED)

    def to_user_time(self, time: float) -> float:
        """Return a moment of the task as seconds of the user's clip."""
        return (time - self.clip_start) * self.time
