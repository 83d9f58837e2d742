"""Relief of the ground along a path, and steps adapted to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....slip.command import HeightFunction
from ....task import Path
from ..steps import STEPS, StepSize
from .foothold_field import FOOTHOLDS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SlopeParameters:
    """Steps on ground that rises or falls."""

    # Largest change of height in one step [m]. tuned: on stairs a step took two treads, and the
    # feet came down across edges
    max_step_rise: float = 0.17
    # Exponent of the step length in the step time where the length is reduced [1].
    time_exponent: float = 0.3
    # Longest step before a high step [m].
    max_high_step_length: float = 0.5
    # Shortest step time before a high step [s].
    min_high_step_time: float = 0.75
    # Fall of the ground ahead from which heels rise [m]. tuned: otherwise a body that stepped down
    # could not sink over its flat foot
    min_descent: float = 0.07


SLOPE = SlopeParameters()

# Stations relative to the body that show the relief ahead [m].
STATIONS_AHEAD = np.linspace(-0.1, 1.1, 25)
# Stations relative to the body that show the slope under it [m]; stairs end with the last foot on
# them.
STATIONS_NEAR = np.linspace(-0.3, 0.3, 13)


@dataclass(frozen=True)
class Relief:
    """Relief of the ground along a path.

    Attributes:
        slope: largest rise over run, up or down [1].
        has_high_step: whether a high step is ahead.
        is_descending: whether the ground falls.
    """

    slope: float = 0.0
    has_high_step: bool = False
    is_descending: bool = False


def measure_relief(path: Path, station: float, ground_height: HeightFunction) -> Relief:
    """Return the relief of the ground ahead of a station [m]; places without ground are ignored."""
    heights = ground_height(path.position_at(station + STATIONS_AHEAD))
    heights = heights[np.isfinite(heights)]
    if not len(heights):
        return Relief()
    is_descending = bool(heights[0] - heights.min() > SLOPE.min_descent)
    slope = _compute_slope(heights, STATIONS_AHEAD)
    if np.abs(np.diff(heights)).max(initial=0.0) > FOOTHOLDS.high_step_height:
        return Relief(slope, has_high_step=True, is_descending=is_descending)
    heights = ground_height(path.position_at(station + STATIONS_NEAR))
    if np.isfinite(heights).all() and np.abs(np.diff(heights)).max() < FOOTHOLDS.high_step_height:
        slope = max(slope, _compute_slope(heights, STATIONS_NEAR))
    return Relief(slope, is_descending=is_descending)


def adapt_step_size(size: StepSize, relief: Relief) -> StepSize:
    """Return a step that is no longer than the relief allows."""
    if relief.has_high_step:
        return StepSize(
            min(size.length, SLOPE.max_high_step_length), max(size.time, SLOPE.min_high_step_time)
        )
    max_length = max(SLOPE.max_step_rise / max(relief.slope, 1e-6), STEPS.min_adapted_length)
    if size.length <= max_length:
        return size
    return StepSize(max_length, size.time * (max_length / size.length) ** SLOPE.time_exponent)


def _compute_slope(heights: Array, stations: Array) -> float:
    """Return the difference of the extreme heights over the length of the stretch [1]."""
    return float(np.ptp(heights)) / (stations[-1] - stations[0])
