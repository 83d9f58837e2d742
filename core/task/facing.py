"""Which way a body faces in the world, by where on its path it is."""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from ..geometry import so3
from .path import Path

Array = NDArray[np.float64]

MIN_STATION_GAP = 1e-9  # m at least between two stations


class PathFacing:
    """Headings at places of a path. Past the first and the last the body stays turned against
    its path as it is there.

    Between two places that tell a heading it turns evenly from one to the other, the short way
    round, whatever the path does meanwhile. Where one of them tells none, its turn against the path
    goes evenly over into facing along it.

    Args:
        headings: (n,) degrees in the world, from x towards y;
            not a number where it faces along its path.
        stations: (n,) rising distances along the path, m.

    Raises:
        TaskError: no heading for each station, one that is infinite, or stations that do not rise.
    """

    def __init__(self, headings: ArrayLike, stations: ArrayLike = 0.0) -> None:
        self.headings = np.atleast_1d(np.asarray(headings, float))
        self.stations = np.atleast_1d(np.asarray(stations, float))
        if (
            self.headings.shape != self.stations.shape
            or self.headings.ndim != 1
            or not len(self.headings)
        ):
            raise TaskError(
                f"The facing has {self.headings.size} headings for {self.stations.size} places on "
                "the path; it needs one heading for each."
            )
        if np.isinf(self.headings).any() or not np.isfinite(self.stations).all():
            raise TaskError(
                "The facing has a heading or a place on the path that is not finite; give degrees "
                "and metres."
            )
        if (np.diff(self.stations) <= 0).any():
            raise TaskError("The places on the path at which the facing is told must rise.")

    @property
    def has_headings(self) -> bool:
        """Whether the body faces away from its path anywhere, as far as the headings alone tell."""
        return bool(np.isfinite(self.headings).any())

    def yaw_offset_at(self, path: Path, distance: ArrayLike) -> Array:
        """How far the body is turned to the left of its path at distances along it, rad,
        without jumps of a whole turn.

        (...,) -> (...,).
        """
        distance = np.asarray(distance, float)
        world_headings, offsets = self._compute_station_headings(path)
        if len(world_headings) == 1:
            return np.full(distance.shape, offsets[0])
        k = np.clip(
            np.searchsorted(self.stations, distance, side="right") - 1, 0, len(world_headings) - 2
        )
        share = np.clip((distance - self.stations[k]) / np.diff(self.stations)[k], 0.0, 1.0)
        world_offset = (
            world_headings[k]
            + share * (world_headings[k + 1] - world_headings[k])
            - path.heading_at(np.clip(distance, *self.stations[[0, -1]]))
        )
        relative_offset = offsets[k] + share * (offsets[k + 1] - offsets[k])
        return np.where(
            np.isfinite(world_headings[k] + world_headings[k + 1]), world_offset, relative_offset
        )

    def _compute_station_headings(self, path: Path) -> tuple[Array, Array]:
        """Headings in the world, not a number where none is told, and turns against the path,
        without jumps. (n,), (n,) rad.
        """
        path_headings = path.heading_at(self.stations)
        headings = np.radians(self.headings)
        world_headings = np.full(len(path_headings), np.nan)
        offsets = np.zeros(len(path_headings))
        for k in range(len(path_headings)):
            previous = offsets[k - 1] if k else 0.0
            if np.isnan(headings[k]):
                offsets[k] = 2 * np.pi * np.round(previous / (2 * np.pi))
                continue
            reference = (
                world_headings[k - 1]
                if k and np.isfinite(world_headings[k - 1])
                else path_headings[k] + previous
            )
            world_headings[k] = reference + so3.wrap_angle(headings[k] - reference)
            offsets[k] = world_headings[k] - path_headings[k]
        return world_headings, offsets

    def with_stations(self, stations: ArrayLike) -> PathFacing:
        """The same headings at other places of a path; places that do not rise are told
        just after one another.
        """
        other = copy(self)
        new_stations = np.asarray(stations, float)
        other.stations = np.maximum.accumulate(new_stations) + MIN_STATION_GAP * np.arange(
            len(new_stations)
        )
        return other
