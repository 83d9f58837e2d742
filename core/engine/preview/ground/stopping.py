"""Where a body comes to stand at the end of its path."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....slip.command import Footing
from ....task import Path
from .gaps import off_beside

Array = NDArray[np.float64]

EARLIER, LATER = 2.0, 0.6         # m before a path's end and past it, where a body stops at most, the end being no good place
AROUND = (-0.4, 0.6)  # m of good ground along the path, that it needs behind and before it: it may take a step to come to rest
BESIDE = np.array([-0.2, 0.0, 0.2])           # m beside the path, where feet come to stand
CELL = 0.05           # m between places that are looked at
TOLD = 0.15           # m from the end, from which on it is told


def stops_at(path: Path, footing: Footing | None) -> float:
    """m along a path: its end, or the nearest place where feet stand well all around, best without an edge between."""
    end = path.length
    if footing is None:
        return end
    first_cell, last_cell = round((AROUND[0] - min(EARLIER, end)) / CELL), round((AROUND[1] + LATER) / CELL)
    along = end + CELL * np.arange(first_cell, last_cell + 1, dtype=np.float64)
    bad = off_beside(path, along, BESIDE, footing).max(0) > 0
    edges = np.concatenate([[0], np.cumsum(bad)])                                 # up to each place
    width = round((AROUND[1] - AROUND[0]) / CELL) + 1
    first = np.flatnonzero(edges[width:] == edges[:-width])                       # from which on all of the width is good
    if not len(first):
        return end
    stops = first - round(AROUND[0] / CELL)
    at = int(np.argmin(np.abs(along - end)))
    past_edges = edges[np.maximum(stops, at)] > edges[np.minimum(stops, at)]
    return float(along[stops[np.argmin(np.abs(along[stops] - end) + EARLIER * past_edges)]])


def told_stop(past: float) -> tuple[str, ...]:
    """A note where a body stops so many metres past the end of its path, or before it."""
    if abs(past) < TOLD:
        return ()
    where = f"{abs(past):.1f} m {'past' if past > 0 else 'before'} the path's end"
    return (f"it stops {where}, where there is ground for both feet. End the path there, or farther from edges",)
