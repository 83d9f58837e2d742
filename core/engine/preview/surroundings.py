"""Whether the ground about a body is level and free, so that it walks there as on endless level ground."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...slip.wish import Field, Footing
from .headings import axes_of

Array = NDArray[np.float64]

AHEAD, BEHIND, ASIDE = 2.0, 1.0, 0.5          # m of ground that count: what two steps reach, and the foot that comes after
CELL = 0.1            # m between places that are looked at
LEVEL = 0.01          # m that their heights may differ
MOVED = 0.02          # m that a body goes before they are looked at again

_ahead, _aside = np.meshgrid(np.arange(-BEHIND, AHEAD, CELL), np.arange(-ASIDE, ASIDE + 0.5 * CELL, CELL), indexing="ij")
PLACES = np.stack([_ahead.ravel(), _aside.ravel()], -1)           # (n, 2) ahead and to the left


class Surroundings:
    """Remembers what it found from look to look."""

    def __init__(self) -> None:
        self._seen: tuple[Array, Field, Footing | None] | None = None
        self._plain = False

    def are_plain(self, place: Array, heading: float, height: Field, footing: Footing | None) -> bool:
        """Whether no step from a place (2,) can meet anything but level and good ground.

        Args:
            heading: rad, of the way on from there.
        """
        seen = self._seen
        if seen is not None and seen[1] is height and seen[2] is footing and np.abs(place - seen[0]).max() < MOVED:
            return self._plain
        at = place + PLACES @ axes_of(heading)
        heights = height(at)                                                     # (n,), not a number where there is no ground
        self._plain = bool(np.ptp(heights) < LEVEL) and (footing is None or not footing(at, np.full(len(at), heading)).any())
        self._seen = place.copy(), height, footing
        return self._plain
