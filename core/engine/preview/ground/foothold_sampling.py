"""Distances from footholds along a path and beside it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....slip.command import FootholdDistance
from ....task import Path

Array = NDArray[np.float64]

# Distance between the stations of a path at which footholds are sampled [m].
STATION_SPACING = 0.05


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
