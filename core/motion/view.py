"""An orthographic look at a place, and the colours that all pictures share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEFT = "#2f6db3"
RIGHT = "#cf5a2b"
MIDDLE = "#9b9b98"
RUNG = "#6b5b4a"
HURDLE = "#f4f1ea"
PUSH = "#b3123c"


@dataclass(frozen=True)
class View:
    """An orthographic look at a place: azimuth against the world's x axis, -90 degrees from -y.

    Args:
        centre: (3,) what is in the middle of the picture [m].
        azimuth: from the world's x axis to the viewer [rad].
        elevation: of the viewer above the horizon [rad].
    """

    centre: Array
    azimuth: float
    elevation: float

    @property
    def toward(self) -> Array:
        """Unit vector to the viewer. (3,)."""
        level = np.cos(self.elevation)
        return np.array(
            [np.cos(self.azimuth) * level, np.sin(self.azimuth) * level, np.sin(self.elevation)]
        )

    @property
    def right(self) -> Array:
        """Unit vector to the picture's right. (3,)."""
        return np.array([-np.sin(self.azimuth), np.cos(self.azimuth), 0.0])

    def project(self, points: Array) -> tuple[Array, Array]:
        """Return picture coordinates (..., 2) and nearness (...,) of places (..., 3) [m]."""
        away = points - self.centre
        up = np.cross(self.toward, self.right)
        return np.stack([away @ self.right, away @ up], -1), away @ self.toward


def colour_of(name: str) -> str:
    """Return the colour of a link or limb by its side."""
    return {".L": LEFT, ".R": RIGHT}.get(name[-2:], MIDDLE)
