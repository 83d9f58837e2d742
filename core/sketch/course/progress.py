"""A body's way along its path over time, as footfalls see it: with the pace that strides keep up with."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from ...errors import TaskError
from ..gait.gait_law import RhythmLaw

Array = NDArray[np.float64]

AROUND = 7.0        # sqrt(h / g) around a moment, the highest speed within which steps keep up with
EASED = 4.0         # the same over which a change of that speed is spread
FINE = 0.25         # the same between samples at most
CREEPING = 0.15     # v / sqrt(g h) that a body counts as going at least, where residuals are told in metres
STILL = 2e-3        # v / sqrt(g h) below which it stands
STEPPING_ON = 1.0   # slow strides after a stop, in which feet come to stand as quickly as they went
STRAIGHT_ON = 8.0   # strides that the way is drawn out by at either end


@dataclass(frozen=True)
class Way:
    """Where a body is when, equally spaced; before and after it goes straight on."""

    time: Array         # (n,) s
    distance: Array     # (n,) along the path, m
    speed: Array        # (n,) m/s
    pace: Array         # (n,) m/s
    turns: Array        # (n,) strides since the first sample, at the law's rate for the pace
    rate: Array         # (n,) strides a second, the same
    creep: float        # m/s
    begin: float        # s, the first moment that was given
    end: float          # s, the last one

    @classmethod
    def of(cls, law: RhythmLaw, time: ArrayLike, distance: ArrayLike, still_before: bool = False) -> Way:
        """A way from moments (n,) s that rise and distances (n,) m along the path that never fall.

        Args:
            still_before: the body stood before the first moment, instead of having come straight on.

        Raises:
            TaskError: fewer than two moments, moments that do not rise, or a way that goes back.
        """
        t, s = np.asarray(time, float), np.asarray(distance, float)
        if t.ndim != 1 or t.shape != s.shape or len(t) < 2:
            raise TaskError(f"The way has {s.size} distances at {t.size} moments; it needs one distance for each of at least two.")
        if not (np.isfinite(t).all() and np.isfinite(s).all()) or (np.diff(t) <= 0).any():
            raise TaskError("The moments and distances of the way must be finite and the moments must rise.")
        if (np.diff(s) < -1e-9).any():
            raise TaskError(f"The way goes back by {-np.diff(s).min():.3g} m; legs only go forward along a path.")
        unit = law.body.unit_time(law.gravity)
        ends = np.diff(s)[[0, -1]] / np.diff(t)[[0, -1]] * (not still_before, 1)
        longer = STRAIGHT_ON * law.stride_time(ends)
        step = min(float(np.diff(t).min()), FINE * unit)
        grid = t[0] + step * np.arange(-np.ceil(longer[0] / step), np.ceil((t[-1] - t[0] + longer[1]) / step) + 1)
        along = np.interp(grid, t, s) + ends[0] * np.minimum(grid - t[0], 0) + ends[1] * np.maximum(grid - t[-1], 0)
        speed = np.maximum(np.gradient(along, grid), 0.0)
        size = int(AROUND * unit / step) | 1
        pace = uniform_filter1d(maximum_filter1d(speed, size, mode="nearest"), int(EASED * unit / step) | 1, mode="nearest")
        pace = _held_on(np.maximum(pace, speed), speed > STILL * law.unit_speed, int(STEPPING_ON * law.stride_time(0.0) / step))
        rate = 1 / law.stride_time(pace)
        return cls(grid, along, speed, pace, cumulative_trapezoid(rate, grid, initial=0), rate, CREEPING * law.unit_speed,
                   float(t[0]), float(t[-1]))

    def at(self, time: ArrayLike, what: str) -> Array:
        """One of its arrays by name, at any times. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(time, float), self.time, getattr(self, what)))

    def after_turns(self, turns: ArrayLike) -> Array:
        """When so many strides are over. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(turns, float), self.turns, self.time))

    @cached_property
    def crept(self) -> Array:
        """The distance of a body that never goes slower than it creeps: it rises always. (n,)."""
        return np.asarray(cumulative_trapezoid(np.maximum(self.speed, self.creep), self.time, initial=0))

    def moving(self, law: RhythmLaw) -> list[tuple[float, float]]:
        """From when to when the body goes, to infinity where it goes on beyond the end.

        A rest shorter than one and a half slow strides does not part two of them.
        """
        goes = self.speed > STILL * law.unit_speed
        edges = np.flatnonzero(np.diff(np.concatenate([[False], goes, [False]]).astype(int)))
        bouts = [(max(float(self.time[a]), self.begin), float(self.time[b]) if b < len(self.time) else np.inf)
                 for a, b in zip(edges[::2], edges[1::2], strict=True)]
        joined: list[tuple[float, float]] = []
        for bout in bouts:
            if joined and bout[0] - joined[-1][1] < 1.5 * float(law.stride_time(0.0)):
                joined[-1] = (joined[-1][0], bout[1])
            else:
                joined.append(bout)
        return [bout for bout in joined if bout[0] < self.end and bout[1] > self.begin]


def _held_on(pace: Array, goes: NDArray[np.bool_], samples: int) -> Array:
    """The pace of each stop kept for so many samples after it, or until the body goes on. (n,), (n,) -> (n,)."""
    number = np.arange(len(pace))
    last = np.maximum.accumulate(np.where(goes, number, -1))
    after = ~goes & (last >= 0) & (number - last <= samples)
    return np.where(after, np.maximum(pace, pace[np.maximum(last, 0)]), pace)
