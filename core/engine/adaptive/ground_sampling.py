"""The part of a task's ground that a body can reach, as a grid of heights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...task import Task
from ...terrain import FlatGround
from .height_field import HeightField

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroundParameters:
    """How a ground is sampled and what is too steep, for a body of the reference size.

    Args:
        margin: distance around the path that is sampled [m].
        spacing: distance between samples [m].
        max_samples: beyond which samples lie farther apart.
        corridor: half the width around the path in which the ground must be there [m].
        max_slope: steepest ground that feet step on, over the length of a foot. The fields of the
            training rise by 0.28 at most.
        foot_length: [m].
    """

    margin: float = 2.0
    spacing: float = 0.05
    max_samples: int = 2_000_000
    corridor: float = 0.3
    max_slope: float = 0.3
    foot_length: float = 0.3


GROUND = GroundParameters()


def sample_ground(task: Task, distance: float) -> HeightField | None:
    """Return the ground around the path of a task, in its units; None for a plane.

    Args:
        distance: that the body covers [m].

    Raises:
        TaskError: there are holes or steps on the path.
    """
    if isinstance(task.ground, FlatGround):
        return None
    stations = np.arange(0.0, distance + GROUND.margin, GROUND.spacing)
    path = task.path.position_at(stations)
    _check_corridor(task, stations)
    low = path.min(0) - GROUND.margin
    size = path.max(0) + GROUND.margin - low
    spacing = max(GROUND.spacing, float(np.sqrt(size[0] * size[1] / GROUND.max_samples)))
    columns, rows = np.ceil(size / spacing).astype(int) + 1
    x = low[0] + spacing * np.arange(columns)
    y = low[1] + spacing * np.arange(rows)
    heights = task.ground.sample_heights(np.stack(np.meshgrid(x, y), axis=-1))
    level = float(task.ground.sample_heights(task.path.points[0]))
    return HeightField(
        np.where(np.isnan(heights), level, heights), spacing, (float(low[0]), float(low[1]))
    )


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
        span = round(GROUND.foot_length / GROUND.spacing)
        rise = np.abs(heights[span:] - heights[:-span])
        if len(rise) and rise.max() > GROUND.max_slope * GROUND.foot_length:
            place = places[int(np.argmax(rise))]
            raise TaskError(
                f"The ground is too steep near {describe(place)}; the engine "
                f"'adaptive' walks on slopes up to {GROUND.max_slope:g}. Move the path, or choose "
                "another engine."
            )
