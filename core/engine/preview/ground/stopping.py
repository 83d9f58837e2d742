"""Place at which a body stops at the end of its path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....slip.command import FootholdDistance
from ....task import Path
from .foothold_field import STATION_SPACING, sample_foothold_distances

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StopParameters:
    """Where a body can stop. guarded by: test_stopping.py"""

    # Largest distance of the stop before the end of the path [m]: within three steps.
    max_early_distance: float = 2.0
    # Largest distance of the stop past the end of the path [m], less than a step.
    max_late_distance: float = 0.6
    # Length of ground with footholds that the body needs behind it [m].
    margin_behind: float = 0.4
    # Length of ground with footholds that it needs ahead, for a step to come to rest [m]. tuned:
    # bodies that stopped beside a gap stepped aside into it and fell in 2 to 3 of 10 runs
    margin_ahead: float = 0.6
    # Distance from the end of the path above which the stop is reported [m].
    min_reported_distance: float = 0.15


STOP = StopParameters()

# Distances to the left of the path at which the feet come to stand [m].
LATERAL_OFFSETS = np.array([-0.2, 0.0, 0.2])


def find_stop_station(path: Path, foothold_distance: FootholdDistance | None) -> float:
    """Return the distance along a path at which a body stops [m].

    It is the end of the path, or the nearest place with footholds all around, preferably one
    without an edge between.

    Args:
        foothold_distance: as in `StepGoal`; None where every place is a foothold.
    """
    end = path.length
    if foothold_distance is None:
        return end
    first_cell = round((-STOP.margin_behind - min(STOP.max_early_distance, end)) / STATION_SPACING)
    last_cell = round((STOP.margin_ahead + STOP.max_late_distance) / STATION_SPACING)
    stations = end + STATION_SPACING * np.arange(first_cell, last_cell + 1, dtype=np.float64)
    distances = sample_foothold_distances(path, stations, LATERAL_OFFSETS, foothold_distance)
    # Number of stations without footholds before each station.
    bad_counts = np.concatenate([[0], np.cumsum(distances.max(0) > 0)])
    width = round((STOP.margin_ahead + STOP.margin_behind) / STATION_SPACING) + 1
    window_starts = np.flatnonzero(bad_counts[width:] == bad_counts[:-width])
    if not len(window_starts):
        return end
    stops = window_starts + round(STOP.margin_behind / STATION_SPACING)
    end_index = int(np.argmin(np.abs(stations - end)))
    crosses_edge = (
        bad_counts[np.maximum(stops, end_index)] > bad_counts[np.minimum(stops, end_index)]
    )
    costs = np.abs(stations[stops] - end) + STOP.max_early_distance * crosses_edge
    return float(stations[stops[np.argmin(costs)]])


def make_stop_notes(offset: float) -> tuple[str, ...]:
    """Return a note where a body stops away from the end of its path.

    Args:
        offset: distance of the stop past the end [m], negative before it.
    """
    if abs(offset) < STOP.min_reported_distance:
        return ()
    where = f"{abs(offset):.1f} m {'past' if offset > 0 else 'before'} the path's end"
    return (
        f"it stops {where}, where there is ground for both feet. End the path there, or farther "
        "from edges",
    )
