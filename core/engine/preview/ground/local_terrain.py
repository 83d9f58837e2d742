"""Whether the ground about a body is free of edges, and level, so that it walks there as on endless ground."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....geometry.planar import axes_of
from ....slip.command import Field, Footing

Array = NDArray[np.float64]

AHEAD, BEHIND, ASIDE = 2.0, 1.0, 0.5          # m of ground that count: what two steps reach, and the foot that comes after
CELL = 0.1            # m between places that are looked at
LEVEL = 0.01          # m that their heights may differ
MOVED = 0.02          # m that a body goes before they are looked at again

_ahead, _aside = np.meshgrid(np.arange(-BEHIND, AHEAD, CELL), np.arange(-ASIDE, ASIDE + 0.5 * CELL, CELL), indexing="ij")
PLACES = np.stack([_ahead.ravel(), _aside.ravel()], -1)           # (n, 2) ahead and to the left


@dataclass(frozen=True)
class Surroundings:
    """What steps from a place can meet.

    Args:
        free: feet stand well wherever they come down.
        plain: and it is level.
    """

    free: bool = True
    plain: bool = True


class Sight:
    """Remembers what it found from look to look."""

    def __init__(self) -> None:
        self._seen: tuple[Array, Field, Footing | None] | None = None
        self._found = Surroundings()

    def look(self, place: Array, heading: float, height: Field, footing: Footing | None) -> Surroundings:
        """Those of a place (2,).

        Args:
            heading: rad, of the way on from there.
        """
        seen = self._seen
        if seen is not None and seen[1] is height and seen[2] is footing and np.abs(place - seen[0]).max() < MOVED:
            return self._found
        at = place + PLACES @ axes_of(heading)
        free = footing is None or not footing(at, np.full(len(at), heading)).any()
        # without ground a height is not a number, and nothing level
        self._found = Surroundings(free, free and bool(np.ptp(height(at)) < LEVEL))
        self._seen = place.copy(), height, footing
        return self._found
