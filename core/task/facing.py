"""The world heading that a body faces, by the distance along its path."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from ..geometry import so3
from .entries import read_table
from .packed import read_array, write_array
from .part import TimelessPart
from .path import Path

Array = NDArray[np.float64]

# Minimum distance of two stations [m]. Numerical: slopes between them are finite.
MIN_STATION_GAP = 1e-9


@dataclass(frozen=True)
class _StationAngles:
    """Angles at the stations of a path, unwrapped.

    Args:
        heading: (n,) in the world [rad], nan where the body faces along its path.
        offset: (n,) relative to the path [rad].
    """

    heading: Array
    offset: Array


class PathFacing(TimelessPart):
    """Headings at stations of a path. Before the first station and after the last one the body
    keeps its angle to the path.

    Between two stations with headings the world heading is interpolated along the shorter arc,
    whatever the path does. Where one of them has none, the angle to the path is interpolated.

    Args:
        headings: (n,) in the world from x towards y [degrees]; nan for a body that faces along its
            path.
        stations: (n,) increasing distances along the path [m].

    Raises:
        TaskError: the numbers of headings and stations differ, a heading is infinite, or the
            stations do not increase.
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
                "and meters."
            )
        if (np.diff(self.stations) <= 0).any():
            raise TaskError("The stations of the facing must increase along the path.")

    @property
    def has_headings(self) -> bool:
        """Whether any station has a heading, so that the body may face away from its path."""
        return bool(np.isfinite(self.headings).any())

    def yaw_offset_at(self, path: Path, distance: ArrayLike) -> Array:
        """Return the angle of the body to the left of its path at distances along it, unwrapped.

        (...,) [m] -> (...,) [rad].
        """
        distance = np.asarray(distance, float)
        angles = self._compute_station_angles(path)
        heading = angles.heading
        offset = angles.offset
        if len(heading) == 1:
            return np.full(distance.shape, offset[0])
        k = np.clip(np.searchsorted(self.stations, distance, side="right") - 1, 0, len(heading) - 2)
        share = np.clip((distance - self.stations[k]) / np.diff(self.stations)[k], 0.0, 1.0)
        world_offset = (
            heading[k]
            + share * (heading[k + 1] - heading[k])
            - path.heading_at(np.clip(distance, *self.stations[[0, -1]]))
        )
        relative_offset = offset[k] + share * (offset[k + 1] - offset[k])
        return np.where(np.isfinite(heading[k] + heading[k + 1]), world_offset, relative_offset)

    def _compute_station_angles(self, path: Path) -> _StationAngles:
        path_headings = path.heading_at(self.stations)
        given = np.radians(self.headings)
        heading = np.full(len(path_headings), np.nan)
        offset = np.zeros(len(path_headings))
        for k in range(len(path_headings)):
            previous = offset[k - 1] if k else 0.0
            if np.isnan(given[k]):
                offset[k] = 2 * np.pi * np.round(previous / (2 * np.pi))
                continue
            reference = (
                heading[k - 1] if k and np.isfinite(heading[k - 1]) else path_headings[k] + previous
            )
            heading[k] = reference + so3.wrap_angle(given[k] - reference)
            offset[k] = heading[k] - path_headings[k]
        return _StationAngles(heading, offset)

    def with_stations(self, stations: ArrayLike) -> PathFacing:
        """Return the same headings at other stations.

        A station that is not after the previous one is moved just after it.
        """
        other = copy(self)
        new_stations = np.asarray(stations, float)
        other.stations = np.maximum.accumulate(new_stations) + MIN_STATION_GAP * np.arange(
            len(new_stations)
        )
        return other

    def in_units(self, length: float, time: float) -> PathFacing:
        """Return the facing in units of `length` [m]."""
        return self.with_stations(self.stations / length)

    def to_table(self) -> dict[str, Any]:
        """Return the facing as a task file holds it."""
        return {
            "headings": write_array(self.headings),
            "stations": write_array(self.stations),
        }

    @classmethod
    def from_table(cls, table: object, key: str) -> PathFacing:
        """Return the facing that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        return cls(
            read_array(entries.get("headings", []), "facing's headings"),
            read_array(entries.get("stations", [0.0]), "facing's stations"),
        )
