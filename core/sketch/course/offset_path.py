"""Path of a body over waypoints: with no more lateral motion than an upright pendulum needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import convolve1d

from ...task import Path

Array = NDArray[np.float64]


@dataclass(frozen=True)
class OffsetPathParameters:
    """Sampling of a path through waypoints."""

    # Time between the points of the path [s]. Numerical: half or twice moves a body on stones by
    # 1 or 3 mm (docs/dev/parameters.csv)
    time_step: float = 0.05
    # Time by which the averaging extends past both ends [s]. tuned: halved, a body on stones moves
    # by 4 cm; doubled, nothing changes
    averaging_margin: float = 2.5


OFFSET_PATH = OffsetPathParameters()


@dataclass(frozen=True)
class OffsetPath:
    """A path through waypoints.

    Args:
        path: the path.
        stations: (n,) distances along it at which the body passes the waypoints [m].
    """

    path: Path
    stations: Array


def fit_offset_path(
    path: Path, waypoints: Array, times: Array, end_station: float, pendulum_rate: float
) -> OffsetPath:
    """Return the path of a body that passes waypoints at given times and then follows another path.

    An inverted pendulum that stays upright over a support point p has a single bounded trajectory,
    w / 2 * integral of exp(-w |t - s|) p(s) ds with w^2 = g / h. A polyline through the waypoints
    would need more lateral motion.

    Args:
        path: followed after the last waypoint.
        waypoints: (n, 2) of the middle line [m]; the first is the start of the path.
        times: (n,) rising [s].
        end_station: distance along `path` of the last waypoint [m].
        pendulum_rate: w [1/s].
    """
    length = (
        float(np.linalg.norm(np.diff(waypoints, axis=0), axis=1).sum())
        if len(waypoints) > 1
        else 1.0
    )
    speed = length / max(float(times[-1] - times[0]), 0.5)
    end = max(path.length, end_station + 1.0)
    later_stations = np.arange(
        end_station + 0.5 * speed, end + (OFFSET_PATH.averaging_margin + 0.5) * speed, 0.5 * speed
    )
    knots = np.concatenate(
        [
            path.position_at(np.array([-OFFSET_PATH.averaging_margin * speed])),
            waypoints,
            path.position_at(later_stations),
        ]
    )
    knot_times = np.concatenate(
        [
            [times[0] - OFFSET_PATH.averaging_margin],
            times,
            times[-1] + (later_stations - end_station) / speed,
        ]
    )
    sample_times = np.arange(knot_times[0], knot_times[-1], OFFSET_PATH.time_step)
    polyline = np.stack(
        [np.interp(sample_times, knot_times, knots[:, axis]) for axis in range(2)], -1
    )
    reach = int(OFFSET_PATH.averaging_margin / OFFSET_PATH.time_step)
    kernel = np.exp(-pendulum_rate * OFFSET_PATH.time_step * np.abs(np.arange(-reach, reach + 1)))
    smoothed = convolve1d(polyline, kernel / kernel.sum(), axis=0, mode="nearest")
    is_inside = (sample_times > times[0]) & (sample_times < times[-1] + (end - end_station) / speed)
    points = np.concatenate([waypoints[:1], smoothed[is_inside]])
    distances = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    return OffsetPath(
        Path(points),
        np.interp(times, np.concatenate([times[:1], sample_times[is_inside]]), distances),
    )
