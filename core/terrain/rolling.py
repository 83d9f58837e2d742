"""Random hills."""

from __future__ import annotations

import numpy as np

from .height_field import HeightField

# Default distance of the grid points [m].
GRID_SPACING = 0.05
# Radius of the level ground around the origin [m].
LEVEL_RADIUS = 1.0


def make_rolling_hills(
    rng: np.random.Generator,
    length: float,
    width: float,
    bump_height: float = 0.15,
    slope_deg: float = 10.0,
    spacing: float = GRID_SPACING,
) -> HeightField:
    """Return a strip along x of hills with bumps, level around the origin.

    Args:
        rng: source of all random numbers.
        length, width: x of the end, and extent along y [m]; the strip starts 3 m before the
            origin.
        bump_height: difference between the highest and the lowest point of the bumps [m].
        slope_deg: maximum inclination of the hills without the bumps [degrees].
        spacing: distance of the grid points [m].
    """
    x = np.arange(-3.0, length, spacing)
    y = np.arange(-width / 2, width / 2 + spacing / 2, spacing)
    grid_x, grid_y = np.meshgrid(x, y, indexing="ij")
    knots = np.arange(-3.0, length + 6.0, 3.0)
    gradient = np.tan(np.radians(rng.uniform(-slope_deg, slope_deg, len(knots))))
    gradient[np.argmax(np.abs(gradient))] = np.tan(np.radians(slope_deg)) * np.sign(
        rng.uniform(-1, 1)
    )
    slope = np.interp(x, knots, gradient)
    hills = np.cumsum(slope) * spacing
    bumps = np.zeros_like(grid_x)
    for _ in range(12):
        k = (
            2
            * np.pi
            / rng.uniform(1.6, 3.5)
            * np.array([np.cos(a := rng.uniform(0, np.pi)), np.sin(a)])
        )
        bumps += rng.uniform(0.3, 1.0) * np.sin(
            k[0] * grid_x + k[1] * grid_y + rng.uniform(0, 2 * np.pi)
        )
    bumps *= bump_height / np.ptp(bumps)
    heights = hills[:, None] + bumps
    start_height = np.interp(0.0, x, hills)
    distance = np.clip((np.hypot(grid_x, grid_y) - LEVEL_RADIUS) / 2.0, 0, 1)
    fade = distance**2 * (3 - 2 * distance)
    return HeightField((heights - start_height) * fade, (x[0], y[0]), spacing)
