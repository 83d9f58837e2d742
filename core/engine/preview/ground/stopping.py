"""Where a body comes to stand at the end of its path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....slip.command import FootholdDistance
from ....task import Path
from .gaps import sample_foothold_errors

Array = NDArray[np.float64]

# m before a path's end and past it, where a body stops at most, the end being no good place
MAX_EARLY_STOP_DISTANCE = 2.0
MAX_LATE_STOP_DISTANCE = 0.6

# m of good ground along the path, that it needs behind and before it:
# it may take a step to come to rest
STANDING_MARGINS = (-0.4, 0.6)
LATERAL_OFFSETS = np.array([-0.2, 0.0, 0.2])  # m beside the path, where feet come to stand
CELL_SIZE = 0.05  # m between places that are looked at
MIN_REPORTED_OFFSET = 0.15  # m from the end, from which on it is told


def find_stop_station(path: Path, foothold_distance: FootholdDistance | None) -> float:
    """m along a path: its end, or the nearest place where feet stand well all around,
    best without an edge between.
    """
    end = path.length
    if foothold_distance is None:
        return end
    first_cell = round((STANDING_MARGINS[0] - min(MAX_EARLY_STOP_DISTANCE, end)) / CELL_SIZE)
    last_cell = round((STANDING_MARGINS[1] + MAX_LATE_STOP_DISTANCE) / CELL_SIZE)
    stations = end + CELL_SIZE * np.arange(first_cell, last_cell + 1, dtype=np.float64)
    is_bad = sample_foothold_errors(path, stations, LATERAL_OFFSETS, foothold_distance).max(0) > 0
    bad_counts = np.concatenate([[0], np.cumsum(is_bad)])  # up to each place
    width = round((STANDING_MARGINS[1] - STANDING_MARGINS[0]) / CELL_SIZE) + 1
    # from which on all of the width is good
    window_starts = np.flatnonzero(bad_counts[width:] == bad_counts[:-width])
    if not len(window_starts):
        return end
    stops = window_starts - round(STANDING_MARGINS[0] / CELL_SIZE)
    end_index = int(np.argmin(np.abs(stations - end)))
    crosses_edge = (
        bad_counts[np.maximum(stops, end_index)] > bad_counts[np.minimum(stops, end_index)]
    )
    return float(
        stations[
            stops[np.argmin(np.abs(stations[stops] - end) + MAX_EARLY_STOP_DISTANCE * crosses_edge)]
        ]
    )


def make_stop_notes(offset: float) -> tuple[str, ...]:
    """A note where a body stops so many metres past the end of its path, or before it."""
    if abs(offset) < MIN_REPORTED_OFFSET:
        return ()
    where = f"{abs(offset):.1f} m {'past' if offset > 0 else 'before'} the path's end"
    return (
        f"it stops {where}, where there is ground for both feet. End the path there, or farther "
        "from edges",
    )
