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
HeightFunction = Callable[[Array], Array]

# [strides] standard deviation; leaves less than 1e-4 of what repeats every stride
SMOOTHING_STRIDES = 0.75
HUMAN_STRIDE_TIME = 1.1  # [s] at a leg of HUMAN_LEG, for a motion in which no foot strikes twice
HUMAN_LEG_LENGTH = 0.93  # [m]
MIN_CHORD_RATIO = 0.5  # chord over arc; a course with less is seen as it begins
MIN_ADVANCE = 0.1  # [leg lengths] along the path, below which the path's own direction counts


@dataclass(frozen=True)
class CourseCamera:
    """Where a camera on the mean course is at every frame, and the one direction that it keeps.

    Args:
        course_points: (n, 3) point of the mean course, on the smoothed ground [m].
        heading: of the course over the frames that are shown [rad].
    """

    course_points: Array
    heading: float

    def view_at(self, frame: int, azimuth: float, elevation: float) -> View:
        """Return the look at a frame's place; azimuth is against the heading [degree]."""
        return View(
            self.course_points[frame], self.heading + np.radians(azimuth), np.radians(elevation)
        )


def build_course_camera(
    motion: Motion, height: HeightFunction, frames: NDArray[np.int64]
) -> CourseCamera:
    """Return the camera for a strip of frames.

    Args:
        height: of the ground at places (n, 2) [m].
        frames: (k,) that are shown.
    """
    stride = estimate_stride_time(motion) * motion.fps
    course = _smooth_course(motion.com[:, :2], stride)
    ground = height(course)
    has_ground = np.isfinite(ground)
    if has_ground.any():  # over a gap the camera goes on from bank to bank
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
    """Return about the height of the centre of mass above the feet [m]."""
    com_heights = motion.com[:, 2] - motion.contact_position[..., 2].min(1)
    return max(float(np.median(com_heights)), 1e-3)


def _smooth_course(values: Array, stride: float) -> Array:
    """Return columns (n, k) without what repeats every stride [frames]; a steady advance stays."""
    count = len(values)
    # means over one stride at either end: what sways is in the middle of both
    window = max(min(round(stride), count // 2), 1)
    first = values[:window].mean(0)
    last = values[-window:].mean(0)
    slope = (last - first) / max(count - window, 1)
    trend = first + slope * (np.arange(count) - 0.5 * (window - 1))[:, None]
    return trend + gaussian_filter1d(
        values - trend, SMOOTHING_STRIDES * stride, axis=0, mode="reflect"
    )


def _compute_heading(motion: Motion, course: Array, first: int) -> float:
    """Return the path's direction along a stretch of the course (k, 2), or the body's [rad]."""
    segments = np.diff(motion.path, axis=0)
    if not np.any(segments):
        return float(so3.yaw_from_matrix(so3.quat_to_matrix(motion.link_orientation[first, 0])))
    begin, begin_segment = _project_onto_path(motion.path, course[0])
    end, _ = _project_onto_path(motion.path, course[-1])
    chord = end - begin
    arc = float(np.linalg.norm(np.diff(course, axis=0), axis=1).sum())
    if np.linalg.norm(chord) < max(
        MIN_ADVANCE * estimate_leg_length(motion), MIN_CHORD_RATIO * arc
    ):
        chord = segments[begin_segment]
    return float(np.arctan2(chord[1], chord[0]))


def _project_onto_path(path: Array, place: Array) -> tuple[Array, int]:
    """Return the point (2,) of a path that is nearest to a place (2,), and its side's number."""
    start = path[:-1]
    along = np.diff(path, axis=0)
    length = np.maximum((along**2).sum(1), 1e-12)
    share = np.clip(((place - start) * along).sum(1) / length, 0.0, 1.0)
    points = start + share[:, None] * along
    nearest = int(np.argmin(np.linalg.norm(points - place, axis=1)))
    return points[nearest], nearest
