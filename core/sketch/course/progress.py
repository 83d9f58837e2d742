"""Motion along a path over time, with the speed that sets the cadence of the strides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from ...errors import TaskError
from ...geometry.spans import find_spans
from ...motion.footstep import TimeSpan
from ..gait.gait_law import FroudeGaitLaw

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ProgressParameters:
    """How footfalls follow the motion along a path.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Window around a time whose highest speed sets the cadence [sqrt(h / g)]. tuned: halved, pops
    # of a dog are 25 degrees instead of 22
    cadence_window: float = 7.0
    # Window over which a change of that speed is averaged [sqrt(h / g)].
    cadence_smoothing: float = 4.0
    max_sample_step: float = 0.25  # Longest time between samples [sqrt(h / g)].
    # Least speed with which errors of time count as errors of length, v / sqrt(g h). tuned: halved,
    # pops of a dog are 26 degrees instead of 22
    min_residual_speed: float = 0.15
    standing_speed: float = 2e-3  # Speed below which the body stands, v / sqrt(g h).
    merged_rest: float = 1.5  # Rest below which two spans of motion are one [slow strides].
    stop_hold: float = 1.0  # Time after a stop for which the cadence is held [slow strides].
    extension: float = 8.0  # Time by which the motion is extended at both ends [strides].


PROGRESS = ProgressParameters()


@dataclass(frozen=True)
class PathProgress:
    """Motion along a path at n equally spaced times, with a constant speed before and after.

    Args:
        time: (n,) [s].
        distance: (n,) distance along the path [m].
        speed: (n,) [m/s].
        cadence_speed: (n,) speed that sets the duration of the strides [m/s].
        strides: (n,) strides since the first sample.
        stride_rate: (n,) strides per second [1/s].
        min_speed: least speed with which errors of time count as errors of length [m/s].
        begin: first given time [s].
        end: last given time [s].
    """

    time: Array
    distance: Array
    speed: Array
    cadence_speed: Array
    strides: Array
    stride_rate: Array
    min_speed: float
    begin: float
    end: float

    @classmethod
    def from_distances(
        cls, law: FroudeGaitLaw, time: ArrayLike, distance: ArrayLike, stood_before: bool = False
    ) -> PathProgress:
        """Return the motion through given distances at given times.

        Args:
            time: (n,) rising times [s].
            distance: (n,) distances along the path, not decreasing [m].
            stood_before: whether the body stood before the first time; it moved at a constant speed
                otherwise.

        Raises:
            TaskError: fewer than two times, times that do not rise, or distances that decrease.
        """
        t = np.asarray(time, float)
        s = np.asarray(distance, float)
        _check_samples(t, s)
        unit_time = law.body.unit_time(law.gravity)
        end_speeds = np.diff(s)[[0, -1]] / np.diff(t)[[0, -1]] * (not stood_before, 1)
        extension_times = PROGRESS.extension * law.compute_stride_time(end_speeds)
        step = min(float(np.diff(t).min()), PROGRESS.max_sample_step * unit_time)
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
        cadence_speed = _compute_cadence_speed(law, speed, step)
        stride_rate = 1 / law.compute_stride_time(cadence_speed)
        return cls(
            grid,
            distances,
            speed,
            cadence_speed=cadence_speed,
            strides=cumulative_trapezoid(stride_rate, grid, initial=0),
            stride_rate=stride_rate,
            min_speed=PROGRESS.min_residual_speed * law.unit_speed,
            begin=float(t[0]),
            end=float(t[-1]),
        )

    def sample(self, time: ArrayLike, quantity: str) -> Array:
        """Return a quantity at any times. (...,) -> (...,).

        Args:
            quantity: name of one of the arrays.
        """
        return np.asarray(np.interp(np.asarray(time, float), self.time, getattr(self, quantity)))

    def time_after_strides(self, strides: ArrayLike) -> Array:
        """Return the times after a number of strides. (...,) -> (...,) [s]."""
        return np.asarray(np.interp(np.asarray(strides, float), self.strides, self.time))

    @cached_property
    def monotone_distance(self) -> Array:
        """Distance of a body that always moves at least at `min_speed`. (n,) [m]."""
        return np.asarray(
            cumulative_trapezoid(np.maximum(self.speed, self.min_speed), self.time, initial=0)
        )

    def find_moving_spans(self, law: FroudeGaitLaw) -> list[TimeSpan]:
        """Return the spans in which the body moves; infinite where it moves on past the end.

        Two spans are merged if the rest between them is shorter than 1.5 slow strides.
        """
        is_moving = self.speed > PROGRESS.standing_speed * law.unit_speed
        min_rest = PROGRESS.merged_rest * float(law.compute_stride_time(0.0))
        merged: list[TimeSpan] = []
        for span in find_spans(is_moving):
            begin = max(float(self.time[span.start]), self.begin)
            end = float(self.time[span.stop]) if span.stop < len(self.time) else np.inf
            if merged and begin - merged[-1].end < min_rest:
                merged[-1] = TimeSpan(merged[-1].begin, end)
            else:
                merged.append(TimeSpan(begin, end))
        return [span for span in merged if span.begin < self.end and span.end > self.begin]


def _check_samples(time: Array, distance: Array) -> None:
    """Refuse times and distances that do not describe motion forward along a path."""
    if time.ndim != 1 or time.shape != distance.shape or len(time) < 2:
        raise TaskError(
            f"There are {distance.size} distances at {time.size} times; give one distance for each "
            "of at least two times."
        )
    if not (np.isfinite(time).all() and np.isfinite(distance).all()) or (np.diff(time) <= 0).any():
        raise TaskError("Times and distances along the path must be finite, and times must rise.")
    if (np.diff(distance) < -1e-9).any():
        raise TaskError(
            f"The distance along the path decreases by {-np.diff(distance).min():.3g} m; legs only "
            "walk forward along a path."
        )


def _compute_cadence_speed(law: FroudeGaitLaw, speed: Array, step: float) -> Array:
    """Return the speed that sets the duration of the strides. (n,) -> (n,) [m/s].

    Args:
        step: time between samples [s].
    """
    unit_time = law.body.unit_time(law.gravity)
    window_samples = int(PROGRESS.cadence_window * unit_time / step) | 1
    cadence_speed = uniform_filter1d(
        maximum_filter1d(speed, window_samples, mode="nearest"),
        int(PROGRESS.cadence_smoothing * unit_time / step) | 1,
        mode="nearest",
    )
    return _hold_cadence(
        np.maximum(cadence_speed, speed),
        speed > PROGRESS.standing_speed * law.unit_speed,
        int(PROGRESS.stop_hold * law.compute_stride_time(0.0) / step),
    )


def _hold_cadence(cadence_speed: Array, is_moving: NDArray[np.bool_], sample_count: int) -> Array:
    """Return the cadence speed, held for some samples after each stop until the body moves again.

    (n,), (n,) -> (n,).
    """
    indices = np.arange(len(cadence_speed))
    last_moving = np.maximum.accumulate(np.where(is_moving, indices, -1))
    is_held = ~is_moving & (last_moving >= 0) & (indices - last_moving <= sample_count)
    return np.where(
        is_held, np.maximum(cadence_speed, cadence_speed[np.maximum(last_moving, 0)]), cadence_speed
    )
