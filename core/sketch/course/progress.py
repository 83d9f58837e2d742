"""A body's way along its path over time, as footfalls see it:
with the pace that strides keep up with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from ...errors import TaskError
from ..gait.gait_law import FroudeGaitLaw

Array = NDArray[np.float64]

# sqrt(h / g) around a moment, the highest speed within which steps keep up with
CADENCE_WINDOW = 7.0
CADENCE_SMOOTHING = 4.0  # the same over which a change of that speed is spread
MAX_SAMPLE_STEP = 0.25  # the same between samples at most
# v / sqrt(g h) that a body counts as going at least, where residuals are told in metres
MIN_RESIDUAL_SPEED = 0.15
STANDING_SPEED = 2e-3  # v / sqrt(g h) below which it stands
# slow strides after a stop, in which feet come to stand as quickly as they went
STOP_CADENCE_STRIDES = 1.0
EXTENSION_STRIDES = 8.0  # strides that the way is drawn out by at either end


@dataclass(frozen=True)
class PathProgress:
    """Where a body is when, equally spaced; before and after it goes straight on."""

    time: Array  # (n,) s
    distance: Array  # (n,) along the path, m
    speed: Array  # (n,) m/s
    cadence_speed: Array  # (n,) m/s
    strides: Array  # (n,) strides since the first sample, at the law's rate for the pace
    stride_rate: Array  # (n,) strides a second, the same
    min_speed: float  # m/s
    begin: float  # s, the first moment that was given
    end: float  # s, the last one

    @classmethod
    def from_distances(
        cls, law: FroudeGaitLaw, time: ArrayLike, distance: ArrayLike, stood_before: bool = False
    ) -> PathProgress:
        """A way from moments (n,) s that rise and distances (n,) m along the path that never fall.

        Args:
            stood_before: the body stood before the first moment,
                instead of having come straight on.

        Raises:
            TaskError: fewer than two moments, moments that do not rise, or a way that goes back.
        """
        t = np.asarray(time, float)
        s = np.asarray(distance, float)
        if t.ndim != 1 or t.shape != s.shape or len(t) < 2:
            raise TaskError(
                f"The way has {s.size} distances at {t.size} moments; it needs one distance for "
                "each of at least two."
            )
        if not (np.isfinite(t).all() and np.isfinite(s).all()) or (np.diff(t) <= 0).any():
            raise TaskError(
                "The moments and distances of the way must be finite and the moments must rise."
            )
        if (np.diff(s) < -1e-9).any():
            raise TaskError(
                f"The way goes back by {-np.diff(s).min():.3g} m; legs only go forward along a "
                "path."
            )
        unit_time = law.body.unit_time(law.gravity)
        end_speeds = np.diff(s)[[0, -1]] / np.diff(t)[[0, -1]] * (not stood_before, 1)
        extension_times = EXTENSION_STRIDES * law.compute_stride_time(end_speeds)
        step = min(float(np.diff(t).min()), MAX_SAMPLE_STEP * unit_time)
        grid = t[0] + step * np.arange(
            -np.ceil(extension_times[0] / step),
            np.ceil((t[-1] - t[0] + extension_times[1]) / step) + 1,
        )
        distances = (
            np.interp(grid, t, s)
            + end_speeds[0] * np.minimum(grid - t[0], 0)
            + end_speeds[1] * np.maximum(grid - t[-1], 0)
        )
        speed = np.maximum(np.gradient(distances, grid), 0.0)
        window_samples = int(CADENCE_WINDOW * unit_time / step) | 1
        cadence_speed = uniform_filter1d(
            maximum_filter1d(speed, window_samples, mode="nearest"),
            int(CADENCE_SMOOTHING * unit_time / step) | 1,
            mode="nearest",
        )
        cadence_speed = _hold_cadence(
            np.maximum(cadence_speed, speed),
            speed > STANDING_SPEED * law.unit_speed,
            int(STOP_CADENCE_STRIDES * law.compute_stride_time(0.0) / step),
        )
        stride_rate = 1 / law.compute_stride_time(cadence_speed)
        return cls(
            grid,
            distances,
            speed,
            cadence_speed=cadence_speed,
            strides=cumulative_trapezoid(stride_rate, grid, initial=0),
            stride_rate=stride_rate,
            min_speed=MIN_RESIDUAL_SPEED * law.unit_speed,
            begin=float(t[0]),
            end=float(t[-1]),
        )

    def sample(self, time: ArrayLike, quantity: str) -> Array:
        """One of its arrays by name, at any times. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(time, float), self.time, getattr(self, quantity)))

    def time_after_strides(self, strides: ArrayLike) -> Array:
        """When so many strides are over. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(strides, float), self.strides, self.time))

    @cached_property
    def monotone_distance(self) -> Array:
        """The distance of a body that never goes slower than it creeps: it rises always. (n,)."""
        return np.asarray(
            cumulative_trapezoid(np.maximum(self.speed, self.min_speed), self.time, initial=0)
        )

    def find_moving_spans(self, law: FroudeGaitLaw) -> list[tuple[float, float]]:
        """From when to when the body goes, to infinity where it goes on beyond the end.

        A rest shorter than one and a half slow strides does not part two of them.
        """
        is_moving = self.speed > STANDING_SPEED * law.unit_speed
        edges = np.flatnonzero(np.diff(np.concatenate([[False], is_moving, [False]]).astype(int)))
        spans = [
            (
                max(float(self.time[a]), self.begin),
                float(self.time[b]) if b < len(self.time) else np.inf,
            )
            for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]
        merged: list[tuple[float, float]] = []
        for span in spans:
            if merged and span[0] - merged[-1][1] < 1.5 * float(law.compute_stride_time(0.0)):
                merged[-1] = (merged[-1][0], span[1])
            else:
                merged.append(span)
        return [span for span in merged if span[0] < self.end and span[1] > self.begin]


def _hold_cadence(cadence_speed: Array, is_moving: NDArray[np.bool_], sample_count: int) -> Array:
    """The pace of each stop kept for so many samples after it,
    or until the body goes on. (n,), (n,) -> (n,).
    """
    indices = np.arange(len(cadence_speed))
    last_moving = np.maximum.accumulate(np.where(is_moving, indices, -1))
    is_held = ~is_moving & (last_moving >= 0) & (indices - last_moving <= sample_count)
    return np.where(
        is_held, np.maximum(cadence_speed, cadence_speed[np.maximum(last_moving, 0)]), cadence_speed
    )
