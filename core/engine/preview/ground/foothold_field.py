"""Where feet stand well: a signed distance field of the ground around a path (Mordatch et al. 2010, section 7)."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, map_coordinates, maximum_filter, minimum_filter

from ....slip.body import SlipBody
from ....slip.command import Footing
from ....task import Task
from ....terrain import Flat

Array = NDArray[np.float64]

CELL = 0.02           # m between places that are looked at
MOST = 3_000_000      # of them; more and they lie farther apart
BESIDE = 2.0          # m of ground around the path
STEP = 0.04           # m that heights may differ between neighbours, above which there is an edge
STEEP = 0.7           # rise over run of ground that is no edge
HIGH, KNEE = 0.22, 0.18          # m that ground ahead rises by, where shins would strike it, and what toes keep from it then
MARGIN = 0.02         # m that a foot keeps from an edge,
CHASM = 0.06          # where it goes down deeper than any step, or where there is no ground,
OVERHANG, DEEP = 0.06, 0.6       # but for its toes: they may reach so far over one down which it goes, by so much at most


def footing(task: Task, body: SlipBody) -> Footing | None:
    """How far feet are from standing well, as `StepWish` has it; None where all ground is level and free."""
    if isinstance(task.ground, Flat) and not task.forbidden:
        return None
    points = task.path.points
    low, high = points.min(0) - BESIDE, points.max(0) + BESIDE
    cell = max(CELL, float(np.sqrt((high - low).prod() / MOST)))
    axes = [np.arange(low[k], high[k], cell) for k in range(2)]
    found = GoodGround(low, cell, task.floor.height(np.stack(np.meshgrid(*axes, indexing="ij"), -1)), body)
    return None if found.is_all else found


class GoodGround:
    """Heights on a grid, and for each of its places how far it is from an edge and from a chasm.

    Args:
        low: (2,) m, its first corner.
        cell: m from place to place.
        height: (n, m), not a number where there is no ground.
    """

    def __init__(self, low: Array, cell: float, height: Array, body: SlipBody) -> None:
        self._low, self._cell = low, cell
        there = np.isfinite(height)
        self._known = np.where(there, height, -1e3)
        least = minimum_filter(np.where(there, height, 1e3), 3)
        good = there & (maximum_filter(self._known, 3) - least < STEP + STEEP * cell)
        self.is_all = bool(good.all())
        chasm = ~there | (height - minimum_filter(self._known, 3) > DEEP)
        self._from_edge = _signed(good, cell)
        self._from_chasm = _signed(~chasm, cell) if chasm.any() else None
        toe, heel, self._half = body.extent
        self._toe = toe
        self._reach = np.array([toe - self._half, 0.0, self._half - heel])        # ahead of its middle, middles of a foot's circles

    def __call__(self, places: Array, headings: Array) -> Array:
        """How far feet with their middles at places (n, 2) are from standing well, m. (n,)."""
        ahead = np.stack([np.cos(headings), np.sin(headings)], -1)
        middle, knee, tip = self._heights(places, ahead, np.array([0.0, self._toe + KNEE, self._toe + OVERHANG])).T
        falls = (middle - tip > STEP) & (middle - tip < DEEP)
        far = self._reach - np.stack([OVERHANG * falls, 0 * falls, 0 * falls], -1)          # (n, 3)
        # the foot lies across an edge where its ends are not as high as its middle: they are on the wrong side of it
        beyond = np.abs(self._heights(places, ahead, far) - middle[:, None]) > STEP + STEEP * np.abs(far)
        at = self._cells(places, ahead, far)
        needs = np.full(far.shape, self._half + MARGIN)
        needs[:, 0] += KNEE * (knee - middle > HIGH)
        lacks = needs - _across(self._from_edge, at, beyond)
        if self._from_chasm is not None:
            lacks = np.maximum(lacks, self._half + CHASM - _across(self._from_chasm, at, beyond))
        return np.asarray(np.maximum(lacks, 0.0).max(1))

    def _heights(self, places: Array, ahead: Array, far: Array) -> Array:
        """So far ahead of the places. (n, k) for (n, k) or (k,)."""
        at = np.round(self._cells(places, ahead, np.broadcast_to(far, (len(places), far.shape[-1]))))
        return np.asarray(map_coordinates(self._known, at, order=0, mode="nearest"))

    def _cells(self, places: Array, ahead: Array, far: Array) -> Array:
        """Of the grid, so far (n, k) ahead of the places. (2, n, k)."""
        return np.moveaxis((places[:, None] + far[..., None] * ahead[:, None] - self._low) / self._cell, -1, 0)


def _signed(good: NDArray[np.bool_], cell: float) -> Array:
    """Distances from the border of what is good, below 0 outside of it, m. (n, m)."""
    inside, outside = (np.asarray(distance_transform_edt(part)) if part.any() else np.zeros(good.shape) for part in (good, ~good))
    return np.asarray(cell * (inside - outside))


def _across(field: Array, cells: Array, beyond: NDArray[np.bool_]) -> Array:
    """Distances at cells (2, n, k) of a grid, below 0 also where a part of a foot is beyond the border. (n, k)."""
    found = map_coordinates(field, cells, order=1, mode="nearest")
    return np.where(beyond, -np.abs(found), found)
