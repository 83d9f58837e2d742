"""Ground as a grid of heights, sampled as the physics engine sees it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

LEVEL_COLUMNS = 5  # number of columns of random fields that are level


@dataclass(frozen=True)
class HeightGrid:
    """Heights on a regular grid. Beyond its border the ground has the height of the border.

    Args:
        heights: (rows, columns) along y and x [m].
        spacing: distance between neighbors [m].
        origin: (x, y) of the first height [m].
    """

    heights: Array
    spacing: float
    origin: tuple[float, float]

    def sample(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the heights at points [m].

        Cells are split into two triangles along the diagonal between their lowest and highest
        corner indices, as MuJoCo does.
        """
        rows, columns = self.heights.shape
        u = np.clip((np.asarray(x) - self.origin[0]) / self.spacing, 0, columns - 1 - 1e-9)
        v = np.clip((np.asarray(y) - self.origin[1]) / self.spacing, 0, rows - 1 - 1e-9)
        column = u.astype(int)
        row = v.astype(int)
        u = u - column
        v = v - row
        flat = self.heights.ravel()
        index = row * columns + column
        first = flat[index]
        last = flat[index + columns + 1]
        beside = flat[np.where(v >= u, index + columns, index + 1)]
        return np.where(
            v >= u,
            first + v * (beside - first) + u * (last - beside),
            first + u * (beside - first) + v * (last - beside),
        )

    def sample_one(self, x: float, y: float) -> float:
        """Return the height at one point [m], faster than `sample`."""
        rows, columns = self.heights.shape
        u = min(max((x - self.origin[0]) / self.spacing, 0.0), columns - 1 - 1e-9)
        v = min(max((y - self.origin[1]) / self.spacing, 0.0), rows - 1 - 1e-9)
        column = int(u)
        row = int(v)
        u -= column
        v -= row
        first = float(self.heights[row, column])
        last = float(self.heights[row + 1, column + 1])
        if v >= u:
            beside = float(self.heights[row + 1, column])
            return first + v * (beside - first) + u * (last - beside)
        beside = float(self.heights[row, column + 1])
        return first + u * (beside - first) + v * (last - beside)


def create_slope(gradient: float) -> HeightGrid:
    """Return a ground with the grid of random fields that rises 2 m ahead of the origin."""
    x = -3.0 + np.arange(25)
    heights = np.tile(gradient * np.maximum(x - 2.0, 0.0), (17, 1))
    return HeightGrid(heights, 1.0, (-3.0, -8.0))


def create_random_field(seed: int, max_height: float) -> HeightGrid:
    """Return a field of random heights from 0 to a maximum [m], 1 m apart (section 8.3).

    It is level up to 1 m ahead of the origin, where walks begin: a body that is put down on uneven
    ground with both feet side by side falls before the controller has a say.
    """
    heights = np.random.default_rng(seed).uniform(0.0, max_height, (17, 25))
    heights[:, :LEVEL_COLUMNS] = 0.5 * max_height
    return HeightGrid(heights, 1.0, (-3.0, -8.0))
