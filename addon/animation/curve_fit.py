"""Few keys with handles in place of a key a frame: smooth cubic pieces that stay within a tolerance of the samples."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
STIFF = 1e-3              # weight of the samples' own slopes, which tell where no sample lies between two keys


class CurveFit:
    """Curves of one property, such as a rotation's four numbers, that share their keys; a sample a frame.

    Args:
        values: (n, c).
        tolerance: (n,) by which a frame may be off.
        corner: (n,) where the slope may change at once if there is a key, as where a foot comes to rest.
        smooth: whether keys have slopes; straight lines otherwise.
    """

    def __init__(self, values: Array, tolerance: Array, corner: Mask | None = None, smooth: bool = True) -> None:
        self.values, self.tolerance, self.smooth = values, tolerance, smooth
        self.corner = np.zeros(len(values), bool) if corner is None else corner
        self.keys = np.zeros(len(values), bool)
        self.keys[[0, -1]] = True
        self._slopes()

    def add(self, frames: Mask) -> None:
        """More keys, where frames (n,) is true."""
        self.keys |= frames
        self._slopes()

    def straighten(self, frames: list[int]) -> bool:
        """Let the curve go straight between two keys next to each other; false where it does already."""
        if self.corner[frames].all():
            return False
        self.corner[frames] = True
        self._slopes()
        return True

    def reduce(self) -> None:
        """Add keys where the curve is off the most, until it is off nowhere."""
        while True:
            over = self.off() / self.tolerance
            bad = np.flatnonzero((over > 1) & ~self.keys)
            if not len(bad):
                return
            worst = bad[np.argsort(over[bad])]
            add = np.zeros_like(self.keys)
            by_piece = dict(zip(np.searchsorted(self.at, worst).tolist(), worst.tolist(), strict=True))      # the last one counts
            add[list(by_piece.values())] = True
            self.add(add)

    def off(self) -> Array:
        """How far each frame is off. (n,)."""
        return np.asarray(np.linalg.norm(self.values - self.evaluate(np.arange(len(self.values), dtype=float)), axis=1))

    def evaluate(self, times: Array) -> Array:
        """The curve at times (m,) in frames from the first sample. (m, c)."""
        piece = np.clip(np.searchsorted(self.at, times, side="right") - 1, 0, len(self.at) - 2)
        size = (self.at[piece + 1] - self.at[piece]).astype(float)[:, None]
        u = (times - self.at[piece])[:, None] / size
        a, b = self.values[self.at[piece]], self.values[self.at[piece + 1]]
        if not self.smooth:
            return np.asarray(a + u * (b - a))
        h = u * u * (3 - 2 * u)
        turns = u * (1 - u) ** 2 * self.leaving[piece] - u * u * (1 - u) * self.coming[piece + 1]
        return np.asarray(a + h * (b - a) + size * turns)

    def _slopes(self) -> None:
        """Slopes at the keys that come nearest to the samples between: one a key, at corners two."""
        self.at = np.flatnonzero(self.keys)
        count, step = len(self.at), np.diff(self.values, axis=0)
        own_in = np.concatenate([step[:1], step])[self.at]
        own_out = np.concatenate([step, step[-1:]])[self.at]
        broken = self.corner[self.at]
        own = 0.5 * (own_in + own_out)
        coming, leaving = np.where(broken[:, None], own_in, own), np.where(broken[:, None], own_out, own)
        self.coming, self.leaving = coming, leaving
        if not self.smooth or count == len(self.values):
            return
        index_in = np.arange(count) + np.concatenate([[0], np.cumsum(broken)[:-1]])
        index_out = np.arange(count) + np.cumsum(broken)
        between = np.flatnonzero(~self.keys)
        piece = np.searchsorted(self.at, between) - 1
        size = (self.at[piece + 1] - self.at[piece]).astype(float)
        u = (between - self.at[piece]) / size
        first, last = self.values[self.at[piece]], self.values[self.at[piece + 1]]
        rest = self.values[between] - first - (u * u * (3 - 2 * u))[:, None] * (last - first)
        one, two = size * u * (1 - u) ** 2, -size * u * u * (1 - u)
        unknowns = int(index_out[-1]) + 1
        band, right = np.zeros((2, unknowns)), np.zeros((unknowns, self.values.shape[1]))
        band[1] += STIFF
        right[index_in] += STIFF * coming
        right[index_out[broken]] += STIFF * leaving[broken]
        out, into = index_out[piece], index_in[piece + 1]
        np.add.at(band[1], out, one * one)
        np.add.at(band[1], into, two * two)
        np.add.at(band[0], into, one * two)
        np.add.at(right, out, one[:, None] * rest)
        np.add.at(right, into, two[:, None] * rest)
        found = solveh_banded(band, right)
        self.coming, self.leaving = found[index_in], found[index_out]
