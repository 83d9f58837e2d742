"""Which way a body faces in the world, by where on its path it is."""
from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError
from ..geometry import so3
from .path import Path

Array = NDArray[np.float64]

APART = 1e-9          # m at least between two stations


class Facing:
    """Headings at places of a path. Past the first and the last the body stays turned against its path as it is there.

    Between two places that tell a heading it turns evenly from one to the other, the short way round, whatever the path does
    meanwhile. Where one of them tells none, its turn against the path goes evenly over into facing along it.

    Args:
        headings: (n,) degrees in the world, from x towards y; not a number where it faces along its path.
        stations: (n,) rising distances along the path, m.

    Raises:
        TaskError: no heading for each station, one that is infinite, or stations that do not rise.
    """

    def __init__(self, headings: ArrayLike, stations: ArrayLike = 0.0) -> None:
        self.headings = np.atleast_1d(np.asarray(headings, float))
        self.stations = np.atleast_1d(np.asarray(stations, float))
        if self.headings.shape != self.stations.shape or self.headings.ndim != 1 or not len(self.headings):
            raise TaskError(f"The facing has {self.headings.size} headings for {self.stations.size} places on the path; it needs "
                            "one heading for each.")
        if np.isinf(self.headings).any() or not np.isfinite(self.stations).all():
            raise TaskError("The facing has a heading or a place on the path that is not finite; give degrees and metres.")
        if (np.diff(self.stations) <= 0).any():
            raise TaskError("The places on the path at which the facing is told must rise.")

    @property
    def told(self) -> bool:
        """Whether the body faces away from its path anywhere, as far as the headings alone tell."""
        return bool(np.isfinite(self.headings).any())

    def turned(self, path: Path, distance: ArrayLike) -> Array:
        """How far the body is turned to the left of its path at distances along it, rad, without jumps of a whole turn.

        (...,) -> (...,).
        """
        distance = np.asarray(distance, float)
        world, against = self._at_stations(path)
        if len(world) == 1:
            return np.full(distance.shape, against[0])
        k = np.clip(np.searchsorted(self.stations, distance, side="right") - 1, 0, len(world) - 2)
        share = np.clip((distance - self.stations[k]) / np.diff(self.stations)[k], 0.0, 1.0)
        evenly = world[k] + share * (world[k + 1] - world[k]) - path.heading(np.clip(distance, *self.stations[[0, -1]]))
        along = against[k] + share * (against[k + 1] - against[k])
        return np.where(np.isfinite(world[k] + world[k + 1]), evenly, along)

    def _at_stations(self, path: Path) -> tuple[Array, Array]:
        """Headings in the world, not a number where none is told, and turns against the path, without jumps. (n,), (n,) rad."""
        way, asked = path.heading(self.stations), np.radians(self.headings)
        world, against = np.full(len(way), np.nan), np.zeros(len(way))
        for k in range(len(way)):
            before = against[k - 1] if k else 0.0
            if np.isnan(asked[k]):
                against[k] = 2 * np.pi * np.round(before / (2 * np.pi))
                continue
            near = world[k - 1] if k and np.isfinite(world[k - 1]) else way[k] + before
            world[k] = near + so3.wrapped(asked[k] - near)
            against[k] = world[k] - way[k]
        return world, against

    def moved(self, stations: ArrayLike) -> Facing:
        """The same headings at other places of a path; places that do not rise are told just after one another."""
        other, found = copy(self), np.asarray(stations, float)
        other.stations = np.maximum.accumulate(found) + APART * np.arange(len(found))
        return other
