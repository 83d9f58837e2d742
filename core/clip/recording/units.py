"""The length unit of a recording, and units of speed and time that scale with the body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...geometry.units import STANDARD_GRAVITY
from .bvh import RigInfo

# Units that files of recordings are in
METERS_PER_UNIT = {"m": 1.0, "cm": 0.01, "inches": 0.0254, "mm": 0.001, "dm": 0.1, "feet": 0.3048}


@dataclass(frozen=True)
class LengthRange:
    """Expected length of a body part from which the unit is inferred [m].

    Args:
        typical: smallest and largest length of most bodies.
        possible: smallest and largest length of all bodies, accepted if the unit is given.
        fallback: length that is assumed if no unit gives a typical length.
    """

    typical: tuple[float, float]
    possible: tuple[float, float]
    fallback: float


@dataclass(frozen=True)
class LengthUnit:
    """A unit of length.

    Args:
        name: name for users.
        meters: length of one unit [m].
    """

    name: str
    meters: float


def infer_unit(
    length: float,
    expected: LengthRange,
    rig: RigInfo | None,
    units: dict[str, float] = METERS_PER_UNIT,
) -> LengthUnit:
    """Return the unit in which the length of a body part is given.

    The unit of the rig is used if the length is possible in it, otherwise the first of `units` in
    which the length is typical.

    Args:
        length: length of the body part in the unit of the recording.
        expected: range of that length [m].
        rig: rig that the recording was made of, None for a file.
        units: meters per unit, by name.
    """
    if (
        rig is not None
        and expected.possible[0] <= length * rig.meters_per_unit <= expected.possible[1]
    ):
        return LengthUnit(
            "m" if rig.meters_per_unit == 1 else f"units of {rig.meters_per_unit:g} m",
            rig.meters_per_unit,
        )
    for name, meters in units.items():
        if expected.typical[0] <= length * meters <= expected.typical[1]:
            return LengthUnit(name, meters)
    return LengthUnit("unknown units", expected.fallback / length)


class HipHeightUnits:
    """Units of speed and time of a body that has a `hip_height` [m]."""

    hip_height: float

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1 [m/s]."""
        return float(np.sqrt(STANDARD_GRAVITY * self.hip_height))

    @property
    def unit_time(self) -> float:
        """Time in which a body travels one hip height at `unit_speed` [s]."""
        return float(np.sqrt(self.hip_height / STANDARD_GRAVITY))
