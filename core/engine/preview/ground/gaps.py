"""Gaps that no walking step crosses: a body runs up to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....slip.command import FootholdDistance
from ....task import Path
from .foothold_field import STATION_SPACING, sample_best_foothold_distances

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GapParameters:
    """Which gaps take a run, and where it begins. Widths are distances between footholds."""

    # Distance before a wide gap at which the body begins to run [m]. Guarded by
    # test_preview_gaps.test_run_up_begins_before_a_smaller_gap
    run_up_length: float = 9.0
    # Distance past it at which the run may end [m].
    run_out_length: float = 1.8
    # Length of ground without gaps on which a run begins or ends [m]. tuned: a run that began
    # later, behind a narrow gap, was too slow, and one that ended between two gaps fell;
    # test_preview_gaps.py
    clear_run_length: float = 3.0
    # Distance ahead in which gaps are searched [m]. Guarded by
    # test_preview_gaps.test_run_up_begins_before_a_smaller_gap
    lookahead_length: float = 16.0
    # Distance along the path after which they are searched again [m].
    refresh_distance: float = 0.1
    # Width from which it is a gap, not an edge [m].
    min_width: float = 0.6
    # Longest step of a walk, from foot to foot [m]. Guarded by
    # test_preview_gaps.test_wide_gaps_are_run_up_to, as the next
    max_walk_step: float = 1.0
    # Longest step of a run, from foot to foot [m]. Gaps of 1.25 m are crossed
    max_run_step: float = 1.75


GAPS = GapParameters()

# Distances to the left of the path at which feet may come down [m].
LATERAL_OFFSETS = np.linspace(-0.4, 0.4, 9)


@dataclass(frozen=True)
class WideGap:
    """A gap that takes a run, by distances along the path [m].

    Attributes:
        begin: last foothold before the gap.
        end: first foothold past it.
        run_start: where the run begins.
    """

    begin: float
    end: float
    run_start: float


@dataclass(frozen=True)
class Gaps:
    """Gaps around a body.

    Attributes:
        wide_gap: the first gap that takes a run, ahead or just behind; None without one.
        is_clear: whether no gap, wide or narrow, is near ahead.
    """

    wide_gap: WideGap | None = None
    is_clear: bool = True


@dataclass(frozen=True)
class _GapSearch:
    """Where gaps were searched, and the result."""

    path: Path
    foothold_distance: FootholdDistance
    station: float
    gaps: Gaps


class GapCache:
    """Searches gaps again only when the body has moved, or path or ground have changed."""

    def __init__(self) -> None:
        self._search: _GapSearch | None = None

    def find_gaps(
        self, path: Path, station: float, foothold_distance: FootholdDistance, end_station: float
    ) -> Gaps:
        """Return the gaps of a path around a station.

        Args:
            station: distance of the body along the path [m].
            foothold_distance: as in `StepGoal`.
            end_station: distance at which the body stops [m].
        """
        search = self._search
        if (
            search is None
            or search.path is not path
            or search.foothold_distance is not foothold_distance
            or abs(station - search.station) > GAPS.refresh_distance
        ):
            gaps = _find_gaps(path, station, foothold_distance, end_station)
            search = self._search = _GapSearch(path, foothold_distance, station, gaps)
        return search.gaps


def _find_gaps(
    path: Path, station: float, foothold_distance: FootholdDistance, end_station: float
) -> Gaps:
    stations = np.arange(
        station - GAPS.run_out_length,
        min(station + GAPS.lookahead_length, end_station),
        STATION_SPACING,
    )
    distances = sample_best_foothold_distances(path, stations, LATERAL_OFFSETS, foothold_distance)
    footholds = stations[distances <= 0]
    is_gap = np.diff(footholds) > GAPS.min_width
    begins = footholds[:-1][is_gap]
    ends = footholds[1:][is_gap]
    widths = ends - begins
    is_clear = not ((begins < station + GAPS.clear_run_length) & (ends > station)).any()
    wide_indices = np.flatnonzero((widths > GAPS.max_walk_step) & (widths < GAPS.max_run_step))
    if not len(wide_indices):
        return Gaps(None, is_clear)
    first = int(wide_indices[0])
    run_start = begins[first] - GAPS.run_up_length
    for begin, end in zip(begins[:first][::-1], ends[:first][::-1], strict=True):
        if end > run_start - GAPS.clear_run_length:
            run_start = min(run_start, begin - GAPS.clear_run_length)
    return Gaps(WideGap(float(begins[first]), float(ends[first]), float(run_start)), is_clear)
