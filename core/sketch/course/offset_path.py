"""The line that leads a body over places chosen before it:
as far aside as an upright pendulum goes, and no farther.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import convolve1d

from ...task import Path

Array = NDArray[np.float64]

LINE_TIME_STEP = 0.05  # s between points of a line
AVERAGING_MARGIN = 2.5  # s by which what is averaged reaches past both ends


@dataclass(frozen=True)
class OffsetPath:
    """A path, and where on it a body is at each of the places that it was made for."""

    path: Path
    stations: Array  # (n,) m


def fit_offset_path(
    path: Path, waypoints: Array, times: Array, end_station: float, pendulum_rate: float
) -> OffsetPath:
    """The line that leads a body over places at times, and on along a path behind them.

    An inverted pendulum that stays upright over a point p has its one bounded course at w / 2 *
    integral of exp(-w |t - s|) p(s) ds with w^2 = g / h. A line straight from place to place asks
    for more.

    Args:
        waypoints: (n, 2) of the middle line; the first is the start of the path.
        times: (n,) rising, s.
        end_station: station of the last place on the path, m.
        pendulum_rate: w, 1/s.
    """
    length = (
        float(np.linalg.norm(np.diff(waypoints, axis=0), axis=1).sum())
        if len(waypoints) > 1
        else 1.0
    )
    speed = length / max(float(times[-1] - times[0]), 0.5)
    end = max(path.length, end_station + 1.0)
    later_stations = np.arange(
        end_station + 0.5 * speed, end + (AVERAGING_MARGIN + 0.5) * speed, 0.5 * speed
    )
    knots = np.concatenate(
        [
            path.position_at(np.array([-AVERAGING_MARGIN * speed])),
            waypoints,
            path.position_at(later_stations),
        ]
    )
    knot_times = np.concatenate(
        [[times[0] - AVERAGING_MARGIN], times, times[-1] + (later_stations - end_station) / speed]
    )
    sample_times = np.arange(knot_times[0], knot_times[-1], LINE_TIME_STEP)
    polyline = np.stack(
        [np.interp(sample_times, knot_times, knots[:, axis]) for axis in range(2)], -1
    )
    reach = int(AVERAGING_MARGIN / LINE_TIME_STEP)
    kernel = np.exp(-pendulum_rate * LINE_TIME_STEP * np.abs(np.arange(-reach, reach + 1)))
    smoothed = convolve1d(polyline, kernel / kernel.sum(), axis=0, mode="nearest")
    is_inside = (sample_times > times[0]) & (sample_times < times[-1] + (end - end_station) / speed)
    points = np.concatenate([waypoints[:1], smoothed[is_inside]])
    distances = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    return OffsetPath(
        Path(points),
        np.interp(times, np.concatenate([times[:1], sample_times[is_inside]]), distances),
    )
