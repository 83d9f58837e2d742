"""In which unit a recording's lengths are, and the units in which bodies of all sizes go alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .actor import GRAVITY
from .bvh import RigInfo

METERS_PER_UNIT = {"m": 1.0, "cm": 0.01, "inches": 0.0254, "mm": 0.001, "dm": 0.1, "feet": 0.3048}


@dataclass(frozen=True)
class LengthRange:
    """How long a part of a body is that tells the unit, m.

    Args:
        typical: the least and the most of most bodies.
        possible: of all that there are, where a unit is known.
        fallback: in a unit that nobody knows.
    """

    typical: tuple[float, float]
    possible: tuple[float, float]
    fallback: float


def infer_unit(
    length: float,
    expected: LengthRange,
    rig: RigInfo | None,
    units: dict[str, float] = METERS_PER_UNIT,
) -> tuple[str, float]:
    """What the unit of a length is called, and how many metres it is.

    It is the one that is known, if the length is anybody's in it;
    otherwise the first one in which it is as usual.
    """
    if (
        rig is not None
        and expected.possible[0] <= length * rig.meters_per_unit <= expected.possible[1]
    ):
        return (
            "m" if rig.meters_per_unit == 1 else f"units of {rig.meters_per_unit:g} m",
            rig.meters_per_unit,
        )
    for name, meters in units.items():
        if expected.typical[0] <= length * meters <= expected.typical[1]:
            return name, meters
    return "unknown units", expected.fallback / length


class HipHeightUnits:
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
