"""One picture of a motion: its course, a strip of frames, forces of the ground, footprints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from .canvas import create_figure, quantize_colors, simplify_axes
from .course_camera import HUMAN_LEG_LENGTH, HeightFunction, estimate_leg_length
from .ground_drawing import draw_ground_from_above
from .motion import Motion
from .panorama import draw_panorama, fit_panorama_bounds, select_frames
from .strip import CELL_GAP, ROW_GAP, create_strip_axes, draw_strip, lay_out_strip
from .view import MIDDLE_COLOR, RUNG_COLOR, select_side_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

PICTURE_WIDTH = 13.8  # [inch] of the picture
SIDE_MARGINS = (0.62, 0.07)  # [inch] on the left and on the right
TOP_MARGIN = 0.28  # [inch] above the strip
PLOT_HEIGHT = 1.05  # [inch] height of the forces and of the footprints
PLOT_GAP = 0.34  # [inch] below each of them, for its numbers
ROW_HEIGHT = 1.5  # [inch] height that a row of the strip should have
MAX_ROW_HEIGHT = 2.6  # [inch]
MAX_PANORAMA_HEIGHT = 2.9  # [inch]
MIN_PANORAMA_BODIES = 4  # bodies; fewer say nothing that the strip does not
MIN_STRIP_FRAMES = 8  # frames of a strip, for long bodies
MAX_STRIP_FRAMES = 12  # and for upright ones
STRIP_DURATION = 1.6  # [s] that a strip shows, at leg lengths near a human's
PALETTE_SIZE = 96  # of a quantised picture


def save_picture(
    motion: Motion,
    path: Path,
    height: HeightFunction,
    begin: float | None = None,
    end: float | None = None,
) -> None:
    """Draw a motion into a picture file.

    Args:
        height: of the ground at places (n, 2).
        begin, end: the part that the strip shows, s; a stride and a half in the middle unless told.

    Raises:
        MotionError: matplotlib is not installed, or the picture's ending names no kind of picture.
    """
    create_figure(path, 1.0, 1.0, MotionError)  # says what is wrong before anything is laid out
    plot_width = PICTURE_WIDTH - sum(SIDE_MARGINS)
    layout = lay_out_strip(motion, _choose_frames(motion, begin, end, MAX_STRIP_FRAMES), height)
    count = int(
        np.clip(
            round(plot_width / (ROW_HEIGHT * layout.cell_width / layout.row_heights[0])),
            MIN_STRIP_FRAMES,
            MAX_STRIP_FRAMES,
        )
    )
    if count < MAX_STRIP_FRAMES:
        layout = lay_out_strip(motion, _choose_frames(motion, begin, end, count), height)
    scale = (plot_width - (count - 1) * CELL_GAP) / count / layout.cell_width  # [inch/m]
    scale = min(scale, MAX_ROW_HEIGHT / max(layout.row_heights))
    layout = layout.with_width((plot_width - (count - 1) * CELL_GAP) / count / scale)
    panorama_bounds = fit_panorama_bounds(motion, layout)
    panorama_height = min(
        plot_width
        * (panorama_bounds.high - panorama_bounds.low)
        / (panorama_bounds.right - panorama_bounds.left),
        MAX_PANORAMA_HEIGHT,
    )
    panorama_bounds = panorama_bounds.with_width(
        (panorama_bounds.high - panorama_bounds.low) * plot_width / panorama_height
    )
    # a body that hardly travels would stand in its own light
    panorama_space = (
        panorama_height + ROW_GAP
        if len(select_frames(motion, layout, panorama_bounds)) >= MIN_PANORAMA_BODIES
        else 0.0
    )
    strip_height = scale * sum(layout.row_heights) + ROW_GAP * len(layout.camera_angles)
    total_height = TOP_MARGIN + panorama_space + strip_height + 2 * (PLOT_HEIGHT + PLOT_GAP)
    figure = create_figure(path, PICTURE_WIDTH, total_height, MotionError)

    def add_axes(left: float, top: float, width: float, height_inches: float) -> Axes:
        """Return axes at a place from the picture's upper left corner [inch]."""
        return figure.add_axes(
            (
                left / PICTURE_WIDTH,
                1.0 - (top + height_inches) / total_height,
                width / PICTURE_WIDTH,
                height_inches / total_height,
            )
        )

    if panorama_space:
        draw_panorama(
            add_axes(SIDE_MARGINS[0], 0.06, plot_width, panorama_height),
            motion,
            layout,
            bounds=panorama_bounds,
            height=height,
        )
    draw_strip(
        motion,
        create_strip_axes(
            figure, layout, scale, left=SIDE_MARGINS[0], top=TOP_MARGIN + panorama_space
        ),
        layout,
        height,
    )
    top = TOP_MARGIN + panorama_space + strip_height
    _draw_forces(add_axes(SIDE_MARGINS[0], top, plot_width, PLOT_HEIGHT), motion)
    _draw_footprints(
        add_axes(SIDE_MARGINS[0], top + PLOT_HEIGHT + PLOT_GAP, plot_width, PLOT_HEIGHT),
        motion,
        height,
    )
    figure.savefig(path)
    if path.suffix.lower() == ".png":
        quantize_colors(path, PALETTE_SIZE)


