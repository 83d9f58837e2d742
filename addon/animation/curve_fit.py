"""Fit of smooth cubic curves with few keys to samples, within a tolerance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
# Weight of the slopes of the samples, which decide where no sample lies between two keys
SLOPE_WEIGHT = 1e-3


class CurveFit:
    """Curves of one property, such as the four numbers of a rotation, that share their keys.

    There is one sample for each frame.

    Args:
        values: samples (n, c).
        tolerance: allowed error of each frame (n,).
        corners: mask of the frames in which a key may have two slopes, as where a foot comes to
            rest (n,).
        smooth: whether the segments are cubic; linear otherwise.
    """

    def __init__(
        self, values: Array, tolerance: Array, corners: Mask | None = None, smooth: bool = True
    ) -> None:
        self.values = values
        self.tolerance = tolerance
        self.smooth = smooth
        self.corners = np.zeros(len(values), bool) if corners is None else corners
        self.is_key = np.zeros(len(values), bool)
        self.is_key[[0, -1]] = True
        self._solve_slopes()

    def add(self, frames: Mask) -> None:
        """Add keys where a mask of the frames (n,) is true."""
        self.is_key |= frames
        self._solve_slopes()

    def straighten(self, frames: list[int]) -> bool:
        """Make the curve straight between two neighboring keys; return whether that changed it."""
        if self.corners[frames].all():
            return False
        self.corners[frames] = True
        self._solve_slopes()
        return True

    def add_needed_keys(self) -> None:
        """Add keys where the error is largest until it is within the tolerance everywhere."""
        while True:
            relative_errors = self.measure_errors() / self.tolerance
            exceeding = np.flatnonzero((relative_errors > 1) & ~self.is_key)
            if not len(exceeding):
                return
            by_error = exceeding[np.argsort(relative_errors[exceeding])]
            new_keys = np.zeros_like(self.is_key)
            # in order of error, so the worst frame of each segment replaces the others
            worst_by_piece = dict(
                zip(
                    np.searchsorted(self.key_indices, by_error).tolist(),
                    by_error.tolist(),
                    strict=True,
                )
            )
            new_keys[list(worst_by_piece.values())] = True
            self.add(new_keys)

    def measure_errors(self) -> Array:
        """Return the error of each frame (n,)."""
        return np.asarray(
            np.linalg.norm(
                self.values - self.evaluate(np.arange(len(self.values), dtype=float)), axis=1
            )
        )

    def evaluate(self, times: Array) -> Array:
        """Return the curve (m, c) at times in frames from the first sample (m,)."""
        piece = np.clip(
            np.searchsorted(self.key_indices, times, side="right") - 1, 0, len(self.key_indices) - 2
        )
        length = (self.key_indices[piece + 1] - self.key_indices[piece]).astype(float)[:, None]
        u = (times - self.key_indices[piece])[:, None] / length
        a = self.values[self.key_indices[piece]]
        b = self.values[self.key_indices[piece + 1]]
        if not self.smooth:
            return np.asarray(a + u * (b - a))
        h = u * u * (3 - 2 * u)
        slope_terms = (
            u * (1 - u) ** 2 * self.slopes_out[piece] - u * u * (1 - u) * self.slopes_in[piece + 1]
        )
        return np.asarray(a + h * (b - a) + length * slope_terms)

    def _solve_slopes(self) -> None:
        """Compute the slopes at the keys that fit the other samples best: one for a key, two at a
        corner.
        """
        self.key_indices = np.flatnonzero(self.is_key)
        count = len(self.key_indices)
        step = np.diff(self.values, axis=0)
        sample_slope_in = np.concatenate([step[:1], step])[self.key_indices]
        sample_slope_out = np.concatenate([step, step[-1:]])[self.key_indices]
        is_corner = self.corners[self.key_indices]
        sample_slope = 0.5 * (sample_slope_in + sample_slope_out)
        slope_in = np.where(is_corner[:, None], sample_slope_in, sample_slope)
        slope_out = np.where(is_corner[:, None], sample_slope_out, sample_slope)
        self.slopes_in = slope_in
        self.slopes_out = slope_out
        if not self.smooth or count == len(self.values):
            return
        index_in = np.arange(count) + np.concatenate([[0], np.cumsum(is_corner)[:-1]])
        index_out = np.arange(count) + np.cumsum(is_corner)
        between = np.flatnonzero(~self.is_key)
        piece = np.searchsorted(self.key_indices, between) - 1
        length = (self.key_indices[piece + 1] - self.key_indices[piece]).astype(float)
        u = (between - self.key_indices[piece]) / length
        first = self.values[self.key_indices[piece]]
        last = self.values[self.key_indices[piece + 1]]
        residual = self.values[between] - first - (u * u * (3 - 2 * u))[:, None] * (last - first)
        basis_out = length * u * (1 - u) ** 2
        basis_in = -length * u * u * (1 - u)
        unknowns = int(index_out[-1]) + 1
        band = np.zeros((2, unknowns))
        right_hand_side = np.zeros((unknowns, self.values.shape[1]))
        band[1] += SLOPE_WEIGHT
        right_hand_side[index_in] += SLOPE_WEIGHT * slope_in
        right_hand_side[index_out[is_corner]] += SLOPE_WEIGHT * slope_out[is_corner]
        rows_out = index_out[piece]
        rows_in = index_in[piece + 1]
        np.add.at(band[1], rows_out, basis_out * basis_out)
        np.add.at(band[1], rows_in, basis_in * basis_in)
        np.add.at(band[0], rows_in, basis_out * basis_in)
        np.add.at(right_hand_side, rows_out, basis_out[:, None] * residual)
        np.add.at(right_hand_side, rows_in, basis_in[:, None] * residual)
        solution = solveh_banded(band, right_hand_side)
        self.slopes_in = solution[index_in]
        self.slopes_out = solution[index_out]
