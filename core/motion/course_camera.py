"""A camera that is locked to the course of a motion and not to its body, which may sway and bob."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..geometry import so3
from .motion import Motion
from .view import View

Array = NDArray[np.float64]
Height = Callable[[Array], Array]

SMOOTHING = 0.75  # [strides] standard deviation; leaves less than 1e-4 of what repeats every stride
HUMAN_STRIDE = 1.1  # [s] at a leg of HUMAN_LEG, for a motion in which no foot strikes twice
HUMAN_LEG = 0.93  # [m]
TURNS_BACK = 0.5  # chord over arc; a course with less is seen as it begins
ADVANCE = 0.1  # [leg lengths] along the path, below which the path's own direction counts


@dataclass(frozen=True)
class CourseCamera:
    """Where a camera on the mean course is at every frame, and the one direction that it keeps.

    Args:
        place: (n, 3) point of the mean course, on the smoothed ground [m].
        heading: of the course over the frames that are shown [rad].
    """

    place: Array
    heading: float

    def view(self, frame: int, azimuth: float, elevation: float) -> View:
        """Return the look at a frame's place; azimuth is against the heading [degree]."""
        return View(self.place[frame], self.heading + np.radians(azimuth), np.radians(elevation))


def course_camera(motion: Motion, height: Height, frames: NDArray[np.int64]) -> CourseCamera:
    """Return the camera for a strip of frames.

    Args:
        height: of the ground at places (n, 2) [m].
        frames: (k,) that are shown.
    """
    stride = stride_time(motion) * motion.fps
    course = _smooth(motion.com[:, :2], stride)
    ground = height(course)
    there = np.isfinite(ground)
    if there.any():  # over a gap the camera goes on from bank to bank
        ground = np.interp(np.arange(len(ground)), np.flatnonzero(there), ground[there])
    else:
        ground = motion.contact_position[..., 2].min(1)
    place = np.column_stack([course, _smooth(ground[:, None], stride)])
    return CourseCamera(place, _heading(motion, course[frames[0] : frames[-1] + 1], int(frames[0])))


def stride_time(motion: Motion) -> float:
    """Return the median time from a strike of a limb to its next [s]."""
    strikes: dict[int, list[float]] = {}
    for step in motion.footsteps:
        strikes.setdefault(step.leg, []).append(step.strike)
    between = [gap for times in strikes.values() for gap in np.diff(sorted(times))]
    if between:
        return float(np.median(between))
    return HUMAN_STRIDE * float(np.sqrt(leg_length(motion) / HUMAN_LEG))


def leg_length(motion: Motion) -> float:
    """Return about the height of the centre of mass above the feet [m]."""
    above = motion.com[:, 2] - motion.contact_position[..., 2].min(1)
    return max(float(np.median(above)), 1e-3)


def _smooth(values: Array, stride: float) -> Array:
    """Return columns (n, k) without what repeats every stride [frames]; a steady advance stays."""
    count = len(values)
    # means over one stride at either end: what sways is in the middle of both
    window = max(min(round(stride), count // 2), 1)
    first = values[:window].mean(0)
    last = values[-window:].mean(0)
    slope = (last - first) / max(count - window, 1)
    trend = first + slope * (np.arange(count) - 0.5 * (window - 1))[:, None]
    return trend + gaussian_filter1d(values - trend, SMOOTHING * stride, axis=0, mode="reflect")


def _heading(motion: Motion, course: Array, first: int) -> float:
    """Return the path's direction along a stretch of the course (k, 2), or the body's [rad]."""
    sides = np.diff(motion.path, axis=0)
    if not np.any(sides):
        return float(so3.yaw_of(so3.quat_to_matrix(motion.link_orientation[first, 0])))
    begin, begin_side = _on_path(motion.path, course[0])
    end, _ = _on_path(motion.path, course[-1])
    chord = end - begin
    arc = float(np.linalg.norm(np.diff(course, axis=0), axis=1).sum())
    if np.linalg.norm(chord) < max(ADVANCE * leg_length(motion), TURNS_BACK * arc):
        chord = sides[begin_side]
    return float(np.arctan2(chord[1], chord[0]))


def _on_path(path: Array, place: Array) -> tuple[Array, int]:
    """Return the point (2,) of a path that is nearest to a place (2,), and its side's number."""
    start = path[:-1]
    along = np.diff(path, axis=0)
    length = np.maximum((along**2).sum(1), 1e-12)
    share = np.clip(((place - start) * along).sum(1) / length, 0.0, 1.0)
    points = start + share[:, None] * along
    nearest = int(np.argmin(np.linalg.norm(points - place, axis=1)))
    return points[nearest], nearest
