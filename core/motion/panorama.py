"""A panorama: bodies along the ground and their trails, by a fixed camera from the side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .body_drawing import draw_figure, locate_head, measure_body_extent
from .course_camera import HeightFunction, estimate_stride_time
from .ground_drawing import GroundMark, compute_pixel_size, draw_ground
from .motion import Motion
from .scenery import (
    build_footprint_marks,
    build_link_marks,
    build_path_marks,
    build_shadow_marks,
    draw_hurdles,
    draw_rungs,
)
from .strip import BODY_MARGIN, LABEL_COLOR, SIDE, TRAIL_COLOR, CellBounds, StripLayout
from .surface import make_lowest_height_function
from .view import View, select_side_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

# Least width of the panorama [body height], with place for `MIN_PANORAMA_BODIES` of `picture`
MIN_WIDTH_RATIO = 5.0
MAX_WIDTH_RATIO = 10.5  # Greatest width, beyond which bodies would be too small [body height]
# Greatest overlap of two bodies [body height]: a hand or a foot, which hides no limb
MAX_BODY_OVERLAP = 0.06


def build_panorama_view(layout: StripLayout) -> View:
    """Return the view from the side at the middle of the strip."""
    return layout.camera.view_at(
        int(layout.frames[len(layout.frames) // 2]), SIDE.azimuth, SIDE.elevation
    )


def fit_panorama_bounds(motion: Motion, layout: StripLayout) -> CellBounds:
    """Return the part of the world in the panorama, centered on the strip if possible."""
    view = build_panorama_view(layout)
    course = view.project(layout.camera.course_points).coordinates
    # long bodies need more width
    size = 0.5 * (layout.body_height + max(layout.body_height, layout.cell_width))
    width = float(
        np.clip(
            np.ptp(course[:, 0]) + layout.cell_width, MIN_WIDTH_RATIO * size, MAX_WIDTH_RATIO * size
        )
    )
    middle = 0.5 * (course[layout.frames[0], 0] + course[layout.frames[-1], 0])
    min_middle = course[:, 0].min() + 0.5 * (width - layout.cell_width)
    max_middle = course[:, 0].max() - 0.5 * (width - layout.cell_width)
    # keep the panorama within the course of the motion
    middle = (
        float(np.clip(middle, min_middle, max_middle))
        if min_middle < max_middle
        else 0.5 * float(min_middle + max_middle)
    )
    inside = np.flatnonzero(np.abs(course[:, 0] - middle) < 0.5 * width)
    extents = [measure_body_extent(motion, int(k), view) for k in inside[::4]]
    low = min(*(float(extent.low[1]) for extent in extents), float(course[inside, 1].min()))
    high = max(float(extent.high[1]) for extent in extents)
    return CellBounds(
        middle - 0.5 * width,
        middle + 0.5 * width,
        low - layout.ground_depth,
        high + 2 * BODY_MARGIN * layout.body_height,
    )


def draw_panorama(
    ax: Axes, motion: Motion, layout: StripLayout, bounds: CellBounds, height: HeightFunction
) -> None:
    """Draw bodies side by side, with the trails of head, pelvis and feet."""
    view = build_panorama_view(layout)
    chosen_frames = select_frames(motion, layout, bounds)
    window = layout.build_window(bounds, SIDE, compute_pixel_size(ax, bounds.right - bounds.left))
    marks: list[GroundMark] = [
        *build_link_marks(motion, 0),
        *build_path_marks(motion),
        *build_footprint_marks(motion, np.inf),
    ]
    for k in chosen_frames:
        marks += build_shadow_marks(motion, k)
    surface = make_lowest_height_function(motion, height)
    draw_ground(ax, surface, view, window=window, marks=marks)
    _draw_trails(ax, motion, view, bounds)
    draw_rungs(ax, motion, view, window)
    draw_hurdles(
        ax, motion, height, view=view, window=window, body=motion.com[int(layout.frames[0])]
    )
    for k in chosen_frames:
        draw_figure(ax, motion, k, view)
        extent = measure_body_extent(motion, k, view)
        middle = 0.5 * float(extent.low[0] + extent.high[0])
        ax.text(
            middle,
            extent.high[1] + 0.3 * BODY_MARGIN * layout.body_height,
            f"{k / motion.fps:.1f} s",
            fontsize=5.5,
            ha="center",
            va="bottom",
            color=LABEL_COLOR,
        )
    ax.set_xlim(bounds.left, bounds.right)
    ax.set_ylim(bounds.low, bounds.high)
    ax.axis("off")


def select_frames(motion: Motion, layout: StripLayout, bounds: CellBounds) -> list[int]:
    """Return frames in the order of time in which bodies hardly overlap.

    They are odd multiples of an eighth of a stride apart; at a constant phase of the stride they
    would all show the same pose.
    """
    view = build_panorama_view(layout)
    eighth = estimate_stride_time(motion) * motion.fps / 8
    chosen_frames: list[int] = []
    occupied: list[tuple[float, float]] = []
    first = 0
    step = 0
    while (k := round(first + step * eighth)) < motion.frames:
        extent = measure_body_extent(motion, k, view)
        left_end = float(extent.low[0])
        right_end = float(extent.high[0])
        fits = left_end > bounds.left and right_end < bounds.right
        overlap = MAX_BODY_OVERLAP * layout.body_height
        if fits and all(
            right_end - overlap < left or left_end + overlap > right for left, right in occupied
        ):
            chosen_frames.append(k)
            occupied.append((left_end, right_end))
            first = k
            step = -1  # so that the next is one eighth later
        step += 2 if chosen_frames else 1
    return chosen_frames


def _draw_trails(ax: Axes, motion: Motion, view: View, bounds: CellBounds) -> None:
    """Draw the trails of head, pelvis and the middle of every sole."""
    trails: list[tuple[Array, str, float]] = [
        (locate_head(motion), TRAIL_COLOR, 0.7),
        (motion.link_position[:, 0], TRAIL_COLOR, 0.7),
    ]
    for limb in dict.fromkeys(motion.contact_limb):
        points = np.array([name == limb for name in motion.contact_limb])
        trails.append((motion.contact_position[:, points].mean(1), select_side_color(limb), 0.5))
    for places, color, width in trails:
        projected = view.project(places).coordinates
        is_shown = (projected[:, 0] > bounds.left) & (projected[:, 0] < bounds.right)
        projected[~is_shown] = np.nan
        ax.plot(*projected.T, color=color, linewidth=width, alpha=0.75, zorder=1)
