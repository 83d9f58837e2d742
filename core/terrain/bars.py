"""Ground with bars over it, as swinging feet see it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .ground import Ground

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bar:
    """A wall that stands in for a bar.

    Args:
        near: tells of places (..., 2) how much of the wall stands there: 1 within it, 0 off it.
        top: its height, m.
    """

    near: Callable[[Array], Array]
    top: float


class BarredGround:
    """A ground on which walls stand; only for feet in the air, which are to clear them."""

    def __init__(self, ground: Ground, bars: Sequence[Bar]) -> None:
        self._ground, self._bars = ground, tuple(bars)

    def height(self, xy: ArrayLike) -> Array:
        """Height of the ground or of the highest wall on it. (..., 2) -> (...,)."""
        places = np.asarray(xy, float)
        out = self._ground.height(places)
        for bar in self._bars:
            share = bar.near(places)
            base = np.where(np.isfinite(out), out, 0.0)
            out = np.where(share > 0, np.maximum(base, base + share * (bar.top - base)), out)
        return out

    def mesh(self) -> tuple[Array, NDArray[np.int64]] | None:
        """The ground's own."""
        return self._ground.mesh()
