"""Drawing of the ground as a solid block with path, footprints and shadows, with matplotlib.

The block is rendered by columns of the picture. The heights of a column are visited from the
nearest to the farthest; each is visible where it rises above all nearer ones, so that steps and
stones hide what is behind them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
HeightFunction = Callable[[Array], Array]

# Colors in red, green and blue from 0 to 1, by eye: pale, so that the body stands out
TOP_COLOR = np.array([0.800, 0.843, 0.741])
LINE_COLOR = np.array([0.695, 0.755, 0.630])
WALL_COLOR = np.array([0.690, 0.725, 0.625])
CUT_COLOR = np.array([0.640, 0.670, 0.575])
WATER_COLOR = np.array([0.855, 0.900, 0.925])
WATER_CUT_COLOR = np.array([0.760, 0.820, 0.855])
MIN_WALL_SLOPE = 2.0  # Least rise over run between two rows of a wall
SLOPE_BRIGHTENING = 0.45  # Relative brightening of a slope of 1 toward the light
OVERSAMPLING = 2  # Pixels of the ground for a pixel of the picture
LINE_WIDTH = 1.6  # Width of the lines of the grid [pixel]
PALE_SHARE = 0.55  # Saturation of the ground seen from above, relative to the block
GRID_STEP_FACTORS = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class GroundMark:
    """Capsules of one color on the ground, such as the shadow of a body.

    Args:
        ends: (k, 2, 2) of the axes, from above [m].
        radii: (k,) [m].
        color: (3,) red, green and blue, 0 to 1.
        opacity: from 0 to 1.
    """

    ends: Array
    radii: Array
    color: Array
    opacity: float


@dataclass(frozen=True)
class GroundWindow:
    """The part of a view that a picture shows.

    Args:
        left, right, low, high: limits in picture coordinates [m].
        near, far: extent of the block of ground toward the viewer and away from it [m].
        pixel: size of a pixel [m].
        heading: direction of the lines of the grid [rad].
        grid: distance between lines of the grid [m].
        floor: height of the water in gaps [m].
    """

    left: float
    right: float
    low: float
    high: float
    near: float
    far: float
    pixel: float
    heading: float
    grid: float
    floor: float


def compute_pixel_size(ax: Axes, width: float) -> float:
    """Return the size of a pixel of the ground in axes of a width [m]."""
    return width / (OVERSAMPLING * float(ax.get_window_extent().width))


def choose_grid_step(length: float) -> float:
    """Return the largest of 1, 2 or 5 times a power of ten that is no longer than a length."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(
        power * max(step for step in GRID_STEP_FACTORS if step * power <= length * (1 + 1e-9))
    )


def draw_ground(
    ax: Axes, height: HeightFunction, view: View, window: GroundWindow, marks: list[GroundMark]
) -> None:
    """Draw the block of ground in a window behind everything else.

    Args:
        height: of the ground at points (n, 2), nan where there is none [m].
        marks: drawn in their order.
    """
    column_count = max(round((window.right - window.left) / window.pixel), 2)
    line_count = max(round((window.high - window.low) / window.pixel), 2)
    lateral = window.left + (np.arange(column_count) + 0.5) * window.pixel
    # rows may be farther apart than pixels, since a low view foreshortens them
    row_count = max(round((window.near + window.far) / (3.0 * window.pixel)), 8)
    depth = np.linspace(window.near, -window.far, row_count)
    toward = np.array([np.cos(view.azimuth), np.sin(view.azimuth)])
    # (rows, columns, 2)
    xy = view.center[:2] + lateral[:, None] * view.right[:2] + depth[:, None, None] * toward
    z = height(xy.reshape(-1, 2)).reshape(row_count, column_count)
    is_gap = np.isnan(z)
    z = np.where(is_gap, window.floor, z)
    up = (z - view.center[2]) * np.cos(view.elevation) - depth[:, None] * np.sin(view.elevation)
    skyline = np.maximum.accumulate(up, 0)
    color = np.where(is_gap[..., None], WATER_COLOR, _paint_ground(xy, z, window, marks))
    color[0] = np.where(is_gap[0, :, None], WATER_CUT_COLOR, CUT_COLOR)
    is_wall = _find_walls(z, depth)
    picture = np.zeros((line_count, column_count, 4))
    levels = window.low + (np.arange(line_count) + 0.5) * window.pixel
    for column in range(column_count):
        row = np.searchsorted(skyline[:, column], levels)
        is_visible = row < row_count
        visible_rows = row[is_visible]
        shade = np.where(
            is_wall[visible_rows, column, None], WALL_COLOR, color[visible_rows, column]
        )
        picture[is_visible, column, :3] = shade
        picture[is_visible, column, 3] = 1.0
    ax.imshow(
        picture,
        origin="lower",
        extent=(window.left, window.right, window.low, window.high),
        aspect="auto",
        zorder=0,
        interpolation="antialiased",
    )


