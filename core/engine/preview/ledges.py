"""Ledges in the ground ahead: steps in height that no walking step takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import heading_axes
from ...slip.command import HeightFunction
from ...task import Path

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LedgeParameters:
    """Where ledges are searched, and which ones a body can cross."""

    # Distance between sampled heights [m], half of that of footholds, so that an edge is a jump
    # between two samples.
    cell_size: float = 0.01
    # Least change of height [m]. Guarded by
    # test_preview_ledges.test_ground_that_steps_can_follow_has_no_ledge
    min_height: float = 0.3
    # Largest drop [m]. Guarded by test_preview_ledges.test_step_of_the_ground_ahead_is_a_ledge
    max_drop: float = 1.6
    # Largest rise [m]. Guarded by the same test
    max_rise: float = 0.56
    # Distance ahead of the body in which ledges are searched [m]: three steps, which are made
    # equal so that the last one ends before the edge.
    lookahead_length: float = 2.5
    # Distance behind the body in which they are searched [m]; a body whose foot is before the edge
    # may lean over it. What is farther behind is passed.
    passed_length: float = 0.1
    # Distance to either side of the path at which the edge must exist too [m], where the feet come
    # down.
    half_width: float = 0.2
    # Distance ahead and behind in which it is searched there [m]: at `half_width` an edge at
    # `max_oblique_angle` is 0.11 m away.
    search_depth: float = 0.4
    # Largest angle between the path and the normal of the edge [rad]. Guarded by
    # test_preview_ledges.test_oblique_ledge_is_approached_perpendicularly
    max_oblique_angle: float = 0.5
    # Largest difference of height of level ground [m].
    level_tolerance: float = 0.05


LEDGES = LedgeParameters()

# Distances from the edge at which the ground must be level [m]: before it, beyond a drop, and
# beyond a rise.
OFFSETS_BEFORE = np.array([-0.35, -0.2, -0.05])
OFFSETS_BEYOND_DROP = np.array([0.15, 0.35, 0.55, 0.75])
OFFSETS_BEYOND_RISE = np.array([0.03, 0.2, 0.35, 0.5])


@dataclass(frozen=True)
class Ledge:
    """A sudden change of the height of the ground across the path.

    Attributes:
        station: distance along the path [m].
        place: (2,) point of the edge on the path [m].
        heading: heading across the edge [rad].
        rise: change of height, negative at a drop [m].
        height_beyond: height of the ground beyond it [m].
    """

    station: float
    place: Array
    heading: float
    rise: float
    height_beyond: float

    def is_passable(self) -> bool:
        """Return whether a body can cross the ledge."""
        max_height = LEDGES.max_rise if self.rise > 0 else LEDGES.max_drop
        return LEDGES.min_height < abs(self.rise) < max_height


def find_first_ledge(path: Path, station: float, ground_height: HeightFunction) -> Ledge | None:
    """Return the next passable ledge with level ground before and beyond it; None without one.

    Args:
        station: distance of the body along the path [m].
    """
    stations = station + np.arange(-LEDGES.passed_length, LEDGES.lookahead_length, LEDGES.cell_size)
    places = path.position_at(stations)
    k = _find_height_jump(ground_height(places))
    if k is None:
        return None
    place = places[k]
    heading = _find_heading(ground_height, place, float(path.heading_at(stations[k])))
    if heading is None:
        return None
    forward = heading_axes(heading)[0]
    is_rise = bool(
        ground_height(place + 2 * LEDGES.cell_size * forward)
        > ground_height(place - 2 * LEDGES.cell_size * forward)
    )
    before = _sample_heights(ground_height, place, heading, OFFSETS_BEFORE)
    beyond = _sample_heights(
        ground_height, place, heading, OFFSETS_BEYOND_RISE if is_rise else OFFSETS_BEYOND_DROP
    )
    if not (_is_level(before) and _is_level(beyond)):
        return None
    ledge = Ledge(
        float(stations[k]),
        place,
        heading,
        rise=float(beyond.mean() - before.mean()),
        height_beyond=float(beyond.mean()),
    )
    return ledge if ledge.is_passable() else None


def _find_heading(ground_height: HeightFunction, place: Array, path_heading: float) -> float | None:
    """Return the heading across an edge [rad]; None where it is too oblique to the path.

    Args:
        place: (2,) point of the edge [m].
        path_heading: heading of the path [rad].
    """
    forward, left = heading_axes(path_heading)
    left_distance, right_distance = (
        _find_edge(ground_height, place + side * LEDGES.half_width * left, forward)
        for side in (1.0, -1.0)
    )
    if left_distance is None or right_distance is None:
        return None
    skew = float(np.arctan2(left_distance - right_distance, 2 * LEDGES.half_width))
    return None if abs(skew) > LEDGES.max_oblique_angle else path_heading - skew


def _sample_heights(
    ground_height: HeightFunction, place: Array, heading: float, offsets: Array
) -> Array:
    """Return the heights of the ground at distances from an edge, (3 * k,) [m].

    Args:
        offsets: (k,) distances across the edge [m].
    """
    forward, left = heading_axes(heading)
    return np.array(
        [
            ground_height(place + offset * forward + aside * left)
            for offset in offsets
            for aside in (-LEDGES.half_width, 0.0, LEDGES.half_width)
        ]
    )


def _is_level(heights: Array) -> bool:
    """Return whether heights are equal; a missing one (nan) is not."""
    return bool(np.ptp(heights) < LEDGES.level_tolerance)


def _find_height_jump(heights: Array) -> int | None:
    """Return the index of the first jump in heights (n,) a cell apart."""
    jumps = np.flatnonzero(np.abs(heights[2:] - heights[:-2]) > LEDGES.min_height)
    return int(jumps[0]) + 1 if len(jumps) else None


def _find_edge(ground_height: HeightFunction, place: Array, forward: Array) -> float | None:
    """Return the distance from a place to an edge ahead or behind [m]."""
    offsets = np.arange(-LEDGES.search_depth, LEDGES.search_depth, LEDGES.cell_size)
    k = _find_height_jump(ground_height(place + offsets[:, None] * forward))
    return None if k is None else float(offsets[k])
