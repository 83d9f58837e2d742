"""Ledges in the ground ahead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import heading_axes
from ...slip.command import HeightFunction
from .goal import GoalSource

Array = NDArray[np.float64]

CELL_SIZE = 0.01  # m between heights that are looked at
MIN_LEDGE_HEIGHT = 0.3  # m of a rise or a drop that no step takes,
# of a drop that is leapt down, and of a rise that is climbed, at most
MAX_LEDGE_HEIGHTS = (1.6, 0.56)

# m before and behind the body in which they are looked for
LOOKAHEAD_LENGTH = 2.5
PASSED_LENGTH = 0.1

EDGE_HALF_WIDTH = 0.2  # m to either side of the path where an edge must be too
EDGE_SEARCH_DEPTH = 0.4  # m before and behind it
MAX_OBLIQUE_ANGLE = 0.5  # rad that the path may differ from straight across it
# m from the edge, where the ground must be level before it,
GROUND_OFFSETS_BEFORE = np.array([-0.35, -0.2, -0.05])
# and beyond a drop and a rise
GROUND_OFFSETS_BEYOND = (np.array([0.15, 0.35, 0.55, 0.75]), np.array([0.03, 0.2, 0.35, 0.5]))
LEVEL_TOLERANCE = 0.05  # m that heights there may differ


@dataclass(frozen=True)
class Ledge:
    """Where the ground ahead changes its height at once.

    Args:
        station: m of the path.
        place: (2,) m.
        heading: rad, straight across it.
        rise: m, below 0 of a drop.
        height_beyond: height of the ground there, m.
    """

    station: float
    place: Array
    heading: float
    rise: float
    height_beyond: float

    def is_passable(self) -> bool:
        """Whether the body can get over it."""
        return MIN_LEDGE_HEIGHT < abs(self.rise) < MAX_LEDGE_HEIGHTS[int(self.rise > 0)]


def find_first_ledge(goal_source: GoalSource, ground_height: HeightFunction) -> Ledge | None:
    """The next one on a course, where there is level ground before it and beyond it."""
    path = goal_source.task.path
    stations = goal_source.station + np.arange(-PASSED_LENGTH, LOOKAHEAD_LENGTH, CELL_SIZE)
    places = path.position_at(stations)
    k = _find_height_jump(ground_height(places))
    if k is None:
        return None
    heading = float(path.heading_at(stations[k]))
    place = places[k]
    forward, left = heading_axes(heading)
    edge_distances = [
        _find_edge(ground_height, place + side * EDGE_HALF_WIDTH * left, forward)
        for side in (1.0, -1.0)
    ]
    if edge_distances[0] is None or edge_distances[1] is None:
        return None
    skew = float(np.arctan2(edge_distances[0] - edge_distances[1], 2 * EDGE_HALF_WIDTH))
    if abs(skew) > MAX_OBLIQUE_ANGLE:
        return None
    heading -= skew
    forward, left = heading_axes(heading)
    heights_before, heights_beyond = (
        np.array(
            [
                ground_height(place + offset * forward + aside * left)
                for offset in offsets
                for aside in (-EDGE_HALF_WIDTH, 0.0, EDGE_HALF_WIDTH)
            ]
        )
        for offsets in (
            GROUND_OFFSETS_BEFORE,
            GROUND_OFFSETS_BEYOND[int(_is_rise(ground_height, place, forward))],
        )
    )
    # not a number, where there is no ground, is not level
    if not (np.ptp(heights_before) < LEVEL_TOLERANCE and np.ptp(heights_beyond) < LEVEL_TOLERANCE):
        return None
    ledge = Ledge(
        float(stations[k]),
        place,
        heading,
        rise=float(heights_beyond.mean() - heights_before.mean()),
        height_beyond=float(heights_beyond.mean()),
    )
    return ledge if ledge.is_passable() else None


def _find_height_jump(heights: Array) -> int | None:
    """Number of the first of heights (n,) a cell apart, at which they jump."""
    jumps = np.flatnonzero(np.abs(heights[2:] - heights[:-2]) > MIN_LEDGE_HEIGHT)
    return int(jumps[0]) + 1 if len(jumps) else None


def _find_edge(ground_height: HeightFunction, place: Array, forward: Array) -> float | None:
    """How far ahead of a place an edge is, m."""
    offsets = np.arange(-EDGE_SEARCH_DEPTH, EDGE_SEARCH_DEPTH, CELL_SIZE)
    k = _find_height_jump(ground_height(place + offsets[:, None] * forward))
    return None if k is None else float(offsets[k])


def _is_rise(ground_height: HeightFunction, place: Array, forward: Array) -> bool:
    return bool(
        ground_height(place + 2 * CELL_SIZE * forward)
        > ground_height(place - 2 * CELL_SIZE * forward)
    )
