"""Gaps that no walking step takes: a body runs up to them."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...slip.wish import Footing
from ...task import Path

Array = NDArray[np.float64]

BEFORE, PAST = 9.0, 1.8       # m in which a body begins to run before one, and goes on to behind it
CELL = 0.05           # m between places that are looked at
BESIDE = np.linspace(-0.4, 0.4, 9)            # m beside the path, where feet may stand too
STRIDES = 1.0, 1.45   # m from foot to foot, that a step of a walk and of a run take at most
AGAIN = 0.1           # m after which they are looked for again


class Gaps:
    """Remembers what it saw from look to look."""

    def __init__(self) -> None:
        self._seen: tuple[Path, Footing, float] | None = None
        self._is_wide = False

    def ask_to_run(self, path: Path, gone: float, footing: Footing) -> bool:
        """Whether a gap is ahead on a path, or just behind, that takes a run.

        Args:
            gone: m along the path, where the body is.
        """
        seen = self._seen
        if seen is None or seen[0] is not path or seen[1] is not footing or abs(gone - seen[2]) > AGAIN:
            self._seen, self._is_wide = (path, footing, gone), _is_wide(path, gone, footing)
        return self._is_wide


def _is_wide(path: Path, gone: float, footing: Footing) -> bool:
    good = np.flatnonzero(off_along(path, gone + np.arange(-PAST, BEFORE, CELL), BESIDE, footing) <= 0)
    across = CELL * np.diff(good)
    return bool(((across > STRIDES[0]) & (across < STRIDES[1])).any())


def off_along(path: Path, along: Array, beside: Array, footing: Footing) -> Array:
    """How far feet on a path are from standing well, or feet somewhat beside it where they stand better, m.

    Args:
        along: (s,) m of the path.
        beside: (b,) m to its left.

    Returns:
        (s,).
    """
    heading = path.heading(along)
    aside = np.stack([-np.sin(heading), np.cos(heading)], -1)
    places = path.position(along) + beside[:, None, None] * aside                 # (b, s, 2)
    return np.asarray(footing(places.reshape(-1, 2), np.tile(heading, len(beside))).reshape(len(beside), -1).min(0))
