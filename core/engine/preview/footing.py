"""Where feet stand well: a signed distance field of the ground around a path (Mordatch et al. 2010, section 7)."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, map_coordinates, maximum_filter, minimum_filter

from ...slip.body import SlipBody
from ...task import Task
from ...terrain import Flat

Array = NDArray[np.float64]

CELL = 0.02           # m between places that are looked at
MOST = 3_000_000      # of them; more and they lie farther apart
BESIDE = 2.0          # m of ground around the path
STEP = 0.04           # m that heights may differ between neighbours, above which there is an edge
STEEP = 0.7           # rise over run of ground that is no edge
HIGH, KNEE = 0.22, 0.18          # m that ground ahead rises by, where shins would strike it, and what toes keep from it then
MARGIN = 0.02         # m that a foot keeps from an edge,
OVERHANG, DEEP = 0.06, 0.6       # but for its toes: they may reach so far over one down which it goes, by so much at most


def footing(task: Task, body: SlipBody) -> Callable[[Array, Array], Array] | None:
    """How far feet are from standing well, in m, by the places of their middles (n, 2) and their headings (n,).

    None where all ground is level and free.
    """
    if isinstance(task.ground, Flat) and not task.forbidden:
        return None
    points = task.path.points
    low, high = points.min(0) - BESIDE, points.max(0) + BESIDE
    cell = max(CELL, float(np.sqrt((high - low).prod() / MOST)))
    axes = [np.arange(low[k], high[k], cell) for k in range(2)]
    xy = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
    height = task.floor.height(xy)
    there = np.isfinite(height)
    level = np.where(there, height, 1e3)
    steep = maximum_filter(np.where(there, height, -1e3), 3) - minimum_filter(level, 3)
    good = there & (steep < STEP + STEEP * cell)
    if good.all():
        return None
    inside, outside = (np.asarray(distance_transform_edt(part)) if part.any() else np.zeros(good.shape) for part in (good, ~good))
    signed = cell * (inside - outside)                                            # above 0 where the ground is good
    toe, heel, half = body.extent
    reach = np.array([toe - half, 0.0, half - heel])          # ahead of its middle, middles of circles that make up a foot

    known = np.where(there, height, -1e3)

    def off(places: Array, headings: Array) -> Array:
        cos, sin = np.cos(headings), np.sin(headings)
        ahead = np.stack([cos, sin], -1)

        def level_at(far: Array) -> Array:
            """Heights so far ahead of the places, (n, k) for (n, k) or (k,)."""
            grid = ((places[:, None] + far[..., None] * ahead[:, None] - low) / cell).reshape(-1, 2).T
            return np.asarray(map_coordinates(known, np.round(grid), order=0, mode="nearest").reshape(len(places), -1))

        middle, knee, tip = level_at(np.array([0.0, toe + KNEE, toe + OVERHANG])).T
        falls = (middle - tip > STEP) & (middle - tip < DEEP)
        far = reach - np.stack([OVERHANG * falls, 0 * falls, 0 * falls], -1)      # (n, 3)
        at = places[:, None] + far[..., None] * ahead[:, None]
        found = map_coordinates(signed, ((at - low) / cell).reshape(-1, 2).T, order=1, mode="nearest").reshape(len(places), -1)
        # the foot lies across an edge where its ends are not as high as its middle: they are on the wrong side of it
        beyond = np.abs(level_at(far) - middle[:, None]) > STEP + STEEP * np.abs(far)
        needs = np.full(found.shape, half + MARGIN)
        needs[:, 0] += KNEE * (knee - middle > HIGH)
        return np.asarray(np.maximum(needs - np.where(beyond, -np.abs(found), found), 0.0).max(1))

    return off
