"""Ground that moves with the body on it: a ribbon along a line that changes from frame to frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .motion import Motion

Array = NDArray[np.float64]
HeightFunction = Callable[[Array], Array]


@dataclass(frozen=True)
class MovingSurface:
    """A ribbon of k points in n frames, level across its line.

    Args:
        line: points of its middle line in their order [m], shape (n, k, 3).
        width: [m].
    """

    line: Array
    width: float

    @staticmethod
    def from_motion(motion: Motion) -> MovingSurface | None:
        """Return the moving ground of a motion; None if all of its ground is at rest."""
        if motion.surface_line is None or motion.surface_width is None:
            return None
        return MovingSurface(motion.surface_line, motion.surface_width)

    @property
    def spacing(self) -> float:
        """Mean distance of the points of the line [m]."""
        chord = np.linalg.norm(self.line[0, -1] - self.line[0, 0])
        return float(chord / (self.line.shape[1] - 1))

    @property
    def forward(self) -> Array:
        """Direction of the ribbon from above, shape (2,)."""
        chord = self.line[0, -1, :2] - self.line[0, 0, :2]
        return np.asarray(chord / np.linalg.norm(chord))

    @property
    def left(self) -> Array:
        """Direction to the left of `forward`, shape (2,)."""
        return np.array([-self.forward[1], self.forward[0]])

    def _measure_along(self, xy: Array) -> Array:
        """Return the distance from the first point along the ribbon [m]. (..., 2) -> (...,)."""
        return np.asarray((xy - self.line[0, 0, :2]) @ self.forward)

    def _is_beside(self, xy: Array) -> NDArray[np.bool_]:
        return np.asarray(np.abs((xy - self.line[0, 0, :2]) @ self.left) > 0.5 * self.width)

    def sample_heights(self, frame: int, xy: Array) -> Array:
        """Return the height at places (..., 2) in a frame [m]; nan beside the ribbon."""
        points = self.line[frame]
        height = np.interp(
            self._measure_along(xy),
            self._measure_along(points[:, :2]),
            points[:, 2],
            left=np.nan,
            right=np.nan,
        )
        return np.where(self._is_beside(xy), np.nan, height)

    def sample_all_frames(self, xy: Array, at_rest: Array) -> Array:
        """Return the heights at places of each frame [m], (n, ..., 2) -> (n, ...).

        Args:
            xy: places [m], shape (n, ..., 2).
            at_rest: heights there of the ground that is at rest [m], shape (n, ...).
        """
        moving = np.stack([self.sample_heights(k, places) for k, places in enumerate(xy)])
        return _lay_over(moving, at_rest)

    def make_height_function(self, frame: int, at_rest: HeightFunction) -> HeightFunction:
        """Return the height at points (k, 2) in a frame, beside the ribbon that at rest [m]."""
        return lambda xy: _lay_over(self.sample_heights(frame, xy), at_rest(xy))

    def follow(self, frame: int, place: Array) -> Array:
        """Return where the ground that is under a place in a frame is in all frames, (n, 3) [m].

        Args:
            frame: frame.
            place: shape (3,).
        """
        stations = self._measure_along(self.line[frame, :, :2])
        share = np.interp(self._measure_along(place[:2]), stations, np.arange(len(stations)))
        first = min(int(share), len(stations) - 2)
        rest = share - first
        return np.asarray((1 - rest) * self.line[:, first] + rest * self.line[:, first + 1])


def _lay_over(moving: Array, at_rest: Array) -> Array:
    """Return heights of moving ground, and those at rest where it is not [m]."""
    return np.where(np.isfinite(moving), moving, at_rest)


def make_height_function(motion: Motion, frame: int, at_rest: HeightFunction) -> HeightFunction:
    """Return the height of the ground at points (k, 2) in a frame [m].

    Args:
        motion: motion.
        frame: index of the frame.
        at_rest: height of the ground that is at rest.
    """
    surface = MovingSurface.from_motion(motion)
    return at_rest if surface is None else surface.make_height_function(frame, at_rest)


def make_lowest_height_function(motion: Motion, at_rest: HeightFunction) -> HeightFunction:
    """Return the lowest height of the ground over all frames, for pictures of many frames."""
    surface = MovingSurface.from_motion(motion)
    if surface is None:
        return at_rest
    lowest = surface.line[:1].copy()
    lowest[0, :, 2] = surface.line[..., 2].min(0)
    return MovingSurface(lowest, surface.width).make_height_function(0, at_rest)


def sample_contact_heights(motion: Motion, at_rest: HeightFunction) -> Array:
    """Return the height of the ground under all contact points, shape (n, c) [m]."""
    points = motion.contact_position[..., :2]
    height = at_rest(points.reshape(-1, 2)).reshape(points.shape[:2])
    surface = MovingSurface.from_motion(motion)
    return height if surface is None else surface.sample_all_frames(points, height)


def list_strays(motion: Motion, point: int, begin: int, end: int) -> Array:
    """Return how far a contact is from its mean place on the ground under it [m], (end - begin,).

    Args:
        motion: motion.
        point: index of the contact point.
        begin, end: frames during which it rests.
    """
    place = motion.contact_position[begin:end, point]
    surface = MovingSurface.from_motion(motion)
    if surface is not None:
        middle = (begin + end) // 2
        ground = surface.follow(middle, motion.contact_position[middle, point])
        place = place - ground[begin:end]
    return np.asarray(np.linalg.norm(place - place.mean(0), axis=1))
