"""Physical dimensions of the numbers in a task, and their conversion to other units."""

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
