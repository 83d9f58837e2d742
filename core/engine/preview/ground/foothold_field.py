"""Where feet stand well: a signed distance field of the ground around a path (Mordatch
et al. 2010, section 7).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, map_coordinates, maximum_filter, minimum_filter

from ....slip.body import SlipBody
from ....slip.command import FootholdDistance
from ....task import Task
from ....terrain import FlatGround

Array = NDArray[np.float64]

CELL_SIZE = 0.02  # m between places that are looked at
MAX_CELL_COUNT = 3_000_000  # of them; more and they lie farther apart
PATH_MARGIN = 2.0  # m of ground around the path
MAX_LEVEL_STEP = 0.04  # m that heights may differ between neighbours, above which there is an edge
MAX_SLOPE = 0.7  # rise over run of ground that is no edge

# m that ground ahead rises by, where shins would strike it, and what toes keep from it then
SHIN_RISE_HEIGHT = 0.22
SHIN_CLEARANCE = 0.18

EDGE_MARGIN = 0.02  # m that a foot keeps from an edge,
CHASM_MARGIN = 0.06  # where it goes down deeper than any step, or where there is no ground,

# but for its toes: they may reach so far over one down which it goes, by so much at most
MAX_TOE_OVERHANG = 0.06
CHASM_DEPTH = 0.6


def build_foothold_field(task: Task, body: SlipBody) -> FootholdDistance | None:
    """How far feet are from standing well, as `StepGoal` has it;
    None where all ground is level and free.
    """
    if isinstance(task.ground, FlatGround) and not task.forbidden_areas:
        return None
    points = task.path.points
    low = points.min(0) - PATH_MARGIN
    high = points.max(0) + PATH_MARGIN
    cell = max(CELL_SIZE, float(np.sqrt((high - low).prod() / MAX_CELL_COUNT)))
    axes = [np.arange(low[k], high[k], cell) for k in range(2)]
    foothold_field = FootholdField(
        low,
        cell,
        task.allowed_ground.sample_heights(np.stack(np.meshgrid(*axes, indexing="ij"), -1)),
        body,
    )
    return None if foothold_field.is_everywhere_good else foothold_field


class FootholdField:
    """Heights on a grid, and for each of its places how far it is from an edge and from a chasm.

    Args:
        origin: (2,) m, its first corner.
        cell: m from place to place.
        height: (n, m), not a number where there is no ground.
    """

    def __init__(self, origin: Array, cell: float, height: Array, body: SlipBody) -> None:
        self._origin = origin
        self._cell = cell
        has_ground = np.isfinite(height)
        self._filled_height = np.where(has_ground, height, -1e3)
        lowest = minimum_filter(np.where(has_ground, height, 1e3), 3)
        is_good = has_ground & (
            maximum_filter(self._filled_height, 3) - lowest < MAX_LEVEL_STEP + MAX_SLOPE * cell
        )
        self.is_everywhere_good = bool(is_good.all())
        is_chasm = ~has_ground | (height - minimum_filter(self._filled_height, 3) > CHASM_DEPTH)
        self._edge_distance = _compute_signed_distance(is_good, cell)
        self._chasm_distance = _compute_signed_distance(~is_chasm, cell) if is_chasm.any() else None
        toe, heel, self._half_width = body.foot_extent
        self._toe_length = toe
        # ahead of its middle, middles of a foot's circles
        self._circle_offsets = np.array([toe - self._half_width, 0.0, self._half_width - heel])

    def __call__(self, places: Array, headings: Array) -> Array:
        """How far feet with their middles at places (n, 2) are from standing well, m. (n,)."""
        ahead = np.stack([np.cos(headings), np.sin(headings)], -1)
        middle, shin, tip = self._sample_heights(
            places,
            ahead,
            np.array([0.0, self._toe_length + SHIN_CLEARANCE, self._toe_length + MAX_TOE_OVERHANG]),
        ).T
        is_overhang = (middle - tip > MAX_LEVEL_STEP) & (middle - tip < CHASM_DEPTH)
        # (n, 3)
        offsets = self._circle_offsets - np.stack(
            [MAX_TOE_OVERHANG * is_overhang, 0 * is_overhang, 0 * is_overhang], -1
        )
        # the foot lies across an edge where its ends are not as high as its middle:
        # they are on the wrong side of it
        is_beyond = np.abs(
            self._sample_heights(places, ahead, offsets) - middle[:, None]
        ) > MAX_LEVEL_STEP + MAX_SLOPE * np.abs(offsets)
        cells = self._find_cells(places, ahead, offsets)
        required = np.full(offsets.shape, self._half_width + EDGE_MARGIN)
        required[:, 0] += SHIN_CLEARANCE * (shin - middle > SHIN_RISE_HEIGHT)
        shortfall = required - _sample_distance(self._edge_distance, cells, is_beyond)
        if self._chasm_distance is not None:
            shortfall = np.maximum(
                shortfall,
                self._half_width
                + CHASM_MARGIN
                - _sample_distance(self._chasm_distance, cells, is_beyond),
            )
        return np.asarray(np.maximum(shortfall, 0.0).max(1))

    def _sample_heights(self, places: Array, ahead: Array, offsets: Array) -> Array:
        """So far ahead of the places. (n, k) for (n, k) or (k,)."""
        cells = np.round(
            self._find_cells(
                places, ahead, np.broadcast_to(offsets, (len(places), offsets.shape[-1]))
            )
        )
        return np.asarray(map_coordinates(self._filled_height, cells, order=0, mode="nearest"))

    def _find_cells(self, places: Array, ahead: Array, offsets: Array) -> Array:
        """Of the grid, so far (n, k) ahead of the places. (2, n, k)."""
        return np.moveaxis(
            (places[:, None] + offsets[..., None] * ahead[:, None] - self._origin) / self._cell,
            -1,
            0,
        )


def _compute_signed_distance(is_good: NDArray[np.bool_], cell: float) -> Array:
    """Distances from the border of what is good, below 0 outside of it, m. (n, m)."""
    inside, outside = (
        np.asarray(distance_transform_edt(part)) if part.any() else np.zeros(is_good.shape)
        for part in (is_good, ~is_good)
    )
    return np.asarray(cell * (inside - outside))


def _sample_distance(field: Array, cells: Array, is_beyond: NDArray[np.bool_]) -> Array:
    """Distances at cells (2, n, k) of a grid, below 0 also where a part of a foot is
    beyond the border. (n, k).
    """
    distance = map_coordinates(field, cells, order=1, mode="nearest")
    return np.where(is_beyond, -np.abs(distance), distance)
