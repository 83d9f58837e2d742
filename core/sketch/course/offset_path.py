"""The line that leads a body over places chosen before it: as far aside as an upright pendulum goes, and no farther."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import convolve1d

from ...task import Path

Array = NDArray[np.float64]

FINE = 0.05           # s between points of a line
MARGIN = 2.5          # s by which what is averaged reaches past both ends


@dataclass(frozen=True)
class Line:
    """A path, and where on it a body is at each of the places that it was made for."""

    path: Path
    station: Array            # (n,) m


def lead(path: Path, places: Array, times: Array, after: float, rate: float) -> Line:
    """The line that leads a body over places at times, and on along a path behind them.

    An inverted pendulum that stays upright over a point p has its one bounded course at
    w / 2 * integral of exp(-w |t - s|) p(s) ds with w^2 = g / h. A line straight from place to place asks for more.

    Args:
        places: (n, 2) of the middle line; the first is the start of the path.
        times: (n,) rising, s.
        after: station of the last place on the path, m.
        rate: w, 1/s.
    """
    way = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum()) if len(places) > 1 else 1.0
    pace = way / max(float(times[-1] - times[0]), 0.5)
    end = max(path.length, after + 1.0)
    beyond = np.arange(after + 0.5 * pace, end + (MARGIN + 0.5) * pace, 0.5 * pace)
    knots = np.concatenate([path.position(np.array([-MARGIN * pace])), places, path.position(beyond)])
    moments = np.concatenate([[times[0] - MARGIN], times, times[-1] + (beyond - after) / pace])
    fine = np.arange(moments[0], moments[-1], FINE)
    straight = np.stack([np.interp(fine, moments, knots[:, axis]) for axis in range(2)], -1)
    reach = int(MARGIN / FINE)
    kernel = np.exp(-rate * FINE * np.abs(np.arange(-reach, reach + 1)))
    led = convolve1d(straight, kernel / kernel.sum(), axis=0, mode="nearest")
    shown = (fine > times[0]) & (fine < times[-1] + (end - after) / pace)
    points = np.concatenate([places[:1], led[shown]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    return Line(Path(points), np.interp(times, np.concatenate([times[:1], fine[shown]]), along))
