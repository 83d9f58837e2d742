"""In which unit a recording's lengths are, and the units in which bodies of all sizes go alike."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .actor import GRAVITY
from .bvh import Known

UNITS = {"m": 1.0, "cm": 0.01, "inches": 0.0254, "mm": 0.001, "dm": 0.1, "feet": 0.3048}


@dataclass(frozen=True)
class Lengths:
    """How long a part of a body is that tells the unit, m.

    Args:
        usual: the least and the most of most bodies.
        any: of all that there are, where a unit is known.
        guess: in a unit that nobody knows.
    """

    usual: tuple[float, float]
    any: tuple[float, float]
    guess: float


def unit_of(length: float, lengths: Lengths, known: Known | None, units: dict[str, float] = UNITS) -> tuple[str, float]:
    """What the unit of a length is called, and how many metres it is.

    It is the one that is known, if the length is anybody's in it; otherwise the first one in which it is as usual.
    """
    if known is not None and lengths.any[0] <= length * known.metres <= lengths.any[1]:
        return "m" if known.metres == 1 else f"units of {known.metres:g} m", known.metres
    for name, metres in units.items():
        if lengths.usual[0] <= length * metres <= lengths.usual[1]:
            return name, metres
    return "unknown units", lengths.guess / length


class OfHipHeight:
    """Units of time and speed of a body that has a `hip_height`."""

    hip_height: float

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return float(np.sqrt(GRAVITY * self.hip_height))

    @property
    def unit_time(self) -> float:
        """The time in which that speed goes one hip height, s."""
        return float(np.sqrt(self.hip_height / GRAVITY))