def _choose_frames(
    motion: Motion, begin: float | None, end: float | None, count: int
) -> NDArray[np.int64]:
    """Return the frames of a strip. (count,)."""
    length = (motion.frames - 1) / motion.fps
    span = min(STRIP_DURATION * np.sqrt(estimate_leg_length(motion) / HUMAN_LEG_LENGTH), length)
    begin = 0.5 * (length - span) if begin is None else begin
    end = begin + span if end is None else end
    if not 0 <= begin < end:
        raise MotionError(
            f"There is nothing to show from {begin:g} s to {end:g} s; the motion lasts "
            f"{length:.2f} s."
        )
    return np.clip(
        np.round(np.linspace(begin, end, count) * motion.fps), 0, motion.frames - 1
    ).astype(int)


def _draw_forces(ax: Axes, motion: Motion) -> None:
    """Vertical force on each limb and in all, in body weights, over time."""
    time = np.arange(motion.frames) / motion.fps
    weight = motion.link_mass.sum() * np.linalg.norm(motion.gravity)
    for limb in dict.fromkeys(motion.contact_limb):
        limb_points = [k for k, name in enumerate(motion.contact_limb) if name == limb]
        ax.plot(
            time,
            motion.contact_force[:, limb_points, 2].sum(1) / weight,
            color=select_side_color(limb),
            linewidth=1,
        )
    ax.plot(time, motion.contact_force[..., 2].sum(1) / weight, color=MIDDLE_COLOR, linewidth=0.7)
    ax.set_ylabel("force, weights", fontsize=7)
    ax.set_xlabel("s", fontsize=7, labelpad=-2)
    ax.set_xlim(0, time[-1])
    simplify_axes(ax)


def _draw_footprints(ax: Axes, motion: Motion, height: HeightFunction) -> None:
    """Draw soles, path, centre of mass and ground seen from above."""
    places = np.concatenate([motion.com[:, None, :2], motion.contact_position[..., :2]], 1)
    low = places.min((0, 1))
    high = places.max((0, 1))
    margin = 0.2 * estimate_leg_length(motion)
    if len(motion.path):
        ax.plot(*motion.path.T, color="#bbbbbb", linewidth=3, zorder=0)
    ax.plot(*motion.com[:, :2].T, color=MIDDLE_COLOR, linewidth=0.8)
    limbs = list(dict.fromkeys(motion.contact_limb))
    ax.plot(*motion.rungs.transpose(2, 1, 0)[:2], color=RUNG_COLOR, linewidth=1.5, zorder=0.5)
    for step in motion.footsteps:
        if step.grip:
            ax.plot(*step.position[:2], "o", color=select_side_color(limbs[step.leg]), markersize=4)
            continue
        # corners of soles, such as heel.L, say nothing that their middle lines do not
        limb_points = [
            k
            for k, limb in enumerate(motion.contact_limb)
            if limb == limbs[step.leg] and "." not in motion.contact_names[k].split("/")[1]
        ]
        k = int(np.clip(round(step.time * motion.fps), 0, motion.frames - 1))
        if abs(step.time * motion.fps - k) <= 1:
            sole = motion.contact_position[k, limb_points, :2]
            color = select_side_color(limbs[step.leg])
            if len(limb_points) == 1:
                ax.plot(*sole.T, "o", color=color, markersize=3)
            ax.plot(*sole.T, color=color, linewidth=3.5, solid_capstyle="round")
    for ends in motion.hurdles:
        ax.plot(*ends[:, :2].T, color=RUNG_COLOR, linewidth=1.5, zorder=0.5)
    _fit_limits(ax, low - margin, high + margin)
    draw_ground_from_above(ax, height)
    ax.set_ylabel("from above, m", fontsize=7)
    simplify_axes(ax)


def _fit_limits(ax: Axes, low: Array, high: Array) -> None:
    """Limits that hold a rectangle and keep both axes alike in the room that there is."""
    box = ax.get_window_extent()
    scale = max((high[0] - low[0]) / box.width, (high[1] - low[1]) / box.height)
    middle = 0.5 * (low + high)
    ax.set_xlim(middle[0] - 0.5 * scale * box.width, middle[0] + 0.5 * scale * box.width)
    ax.set_ylim(middle[1] - 0.5 * scale * box.height, middle[1] + 0.5 * scale * box.height)