def draw_ground_from_above(ax: Axes, height: HeightFunction) -> None:
    """Draw the shaded ground within the limits of axes, in pale colors; white in gaps."""
    left, right = ax.get_xlim()
    low, high = ax.get_ylim()
    box = ax.get_window_extent()
    column_count = round(box.width)
    line_count = round(box.height)
    xy = np.stack(
        np.meshgrid(np.linspace(left, right, column_count), np.linspace(low, high, line_count)), -1
    )
    z = height(xy.reshape(-1, 2)).reshape(line_count, column_count)
    rise: Array = np.nan_to_num(np.asarray(np.gradient(z, axis=1))) / (
        (right - left) / column_count
    )
    light = np.clip(1.0 - SLOPE_BRIGHTENING * rise, 0.6, 1.2)[..., None]
    color = 1.0 - PALE_SHARE * (1.0 - np.clip(TOP_COLOR * light, 0.0, 1.0))
    picture = np.concatenate([color, np.isfinite(z)[..., None]], -1)
    ax.imshow(picture, origin="lower", extent=(left, right, low, high), aspect="auto", zorder=-1)


def _find_walls(z: Array, depth: Array) -> NDArray[np.bool_]:
    """Return where the face between a row and the nearer one is a wall (rows, columns)."""
    is_wall = np.zeros(z.shape, bool)
    is_wall[1:] = np.diff(z, axis=0) > MIN_WALL_SLOPE * abs(depth[1] - depth[0])
    return is_wall


def _paint_ground(xy: Array, z: Array, window: GroundWindow, marks: list[GroundMark]) -> Array:
    """Return the color of the top of the ground with its marks (rows, columns, 3)."""
    ahead = np.array([np.cos(window.heading), np.sin(window.heading)])
    aside = np.array([-ahead[1], ahead[0]])
    color = np.broadcast_to(TOP_COLOR, (*z.shape, 3)).copy()
    for direction in (ahead, aside):
        grid_coordinate = xy @ direction / window.grid
        distance = np.abs(grid_coordinate - np.round(grid_coordinate)) * window.grid
        share = np.clip(0.5 + 0.5 * LINE_WIDTH - distance / window.pixel, 0.0, 1.0)[..., None]
        color += share * (LINE_COLOR - color)
    rise: Array = np.asarray(np.gradient(z, axis=1)) / window.pixel
    color *= np.clip(1.0 - SLOPE_BRIGHTENING * rise, 0.6, 1.2)[..., None]
    for mark in marks:
        color += (mark.opacity * _compute_coverage(xy, mark, window.pixel))[..., None] * (
            mark.color - color
        )
    return np.clip(color, 0.0, 1.0)


def _compute_coverage(xy: Array, mark: GroundMark, pixel: float) -> Array:
    """Return the coverage (rows, columns) of pixels at points (rows, columns, 2) by a mark."""
    coverage = np.zeros(xy.shape[:2])
    for (start, end), radius in zip(mark.ends, mark.radii, strict=True):
        reach = radius + pixel
        low = np.minimum(start, end) - reach
        high = np.maximum(start, end) + reach
        nearby = np.nonzero(((xy > low) & (xy < high)).all(-1))
        along = end - start
        offsets = xy[nearby] - start
        share = np.clip(offsets @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
        distance = np.linalg.norm(offsets - share[:, None] * along, axis=-1)
        coverage[nearby] = np.maximum(
            coverage[nearby], np.clip(0.5 + (radius - distance) / pixel, 0.0, 1.0)
        )
    return coverage
