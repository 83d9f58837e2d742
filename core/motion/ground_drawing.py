"""The ground as a solid block, and what lies on it: path, footprints, shadows. Needs matplotlib.

The block is found column by column of the picture: of rows of heights, from the nearest to the
farthest, each shows what rises above all nearer ones. So treads and stones
hide what is behind them, as in the world.
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
Height = Callable[[Array], Array]

TOP = np.array([0.800, 0.843, 0.741])  # colours in red, green and blue, 0 to 1
LINE = np.array([0.695, 0.755, 0.630])
WALL = np.array([0.690, 0.725, 0.625])
CUT = np.array([0.640, 0.670, 0.575])
WATER = np.array([0.855, 0.900, 0.925])
WATER_CUT = np.array([0.760, 0.820, 0.855])
STEEP = 2.0  # rise over run between two rows from which on a face is a wall
SUN = 0.45  # share by which a slope of 1 towards the light is brighter
OVERSAMPLING = 2  # pixels of the ground on one of the page
LINE_WIDTH = 1.6  # [pixels] of the grid
PALE = 0.55  # share of its colour that the ground has seen from above
NICE_STEPS = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Mark:
    """Capsules that are painted on the ground in one colour, such as a body's shadow.

    Args:
        ends: (k, 2, 2) of their middle lines, seen from above [m].
        radii: (k,) [m].
        colour: (3,) red, green and blue, 0 to 1.
        cover: share of the ground's own colour that it hides.
    """

    ends: Array
    radii: Array
    colour: Array
    cover: float


@dataclass(frozen=True)
class Window:
    """The part of a view that a picture shows.

    Args:
        left, right, low, high: picture coordinates [m].
        near, far: how far the block of ground reaches to the viewer and away from the viewer [m].
        pixel: size of a pixel [m].
        heading: of the grid's lines [rad].
        grid: between two lines of the grid [m].
        floor: height of what lies in gaps, as water would [m].
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


def pixel_size(ax: Axes, width: float) -> float:
    """Return the size of a pixel of the ground's picture in axes that show a width [m]."""
    return width / (OVERSAMPLING * float(ax.get_window_extent().width))


def nice_step(length: float) -> float:
    """Return the largest of 1, 2 or 5 times a power of ten that is no longer than a length."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(power * max(step for step in NICE_STEPS if step * power <= length * (1 + 1e-9)))


def draw_ground(ax: Axes, height: Height, view: View, window: Window, marks: list[Mark]) -> None:
    """Draw the block of ground in a window behind everything else.

    Args:
        height: of the ground at places (n, 2), nan where there is none [m].
        marks: painted on it in their order.
    """
    columns = max(round((window.right - window.left) / window.pixel), 2)
    lines = max(round((window.high - window.low) / window.pixel), 2)
    across = window.left + (np.arange(columns) + 0.5) * window.pixel
    # rows may lie farther apart than pixels, as the low view draws them together
    rows = max(round((window.near + window.far) / (3.0 * window.pixel)), 8)
    depth = np.linspace(window.near, -window.far, rows)
    toward = np.array([np.cos(view.azimuth), np.sin(view.azimuth)])
    xy = (
        view.centre[:2] + across[:, None] * view.right[:2] + depth[:, None, None] * toward
    )  # (rows, columns, 2)
    z = height(xy.reshape(-1, 2)).reshape(rows, columns)
    gap = np.isnan(z)
    z = np.where(gap, window.floor, z)
    up = (z - view.centre[2]) * np.cos(view.elevation) - depth[:, None] * np.sin(view.elevation)
    skyline = np.maximum.accumulate(up, 0)
    colour = np.where(gap[..., None], WATER, _paint(xy, z, window, marks))
    colour[0] = np.where(gap[0, :, None], WATER_CUT, CUT)
    wall = _walls(z, depth)
    picture = np.zeros((lines, columns, 4))
    levels = window.low + (np.arange(lines) + 0.5) * window.pixel
    for column in range(columns):
        row = np.searchsorted(skyline[:, column], levels)
        seen = row < rows
        hit = row[seen]
        shade = np.where(wall[hit, column, None], WALL, colour[hit, column])
        picture[seen, column, :3] = shade
        picture[seen, column, 3] = 1.0
    ax.imshow(
        picture,
        origin="lower",
        extent=(window.left, window.right, window.low, window.high),
        aspect="auto",
        zorder=0,
        interpolation="antialiased",
    )


def draw_ground_from_above(ax: Axes, height: Height) -> None:
    """Draw the ground within the limits of axes, pale and lit; white where there is none."""
    left, right = ax.get_xlim()
    low, high = ax.get_ylim()
    box = ax.get_window_extent()
    columns = round(box.width)
    lines = round(box.height)
    xy = np.stack(np.meshgrid(np.linspace(left, right, columns), np.linspace(low, high, lines)), -1)
    z = height(xy.reshape(-1, 2)).reshape(lines, columns)
    rise: Array = np.nan_to_num(np.asarray(np.gradient(z, axis=1))) / ((right - left) / columns)
    light = np.clip(1.0 - SUN * rise, 0.6, 1.2)[..., None]
    colour = 1.0 - PALE * (1.0 - np.clip(TOP * light, 0.0, 1.0))
    picture = np.concatenate([colour, np.isfinite(z)[..., None]], -1)
    ax.imshow(picture, origin="lower", extent=(left, right, low, high), aspect="auto", zorder=-1)


def _walls(z: Array, depth: Array) -> NDArray[np.bool_]:
    """Return where the face between a row and the one before it is a wall. (rows, columns)."""
    wall = np.zeros(z.shape, bool)
    wall[1:] = np.diff(z, axis=0) > STEEP * abs(depth[1] - depth[0])
    return wall


def _paint(xy: Array, z: Array, window: Window, marks: list[Mark]) -> Array:
    """Return the colour of the ground's upper side, marks included. (rows, columns, 3)."""
    ahead = np.array([np.cos(window.heading), np.sin(window.heading)])
    aside = np.array([-ahead[1], ahead[0]])
    colour = np.broadcast_to(TOP, (*z.shape, 3)).copy()
    for direction in (ahead, aside):
        place = xy @ direction / window.grid
        away = np.abs(place - np.round(place)) * window.grid
        share = np.clip(0.5 + 0.5 * LINE_WIDTH - away / window.pixel, 0.0, 1.0)[..., None]
        colour += share * (LINE - colour)
    rise: Array = np.asarray(np.gradient(z, axis=1)) / window.pixel
    colour *= np.clip(1.0 - SUN * rise, 0.6, 1.2)[..., None]
    for mark in marks:
        colour += (mark.cover * _coverage(xy, mark, window.pixel))[..., None] * (
            mark.colour - colour
        )
    return np.clip(colour, 0.0, 1.0)


def _coverage(xy: Array, mark: Mark, pixel: float) -> Array:
    """Return the share of pixels at places (rows, columns, 2) under a mark. (rows, columns)."""
    cover = np.zeros(xy.shape[:2])
    for (start, end), radius in zip(mark.ends, mark.radii, strict=True):
        reach = radius + pixel
        low = np.minimum(start, end) - reach
        high = np.maximum(start, end) + reach
        near = np.nonzero(((xy > low) & (xy < high)).all(-1))
        along = end - start
        away = xy[near] - start
        share = np.clip(away @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
        distance = np.linalg.norm(away - share[:, None] * along, axis=-1)
        cover[near] = np.maximum(cover[near], np.clip(0.5 + (radius - distance) / pixel, 0.0, 1.0))
    return cover
