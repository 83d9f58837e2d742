"""Footholds as a signed distance field of the ground around a path.

Source: Mordatch, de Lasa, Hertzmann 2010, section 7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, map_coordinates, maximum_filter, minimum_filter

from ....slip.body import SlipBody
from ....slip.command import FootholdDistance
from ....task import Path, Task
from ....terrain import FlatGround

Array = NDArray[np.float64]

# Rise over run above which ground is an edge, not a slope [1].
MAX_SLOPE = 0.7
# Distance between the stations of a path at which distances from footholds are sampled [m].
STATION_SPACING = 0.05


@dataclass(frozen=True)
class FootholdParameters:
    """Grid of the field, edges, and the distances of feet from them."""

    # Distance between the places of the grid [m]. Guarded by
    # test_preview.test_toes_may_hang_over_a_drop
    cell_size: float = 0.02
    # Largest number of places; for larger regions they lie farther apart [1].
    max_cell_count: int = 3_000_000
    # Width of the ground around the path that the grid covers [m].
    path_margin: float = 2.0
    # Difference of height between neighboring places above which an edge is between them [m].
    max_level_step: float = 0.04
    # Change of height from which a step is high: the shin would strike a rise [m].
    high_step_height: float = 0.22
    # Distance of the toes from such a rise [m].
    shin_clearance: float = 0.18
    # Distance of a foot from an edge [m].
    edge_margin: float = 0.02
    # Distance of a foot from a chasm [m]. tuned: with the margin of an edge, a heel hung over now
    # and then and did not carry; test_preview_gaps.py
    chasm_margin: float = 0.06
    # Depth from which a drop is a chasm [m]. Guarded by
    # test_preview_gaps.test_feet_keep_farther_from_a_chasm_than_from_a_step
    chasm_depth: float = 0.6
    # Length of the toes that may hang over the edge of a drop that is no chasm [m]. tuned: down
    # stairs heels struck the last edge. test_preview.test_toes_may_hang_over_a_drop
    max_toe_overhang: float = 0.06


FOOTHOLDS = FootholdParameters()

# Heights that stand for no ground: below and above all ground [m].
MISSING_LOW = -1e3
MISSING_HIGH = 1e3


def build_foothold_field(task: Task, body: SlipBody) -> FootholdDistance | None:
    """Return the distances of feet from footholds, as in `StepGoal`; None on level free ground."""
    if isinstance(task.ground, FlatGround) and not task.forbidden_areas:
        return None
    points = task.path.points
    low = points.min(0) - FOOTHOLDS.path_margin
    high = points.max(0) + FOOTHOLDS.path_margin
    cell = max(FOOTHOLDS.cell_size, float(np.sqrt((high - low).prod() / FOOTHOLDS.max_cell_count)))
    axes = [np.arange(low[k], high[k], cell) for k in range(2)]
    heights = task.allowed_ground.sample_heights(np.stack(np.meshgrid(*axes, indexing="ij"), -1))
    foothold_field = FootholdField(low, cell, heights, body)
    return None if foothold_field.is_everywhere_good else foothold_field


class FootholdField:
    """Heights on a grid, with the distances of its places from edges and chasms.

    Args:
        origin: (2,) first corner [m].
        cell: distance between places [m].
        height: (n, m) heights of the ground [m]; nan where there is none.
        body: body with the size of the feet.

    Attributes:
        is_everywhere_good: whether there are no edges.
    """

    def __init__(self, origin: Array, cell: float, height: Array, body: SlipBody) -> None:
        self._origin = origin
        self._cell = cell
        has_ground = np.isfinite(height)
        self._filled_height = np.where(has_ground, height, MISSING_LOW)
        lowest = minimum_filter(np.where(has_ground, height, MISSING_HIGH), 3)
        max_rise = FOOTHOLDS.max_level_step + MAX_SLOPE * cell
        is_good = has_ground & (maximum_filter(self._filled_height, 3) - lowest < max_rise)
        self.is_everywhere_good = bool(is_good.all())
        drop = height - minimum_filter(self._filled_height, 3)
        is_chasm = ~has_ground | (drop > FOOTHOLDS.chasm_depth)
        self._edge_distance = _compute_signed_distance(is_good, cell)
        self._chasm_distance = _compute_signed_distance(~is_chasm, cell) if is_chasm.any() else None
        toe, heel, self._half_width = body.foot_extent
        self._toe_length = toe
        # Centers of the three circles that represent a foot, ahead of its middle.
        self._circle_offsets = np.array([toe - self._half_width, 0.0, self._half_width - heel])

    def __call__(self, places: Array, headings: Array) -> Array:
        """Return the distances of feet from the nearest foothold, (n,) [m].

        Args:
            places: (n, 2) middles of the feet [m].
            headings: (n,) their headings [rad].
        """
        ahead = np.stack([np.cos(headings), np.sin(headings)], -1)
        shin_offset = self._toe_length + FOOTHOLDS.shin_clearance
        tip_offset = self._toe_length + FOOTHOLDS.max_toe_overhang
        middle, shin, tip = self._sample_heights(
            places, ahead, np.array([0.0, shin_offset, tip_offset])
        ).T
        drop = middle - tip
        may_overhang = (drop > FOOTHOLDS.max_level_step) & (drop < FOOTHOLDS.chasm_depth)
        offsets = np.tile(self._circle_offsets, (len(places), 1))  # (n, 3)
        offsets[:, 0] -= FOOTHOLDS.max_toe_overhang * may_overhang
        # A foot lies across an edge where its ends are not as high as its middle; they are then on
        # the wrong side of it.
        is_beyond = np.abs(
            self._sample_heights(places, ahead, offsets) - middle[:, None]
        ) > FOOTHOLDS.max_level_step + MAX_SLOPE * np.abs(offsets)
        cells = self._find_cells(places, ahead, offsets)
        required = np.full(offsets.shape, self._half_width + FOOTHOLDS.edge_margin)
        required[:, 0] += FOOTHOLDS.shin_clearance * (shin - middle > FOOTHOLDS.high_step_height)
        shortfall = required - _sample_distance(self._edge_distance, cells, is_beyond)
        if self._chasm_distance is not None:
            chasm_distance = _sample_distance(self._chasm_distance, cells, is_beyond)
            shortfall = np.maximum(
                shortfall, self._half_width + FOOTHOLDS.chasm_margin - chasm_distance
            )
        return np.asarray(np.maximum(shortfall, 0.0).max(1))

    def _sample_heights(self, places: Array, ahead: Array, offsets: Array) -> Array:
        """Return the heights of the nearest places of the grid, (n, k) [m].

        Args:
            places: (n, 2) middles of the feet [m].
            ahead: (n, 2) their directions.
            offsets: (n, k) or (k,) distances ahead of them [m].
        """
        cells = np.round(self._find_cells(places, ahead, np.atleast_2d(offsets)))
        # Places that are not finite, as of a body that diverges, are at the border, too.
        column, row = (
            np.fmin(np.fmax(coordinate, 0), count - 1).astype(np.int64)
            for coordinate, count in zip(cells, self._filled_height.shape, strict=True)
        )
        return np.asarray(self._filled_height[column, row])

    def _find_cells(self, places: Array, ahead: Array, offsets: Array) -> Array:
        """Return the coordinates in the grid at distances (n, k) ahead of places, (2, n, k)."""
        places = places[:, None] + offsets[..., None] * ahead[:, None]
        return ((places - self._origin) / self._cell).transpose(2, 0, 1)


def _compute_signed_distance(is_good: NDArray[np.bool_], cell: float) -> Array:
    """Return the distances from the border of a region, negative outside of it, (n, m) [m]."""
    inside, outside = (
        np.asarray(distance_transform_edt(part)) if part.any() else np.zeros(is_good.shape)
        for part in (is_good, ~is_good)
    )
    return np.asarray(cell * (inside - outside))


def _sample_distance(field: Array, cells: Array, is_beyond: NDArray[np.bool_]) -> Array:
    """Return distances at coordinates (2, n, k) of the grid, (n, k) [m].

    They are negative also where a part of a foot is beyond the border (`is_beyond`, (n, k)).
    """
    distance = map_coordinates(field, cells, order=1, mode="nearest")
    return np.where(is_beyond, -np.abs(distance), distance)


def sample_foothold_distances(
    path: Path, stations: Array, lateral_offsets: Array, foothold_distance: FootholdDistance
) -> Array:
    """Return the distances of feet from the nearest foothold, (b, s) [m].

    Args:
        stations: (s,) distances along the path [m].
        lateral_offsets: (b,) distances to its left [m].
        foothold_distance: as in `StepGoal`.
    """
    heading = path.heading_at(stations)
    left = np.stack([-np.sin(heading), np.cos(heading)], -1)
    places = path.position_at(stations) + lateral_offsets[:, None, None] * left  # (b, s, 2)
    headings = np.tile(heading, len(lateral_offsets))
    return foothold_distance(places.reshape(-1, 2), headings).reshape(len(lateral_offsets), -1)


def sample_best_foothold_distances(
    path: Path, stations: Array, lateral_offsets: Array, foothold_distance: FootholdDistance
) -> Array:
    """Return the least distance from a foothold at each station, (s,) [m].

    Args as in `sample_foothold_distances`.
    """
    distances = sample_foothold_distances(path, stations, lateral_offsets, foothold_distance)
    return np.asarray(distances.min(0))
