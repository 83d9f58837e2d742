"""A camera that follows the smoothed course of a motion, without sway and bob of the body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..geometry import so3
from ..geometry.units import HUMAN_LEG_LENGTH
from .motion import Motion
from .view import View

Array = NDArray[np.float64]
HeightFunction = Callable[[Array], Array]

# Standard deviation of the smoothing [stride]; it leaves less than 1e-4 of a cyclic motion
SMOOTHING_STRIDES = 0.75
# Stride time at human leg length, for motions in which no foot strikes twice [s]
HUMAN_STRIDE_TIME = 1.1
# Least chord over arc length of a course whose heading is that of its chord, else of its beginning
MIN_CHORD_RATIO = 0.5
MIN_ADVANCE = 0.1  # Least chord of a course whose heading is that of its chord [leg length]


@dataclass(frozen=True)
class CourseCamera:
    """Position of the camera in each frame, and its constant direction.

    Args:
        course_points: (n, 3) points of the smoothed course on the smoothed ground [m].
        heading: of the course over the frames of the picture [rad].
    """

    course_points: Array
    heading: float

    def view_at(self, frame: int, azimuth: float, elevation: float) -> View:
        """Return the view in a frame, at an azimuth from the heading and an elevation [deg]."""
        return View(
            self.course_points[frame], self.heading + np.radians(azimuth), np.radians(elevation)
        )


def build_course_camera(
    motion: Motion, height: HeightFunction, frames: NDArray[np.int64]
) -> CourseCamera:
    """Return the camera for a strip of frames.

    Args:
        height: of the ground at places (n, 2) [m].
        frames: (k,) of the strip.
    """
    stride = estimate_stride_time(motion) * motion.fps
    course = _smooth_course(motion.com[:, :2], stride)
    ground = height(course)
    has_ground = np.isfinite(ground)
    if has_ground.any():  # over a gap, interpolate between its edges
        ground = np.interp(np.arange(len(ground)), np.flatnonzero(has_ground), ground[has_ground])
    else:
        ground = motion.contact_position[..., 2].min(1)
    course_points = np.column_stack([course, _smooth_course(ground[:, None], stride)])
    return CourseCamera(
        course_points, _compute_heading(motion, course[frames[0] : frames[-1] + 1], int(frames[0]))
    )


def estimate_stride_time(motion: Motion) -> float:
    """Return the median time from a strike of a limb to its next [s]."""
    strikes: dict[int, list[float]] = {}
    for step in motion.footsteps:
        strikes.setdefault(step.leg, []).append(step.strike)
    intervals = [gap for times in strikes.values() for gap in np.diff(sorted(times))]
    if intervals:
        return float(np.median(intervals))
    return HUMAN_STRIDE_TIME * float(np.sqrt(estimate_leg_length(motion) / HUMAN_LEG_LENGTH))


def estimate_leg_length(motion: Motion) -> float:
    """Return the median height of the center of mass above the feet [m]."""
    com_heights = motion.com[:, 2] - motion.contact_position[..., 2].min(1)
    return max(float(np.median(com_heights)), 1e-3)


def _smooth_course(values: Array, stride: float) -> Array:
    """Return columns (n, k) without motion that repeats every stride [frame]."""
    count = len(values)
    # means over one stride at either end, in which sway cancels out
    window = max(min(round(stride), count // 2), 1)
    first = values[:window].mean(0)
    last = values[-window:].mean(0)
    slope = (last - first) / max(count - window, 1)
    trend = first + slope * (np.arange(count) - 0.5 * (window - 1))[:, None]
    return trend + gaussian_filter1d(
        values - trend, SMOOTHING_STRIDES * stride, axis=0, mode="reflect"
    )


def _compute_heading(motion: Motion, course: Array, first: int) -> float:
    """Return the heading of the path along a course (k, 2), else of the body [rad]."""
    segments = np.diff(motion.path, axis=0)
    if not np.any(segments):
        return float(so3.yaw_from_matrix(so3.quat_to_matrix(motion.link_orientation[first, 0])))
    begin = _project_onto_path(motion.path, course[0])
    chord = _project_onto_path(motion.path, course[-1]).point - begin.point
    arc = float(np.linalg.norm(np.diff(course, axis=0), axis=1).sum())
    if np.linalg.norm(chord) < max(
        MIN_ADVANCE * estimate_leg_length(motion), MIN_CHORD_RATIO * arc
    ):
        chord = segments[begin.segment]
    return float(np.arctan2(chord[1], chord[0]))


@dataclass(frozen=True)
class _PathPoint:
    """A point (2,) of a path [m], and the index of its segment."""

    point: Array
    segment: int


def _project_onto_path(path: Array, place: Array) -> _PathPoint:
    """Return the nearest point of a path to a point (2,)."""
    start = path[:-1]
    along = np.diff(path, axis=0)
    length = np.maximum((along**2).sum(1), 1e-12)
    share = np.clip(((place - start) * along).sum(1) / length, 0.0, 1.0)
    points = start + share[:, None] * along
    nearest = int(np.argmin(np.linalg.norm(points - place, axis=1)))
    return _PathPoint(points[nearest], nearest)
