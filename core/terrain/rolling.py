"""Uneven ground drawn from a seed."""

from __future__ import annotations

import numpy as np

from .height_field import HeightField


def make_rolling_hills(
    rng: np.random.Generator,
    length: float,
    width: float,
    bump_height: float = 0.15,
    slope_deg: float = 10.0,
    spacing: float = 0.05,
    level_radius: float = 1.0,
) -> HeightField:
    """A strip along x with hills up and down and bumps on them, level around the origin.

    Args:
        rng: where every shape comes from.
        length, width: extent along x and y, metres; the strip starts 3 m behind the origin.
        bump_height: height of the highest bump above the hollow beside it, metres.
        slope_deg: steepest inclination of the hills themselves, degrees.
        spacing: of the grid, metres.
        level_radius: radius of level ground about the origin, metres.
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
    distance = np.clip((np.hypot(grid_x, grid_y) - level_radius) / 2.0, 0, 1)
    fade = distance**2 * (3 - 2 * distance)
    return HeightField((heights - start_height) * fade, (x[0], y[0]), spacing)
