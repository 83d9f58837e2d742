"""Ground as a grid of heights, which the physics engine splits into the same triangles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...terrain import HeightField

Array = NDArray[np.float64]

# Number of columns of random fields that are level: from 3 m behind the origin to 1 m ahead of it.
LEVEL_COLUMNS = 5
# Grid of grounds with steep edges: distance of its points [m], their numbers along x and y for 20 m
# ahead and 3 m to every other side, the first edge, after two steps, and the length of a tread [m],
# that of a step of the forward walk (section 8.3)
EDGE_SPACING = 0.05
EDGE_COLUMNS = 461
EDGE_ROWS = 121
FIRST_EDGE = 1.5
TREAD_LENGTH = 0.65


class EndlessField(HeightField):
    """A height field beyond whose border the ground has the height of the border."""

    def __init__(self, heights: ArrayLike, origin: ArrayLike, spacing: float) -> None:
        super().__init__(heights, origin, spacing)
        low = self.origin
        high = low + self.spacing * (np.array(self.heights.shape) - 1)
        self._borders = list(zip(low.tolist(), high.tolist(), strict=True))  # along x and y [m]

    def sample(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the heights at points, which must be finite (...,) [m]."""
        grid = [
            (np.minimum(np.maximum(place, low), high) - low) / self.spacing
            for place, (low, high) in zip((x, y), self._borders, strict=True)
        ]
        return self._interpolate(*grid)


def create_slope(gradient: float) -> EndlessField:
    """Return a ground with the grid of random fields that rises 2 m ahead of the origin."""
    x = -3.0 + np.arange(25)
    heights = np.tile(gradient * np.maximum(x - 2.0, 0.0)[:, None], (1, 17))
    return EndlessField(heights, (-3.0, -8.0), 1.0)


def create_random_field(seed: int, max_height: float) -> EndlessField:
    """Return a field of random heights from 0 to a maximum [m], 1 m apart (section 8.3).

    It is level up to 1 m ahead of the origin, where walks begin: a body that is put down on uneven
    ground with both feet side by side falls before the controller has a say.
    """
    heights = np.random.default_rng(seed).uniform(0.0, max_height, (17, 25)).T
    heights[:LEVEL_COLUMNS] = 0.5 * max_height
    return EndlessField(heights, (-3.0, -8.0), 1.0)


def create_stairs(rise: float) -> EndlessField:
    """Return stairs ahead of the origin, with steps of a height [m], negative for stairs down.

    A tread is as long as a step of the forward walk.
    """
    x = -3.0 + EDGE_SPACING * np.arange(EDGE_COLUMNS)
    heights = rise * np.ceil(np.maximum(x - FIRST_EDGE, 0.0) / TREAD_LENGTH)
    return EndlessField(np.tile(heights[:, None], (1, EDGE_ROWS)), (-3.0, -3.0), EDGE_SPACING)


def create_boxes(seed: int, max_height: float) -> EndlessField:
    """Return boxes of 1 m by 1 m with random heights from 0 to a maximum [m], with steep sides."""
    tops = np.random.default_rng(seed).uniform(0.0, max_height, (EDGE_COLUMNS, EDGE_ROWS))
    place = (EDGE_SPACING * np.arange(EDGE_COLUMNS)).astype(int)
    heights = tops[place[:, None], place[None, :EDGE_ROWS]]
    x = -3.0 + EDGE_SPACING * np.arange(EDGE_COLUMNS)
    heights[x <= FIRST_EDGE] = 0.5 * max_height
    return EndlessField(heights, (-3.0, -3.0), EDGE_SPACING)


# Grounds by their kind, functions of a seed and of a number: the largest height [m], the gradient,
# or the height of a step [m]
TERRAINS: dict[str, Callable[[int, float], EndlessField]] = {
    "field": create_random_field,
    "slope": lambda seed, gradient: create_slope(gradient),
    "boxes": create_boxes,
    "stairs": lambda seed, rise: create_stairs(rise),
}


@dataclass(frozen=True)
class GroundKind:
    """Kind of the ground of a walk.

    Args:
        height: which number it is depends on the terrain; 0 for a plane.
        terrain: a key of `TERRAINS`.
    """

    height: float = 0.0
    terrain: str = "field"

    def create(self, seed: int) -> EndlessField | None:
        """Return a ground of this kind; None for a plane."""
        return TERRAINS[self.terrain](seed, self.height) if self.height else None

    def scale(self, share: float) -> GroundKind:
        """Return the kind with a share of its height."""
        return replace(self, height=round(share * self.height, 4))


PLANE = GroundKind()
# Grounds of trainings: the fields of section 8.3, and parts of their heights, on which a body
# learns sooner
FIELDS = (PLANE, GroundKind(0.1), GroundKind(0.05), GroundKind(0.2))
