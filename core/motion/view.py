"""Orthographic views, and the colors of all pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEFT_COLOR = "#2f6db3"
RIGHT_COLOR = "#cf5a2b"
MIDDLE_COLOR = "#9b9b98"
RUNG_COLOR = "#6b5b4a"
HURDLE_COLOR = "#f4f1ea"
PUSH_COLOR = "#b3123c"


@dataclass(frozen=True)
class ProjectedPoints:
    """Points as a viewer sees them.

    Args:
        coordinates: (..., 2) to the right and up in the picture [m].
        nearness: (...,) distance toward the viewer from the center of the view [m].
    """

    coordinates: Array
    nearness: Array


@dataclass(frozen=True)
class View:
    """An orthographic view.

    Args:
        center: (3,) point in the middle of the picture [m].
        azimuth: of the viewer from the world's x axis; -pi / 2 is a view from -y [rad].
        elevation: of the viewer above the horizon [rad].
    """

    center: Array
    azimuth: float
    elevation: float

    @property
    def toward(self) -> Array:
        """Unit vector toward the viewer (3,)."""
        level = np.cos(self.elevation)
        return np.array(
            [np.cos(self.azimuth) * level, np.sin(self.azimuth) * level, np.sin(self.elevation)]
        )

    @property
    def right(self) -> Array:
        """Unit vector to the right in the picture (3,)."""
        return np.array([-np.sin(self.azimuth), np.cos(self.azimuth), 0.0])

    def project(self, points: Array) -> ProjectedPoints:
        """Project points (..., 3) of the world [m] onto the picture."""
        offsets = points - self.center
        up = np.cross(self.toward, self.right)
        coordinates = np.stack([offsets @ self.right, offsets @ up], -1)
        return ProjectedPoints(coordinates, offsets @ self.toward)


def select_side_color(name: str) -> str:
    """Return the color of a link or limb by the side in its name."""
    return {".L": LEFT_COLOR, ".R": RIGHT_COLOR}.get(name[-2:], MIDDLE_COLOR)
