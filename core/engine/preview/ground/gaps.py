"""Gaps that no walking step takes: a body runs up to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....slip.command import FootholdDistance
from ....task import Path

Array = NDArray[np.float64]

# m in which a body begins to run before one, and goes on to behind it
RUN_UP_LENGTH = 9.0
RUN_OUT_LENGTH = 1.8

# m of good ground that it begins to run on: before lesser gaps, where they are in the way
CLEAR_RUN_LENGTH = 3.0
LOOKAHEAD_LENGTH = 16.0  # m that are looked ahead
CELL_SIZE = 0.05  # m between places that are looked at
LATERAL_OFFSETS = np.linspace(-0.4, 0.4, 9)  # m beside the path, where feet may stand too
# m from foot to foot, that a step of a walk and of a run take at most,
MAX_STEP_LENGTHS = 1.0, 1.75
MIN_GAP_WIDTH = 0.6  # and from where on it is one over a gap, not over an edge
REFRESH_DISTANCE = 0.1  # m after which they are looked for again


@dataclass(frozen=True)
class WideGap:
    """One that takes a run: m along the path of the last good place before it, of the first one
    past it, and where that begins.
    """

    begin: float
    end: float
    run_start: float


@dataclass(frozen=True)
class Gaps:
    """Those about a body.

    Args:
        wide_gap: the first that takes a run, ahead or just behind.
        is_clear: whether there is none, wide or not, near ahead.
    """

    wide_gap: WideGap | None = None
    is_clear: bool = True


class GapCache:
    """Remembers what it saw from look to look."""

    def __init__(self) -> None:
        self._key: tuple[Path, FootholdDistance, float] | None = None
        self._cached = Gaps()

    def find_gaps(
        self, path: Path, station: float, foothold_distance: FootholdDistance, end_station: float
    ) -> Gaps:
        """Those on a path.

        Args:
            station: m along the path, where the body is.
            end_station: m along it, where it goes no farther.
        """
        key = self._key
        if (
            key is None
            or key[0] is not path
            or key[1] is not foothold_distance
            or abs(station - key[2]) > REFRESH_DISTANCE
        ):
            self._key = (path, foothold_distance, station)
            self._cached = _find_gaps(path, station, foothold_distance, end_station)
        return self._cached


def _find_gaps(
    path: Path, station: float, foothold_distance: FootholdDistance, end_station: float
) -> Gaps:
    stations = np.arange(
        station - RUN_OUT_LENGTH, min(station + LOOKAHEAD_LENGTH, end_station), CELL_SIZE
    )
    good_stations = stations[
        sample_best_foothold_errors(path, stations, LATERAL_OFFSETS, foothold_distance) <= 0
    ]
    is_gap = np.diff(good_stations) > MIN_GAP_WIDTH
    begins = good_stations[:-1][is_gap]
    ends = good_stations[1:][is_gap]
    widths = ends - begins
    is_clear = not ((begins < station + CLEAR_RUN_LENGTH) & (ends > station)).any()
    wide_indices = np.flatnonzero((widths > MAX_STEP_LENGTHS[0]) & (widths < MAX_STEP_LENGTHS[1]))
    if not len(wide_indices):
        return Gaps(None, is_clear)
    first = int(wide_indices[0])
    run_start = begins[first] - RUN_UP_LENGTH
    for begin, end in zip(begins[:first][::-1], ends[:first][::-1], strict=True):
        if end > run_start - CLEAR_RUN_LENGTH:
            run_start = min(run_start, begin - CLEAR_RUN_LENGTH)
    return Gaps(WideGap(float(begins[first]), float(ends[first]), float(run_start)), is_clear)


def sample_best_foothold_errors(
    path: Path, stations: Array, lateral_offsets: Array, foothold_distance: FootholdDistance
) -> Array:
    """How far feet on a path are from standing well, or feet somewhat beside it
    where they stand better, m.

    Args as `sample_foothold_errors`.

    Returns:
        (s,).
    """
    return np.asarray(
        sample_foothold_errors(path, stations, lateral_offsets, foothold_distance).min(0)
    )


def sample_foothold_errors(
    path: Path, stations: Array, lateral_offsets: Array, foothold_distance: FootholdDistance
) -> Array:
    """How far feet beside a path are from standing well, m.

    Args:
        stations: (s,) m of the path.
        lateral_offsets: (b,) m to its left.

    Returns:
        (b, s).
    """
    heading = path.heading_at(stations)
    left = np.stack([-np.sin(heading), np.cos(heading)], -1)
    places = path.position_at(stations) + lateral_offsets[:, None, None] * left  # (b, s, 2)
    return foothold_distance(places.reshape(-1, 2), np.tile(heading, len(lateral_offsets))).reshape(
        len(lateral_offsets), -1
    )
