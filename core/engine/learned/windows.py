"""Windows of time, for each of which a network predicts the motion at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ...motion import Footstep

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WindowParameters:
    """How time is divided into windows.

    Args:
        sketch_count: samples of the sketch in a window.
        state_count: samples of the motion in a window. Kwon et al. 2020, appendix F.2
        min_period: shortest time between the begins of two windows [s]; strikes of a human run are
            0.3 s apart, and those of feet that land together begin one window.
        max_period: longest one [s], that of a slow human step; a body that stands strikes no foot.
        overlap_share: time for which a window extends beyond the begin of the next one, as a share
            of the period of that one. The shipped networks have learned with it, so that another
            one takes a new training.
    """

    sketch_count: int = 10
    state_count: int = 30
    min_period: float = 0.15
    max_period: float = 0.8
    overlap_share: float = 0.35


WINDOWS = WindowParameters()


@dataclass(frozen=True)
class Windows:
    """Windows in order of time.

    Args:
        begin: begin of each window [s], shape (w,).
        duration: [s], shape (w,).
    """

    begin: Array
    duration: Array

    def __len__(self) -> int:
        return len(self.begin)

    def make_times(self, count: int) -> Array:
        """Return equally spaced times in each window, the ends included [s], (w, count)."""
        return self.begin[:, None] + self.duration[:, None] * np.linspace(0, 1, count)


def choose_windows(
    footsteps: tuple[Footstep, ...], end: float, leg_count: int = 2, begin: float = 0.0
) -> Windows:
    """Return windows that begin at a time and whenever a foot strikes.

    Of a body with more than two legs only the first one counts, so that a window is a stride.

    Args:
        footsteps: footsteps of the sketch.
        end: time up to which the windows reach at least [s].
        leg_count: number of legs.
        begin: begin of the first window [s].
    """
    strikes = sorted(f.strike for f in footsteps if leg_count <= 2 or f.leg == 0)
    begins = [begin]
    for strike in strikes:
        if strike < begins[-1] + WINDOWS.min_period:
            continue
        begins += _divide(begins[-1], strike)
        if begins[-2] > end:
            break
    while len(begins) < 2 or begins[-2] < end:
        begins.append(begins[-1] + WINDOWS.max_period)
    periods = np.diff([*begins, begins[-1] + min(begins[-1] - begins[-2], WINDOWS.max_period)])
    duration = periods[:-1] + WINDOWS.overlap_share * periods[1:]
    window_begins = np.array(begins[:-1])
    is_used = window_begins < end
    return Windows(window_begins[is_used], duration[is_used])


def _divide(begin: float, end: float) -> list[float]:
    """Return the ends of equal parts of a span, none of which exceeds the longest period."""
    count = int(np.ceil((end - begin) / WINDOWS.max_period))
    return list(begin + (end - begin) * np.arange(1, count + 1) / count)


# Values between equally spaced samples are linear in the samples.
_UNIT_SPLINE = CubicSpline(np.linspace(0, 1, WINDOWS.state_count), np.eye(WINDOWS.state_count))


def evaluate_window(samples: Array, share: Array) -> Array:
    """Return values of the cubic spline through the samples of a window.

    Args:
        samples: shape (WINDOWS.state_count, k).
        share: share of the window that has passed, shape (n,).

    Returns:
        Shape (n, k).
    """
    return np.asarray(_UNIT_SPLINE(share) @ samples)
