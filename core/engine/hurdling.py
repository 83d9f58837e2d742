"""Bodies over hurdles: which flights pass over one, and what swinging feet must clear."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep
from ..task import Hurdle
from ..task.hurdle import THICK
from ..terrain import Ground
from ..terrain.bars import Bar, BarredGround

Array = NDArray[np.float64]

SPARE = 0.10          # m between a bar and the sole that passes over it
WIDE = 0.20           # m before and behind a bar, from where on soles are to be above it
BESIDE = 0.1          # m past its ends, the same


def with_bars(ground: Ground, hurdles: Sequence[Hurdle]) -> Ground:
    """The ground that swinging feet are to clear: hurdles stand on it as walls."""
    return BarredGround(ground, [_bar(h, ground) for h in hurdles]) if hurdles else ground


def bar_height(hurdle: Hurdle, ground: Ground) -> float:
    """Height of a bar's middle line, m; the ground under its middle counts, where there is any."""
    level = float(ground.height(0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))))
    return hurdle.height + (level if np.isfinite(level) else 0.0)


def passes_over(a: Footstep, b: Footstep, hurdles: Sequence[Hurdle]) -> bool:
    """Whether a bar lies between two footsteps."""
    places = np.stack([a.position[:2], b.position[:2]])
    for h in hurdles:
        across, _ = h.beside(places)
        if across[0] * across[1] < 0:
            share = across[0] / (across[0] - across[1])
            if h.beside(places[0] + share * (places[1] - places[0]))[1] < BESIDE:
                return True
    return False


def _bar(hurdle: Hurdle, ground: Ground) -> Bar:
    def near(xy: Array) -> Array:
        across, past = hurdle.beside(xy)
        return ((np.abs(across) < WIDE) & (past < BESIDE)).astype(float)

    return Bar(near, bar_height(hurdle, ground) + THICK + SPARE)
