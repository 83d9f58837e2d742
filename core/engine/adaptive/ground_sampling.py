"""The part of a task's ground that a body can reach, as a grid of heights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...errors import TaskError
from ...task import Task
from ...terrain import FlatGround
from .ground_limits import LIMITS
from .height_field import EndlessField

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroundSamplingParameters:
    """How a ground is sampled, for a body of the reference size.

    Args:
        margin: distance around the path that is sampled [m], so that a body that leaves the path
            or is pushed aside meets the ground.
        spacing: distance between samples [m], a sixth of the length of a foot (`GroundLimits`).
        max_samples: beyond which samples lie farther apart; 16 MB of numbers.
        real_before_clip: distance before the place of the clip's start from which the ground is
            that of the task [m], more than a step, so that both feet stand on it when it begins.
        blend_length: distance before that in which it passes from level ground to it [m], so that
            no step leads up an edge.
        corridor: half the width around the path in which the ground must be there [m]; the feet
            step within it.
        half_square, square_spacing: half the side of the square in which a body can be driven, and
            the distance between its samples [m]: 250,000 samples, which a drive takes at its begin.
    """

    margin: float = 2.0
    spacing: float = 0.05
    max_samples: int = 2_000_000
    real_before_clip: float = 0.9
    blend_length: float = 1.0
    corridor: float = 0.3
    half_square: float = 20.0
    square_spacing: float = 0.08


GROUND = GroundSamplingParameters()


def sample_ground(task: Task, distance: float, run_up: float) -> EndlessField | None:
    """Return the ground around the path of a task, in its units; None for a plane.

    The run-up, which is not part of the clip, begins on level ground, as the walks of the
    training do.

    Args:
        distance: that the body covers, with the run-up [m].
        run_up: length of the run-up [m].

    Raises:
        TaskError: there are holes or steps on the path.
    """
    if isinstance(task.ground, FlatGround):
        return None
    stations = np.arange(0.0, distance + GROUND.margin, GROUND.spacing)
    path = task.path.position_at(stations)
    _check_corridor(task, stations[stations > run_up - GROUND.real_before_clip])
    low = path.min(0) - GROUND.margin
    size = path.max(0) + GROUND.margin - low
    spacing = max(GROUND.spacing, float(np.sqrt(size[0] * size[1] / GROUND.max_samples)))
    columns, rows = np.ceil(size / spacing).astype(int) + 1
    x = low[0] + spacing * np.arange(columns)
    y = low[1] + spacing * np.arange(rows)
    places = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    heights = task.ground.sample_heights(places)
    level = float(task.ground.sample_heights(task.path.position_at(run_up)))
    heights = np.where(np.isnan(heights), level, heights)
    heading = float(task.path.heading_at(0.0))
    ahead = (places - task.path.points[0]) @ [np.cos(heading), np.sin(heading)]
    share = (ahead - (run_up - GROUND.real_before_clip)) / GROUND.blend_length + 1.0
    heights = level + np.clip(share, 0.0, 1.0) * (heights - level) if run_up > 0 else heights
    return EndlessField(heights, low, spacing)


def sample_square(task: Task, center: Array) -> EndlessField | None:
    """Return the ground in a square about a place (2,), in the units of a task; None for a plane.

    Beyond the square the body falls. Holes are filled at the height of the center.
    """
    if isinstance(task.ground, FlatGround):
        return None
    count = round(2 * GROUND.half_square / GROUND.square_spacing) + 1
    steps = np.linspace(-GROUND.half_square, GROUND.half_square, count)
    places = np.stack(np.meshgrid(center[0] + steps, center[1] + steps, indexing="ij"), axis=-1)
    heights = task.ground.sample_heights(places)
    level = float(np.nan_to_num(task.ground.sample_heights(np.asarray(center))))
    heights = np.where(np.isnan(heights), level, heights)
    return EndlessField(heights, center - GROUND.half_square, float(steps[1] - steps[0]))


def _check_corridor(task: Task, stations: Array) -> None:
    """Refuse ground that ends or rises too steeply within a step beside the path."""
    length = task.units.to_user_length(1.0)

    def describe(place: Array) -> str:
        return f"({place[0] * length:.2f}, {place[1] * length:.2f})"

    heading = task.path.heading_at(stations)
    side = np.stack([-np.sin(heading), np.cos(heading)], axis=-1)
    places = task.path.position_at(stations)
    for offset in (-GROUND.corridor, 0.0, GROUND.corridor):
        heights = task.ground.sample_heights(places + offset * side)
        if np.isnan(heights).any():
            place = places[int(np.argmax(np.isnan(heights)))]
            raise TaskError(
                f"There is no ground near {describe(place)}; the engine 'adaptive' "
                "walks on continuous ground only. Move the path, or choose another engine."
            )
        excess = _measure_excess(heights)
        if len(excess) and excess.max() > 1e-9:
            place = places[int(np.argmax(excess))]
            raise TaskError(
                f"The ground is too steep near {describe(place)}; the engine "
                f"'adaptive' walks on slopes up to {LIMITS.max_slope:g}, up steps of "
                f"{LIMITS.max_step_up * length:.2f} m and down steps of "
                f"{LIMITS.max_step_down * length:.2f} m. Move the path, or choose another engine."
            )


def _measure_excess(heights: Array) -> Array:
    """Return by how much the ground ahead of samples along a path exceeds the limits (k,) [m].

    Args:
        heights: (n,) at the samples [m].
    """
    step = _measure_rise(heights, LIMITS.foot_length)
    climb = _average_ahead(_measure_rise(heights, LIMITS.slope_length), LIMITS.slope_length)
    excess = np.maximum(step - LIMITS.max_step_up, -step - LIMITS.max_step_down)
    excess[: len(climb)] = np.maximum(
        excess[: len(climb)], climb - LIMITS.max_slope * LIMITS.slope_length
    )
    return excess


def _average_ahead(values: Array, distance: float) -> Array:
    """Return means of values at samples along a path, each over a distance ahead [m]."""
    count = min(round(distance / GROUND.spacing), len(values))
    return np.asarray(sliding_window_view(values, count).mean(axis=-1))


def _measure_rise(heights: Array, distance: float) -> Array:
    """Return the rises of the ground over a distance [m] from each sample that has one ahead."""
    span = round(distance / GROUND.spacing)
    return heights[span:] - heights[:-span]
