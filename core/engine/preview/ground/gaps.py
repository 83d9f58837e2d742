"""Gaps that no walking step takes: a body runs up to them."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....slip.command import Footing
from ....task import Path

Array = NDArray[np.float64]

BEFORE, PAST = 9.0, 1.8       # m in which a body begins to run before one, and goes on to behind it
CLEAR = 3.0           # m of good ground that it begins to run on: before lesser gaps, where they are in the way
SEEN = 16.0           # m that are looked ahead
CELL = 0.05           # m between places that are looked at
BESIDE = np.linspace(-0.4, 0.4, 9)            # m beside the path, where feet may stand too
STRIDES = 1.0, 1.75   # m from foot to foot, that a step of a walk and of a run take at most,
LEAST = 0.6           # and from where on it is one over a gap, not over an edge
AGAIN = 0.1           # m after which they are looked for again


@dataclass(frozen=True)
class WideGap:
    """One that takes a run: m along the path of the last good place before it, of the first one past it, and where that begins."""

    begin: float
    end: float
    runs_from: float


@dataclass(frozen=True)
class Gaps:
    """Those about a body.

    Args:
        wide: the first that takes a run, ahead or just behind.
        is_clear: whether there is none, wide or not, near ahead.
    """

    wide: WideGap | None = None
    is_clear: bool = True


class GapSight:
    """Remembers what it saw from look to look."""

    def __init__(self) -> None:
        self._seen: tuple[Path, Footing, float] | None = None
        self._gaps = Gaps()

    def look(self, path: Path, gone: float, footing: Footing, last: float) -> Gaps:
        """Those on a path.

        Args:
            gone: m along the path, where the body is.
            last: m along it, where it goes no farther.
        """
        seen = self._seen
        if seen is None or seen[0] is not path or seen[1] is not footing or abs(gone - seen[2]) > AGAIN:
            self._seen, self._gaps = (path, footing, gone), _gaps(path, gone, footing, last)
        return self._gaps


def _gaps(path: Path, gone: float, footing: Footing, last: float) -> Gaps:
    along = np.arange(gone - PAST, min(gone + SEEN, last), CELL)
    good = along[off_along(path, along, BESIDE, footing) <= 0]
    edges = np.diff(good) > LEAST
    begins, ends = good[:-1][edges], good[1:][edges]
    across = ends - begins
    is_clear = not ((begins < gone + CLEAR) & (ends > gone)).any()
    wide = np.flatnonzero((across > STRIDES[0]) & (across < STRIDES[1]))
    if not len(wide):
        return Gaps(None, is_clear)
    first = int(wide[0])
    runs_from = begins[first] - BEFORE
    for begin, end in zip(begins[:first][::-1], ends[:first][::-1], strict=True):
        if end > runs_from - CLEAR:
            runs_from = min(runs_from, begin - CLEAR)
    return Gaps(WideGap(float(begins[first]), float(ends[first]), float(runs_from)), is_clear)


def off_along(path: Path, along: Array, beside: Array, footing: Footing) -> Array:
    """How far feet on a path are from standing well, or feet somewhat beside it where they stand better, m.

    Args as `off_beside`.

    Returns:
        (s,).
    """
    return np.asarray(off_beside(path, along, beside, footing).min(0))


def off_beside(path: Path, along: Array, beside: Array, footing: Footing) -> Array:
    """How far feet beside a path are from standing well, m.

    Args:
        along: (s,) m of the path.
        beside: (b,) m to its left.

    Returns:
        (b, s).
    """
    heading = path.heading(along)
    aside = np.stack([-np.sin(heading), np.cos(heading)], -1)
    places = path.position(along) + beside[:, None, None] * aside                 # (b, s, 2)
    return footing(places.reshape(-1, 2), np.tile(heading, len(beside))).reshape(len(beside), -1)
