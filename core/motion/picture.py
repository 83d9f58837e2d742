"""A picture of a motion: panorama, strip of frames, ground reaction forces and footprints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from ..geometry.units import HUMAN_LEG_LENGTH
from .canvas import create_figure, quantize_colors, simplify_axes
from .course_camera import HeightFunction, estimate_leg_length
from .ground_drawing import draw_ground_from_above
from .motion import Motion
from .panorama import draw_panorama, fit_panorama_bounds, select_frames
from .strip import (
    CELL_GAP,
    ROW_GAP,
    CellBounds,
    StripLayout,
    create_strip_axes,
    draw_strip,
    lay_out_strip,
)
from .view import MIDDLE_COLOR, RUNG_COLOR, select_side_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

# Sizes by eye: a picture as wide as the text of a page in documents, whose rows are read at that
# width; margins are those of the labels.
PICTURE_WIDTH = 13.8  # Width of the picture [inch]
SIDE_MARGINS = (0.62, 0.07)  # Left and right margin [inch]
TOP_MARGIN = 0.28  # Margin above the strip [inch]
PANORAMA_TOP = 0.06  # Margin above the panorama [inch]
PLOT_HEIGHT = 1.05  # Height of the plots of forces and of footprints [inch]
PLOT_GAP = 0.34  # Space for the axis labels below a plot [inch]
ROW_HEIGHT = 1.5  # Preferred height of a row of the strip [inch]
MAX_ROW_HEIGHT = 2.6  # Greatest height of a row of the strip [inch]
MAX_PANORAMA_HEIGHT = 2.9  # Greatest height of the panorama [inch]
MIN_PANORAMA_BODIES = 4  # Least number of bodies in a panorama; the strip shows fewer as well
# Frames of the strip for long and for upright bodies: as many as stand side by side.
MIN_STRIP_FRAMES = 8
MAX_STRIP_FRAMES = 12
# Duration of the strip at human leg length [s], one and a half strides: each foot is seen twice.
STRIP_DURATION = 1.6
PALETTE_SIZE = 96  # Number of colors of a .png: as few as show no bands, for small files


@dataclass(frozen=True)
class _PictureLayout:
    """Sizes of the parts of a picture.

    Args:
        strip: the strip of frames.
        scale: of the strip [inch/m].
        panorama: part of the world in the panorama.
        panorama_height: [inch].
        has_panorama: whether the body travels far enough for a panorama.
    """

    strip: StripLayout
    scale: float
    panorama: CellBounds
    panorama_height: float
    has_panorama: bool

    @property
    def strip_top(self) -> float:
        """Upper end of the strip from the top of the picture [inch]."""
        return TOP_MARGIN + (self.panorama_height + ROW_GAP if self.has_panorama else 0.0)

    @property
    def plots_top(self) -> float:
        """Upper end of the plots from the top of the picture [inch]."""
        rows = self.scale * sum(self.strip.row_heights) + ROW_GAP * len(self.strip.camera_angles)
        return self.strip_top + rows

    @property
    def total_height(self) -> float:
        """Height of the picture [inch]."""
        return self.plots_top + 2 * (PLOT_HEIGHT + PLOT_GAP)


def save_picture(
    motion: Motion,
    path: Path,
    height: HeightFunction,
    begin: float | None = None,
    end: float | None = None,
) -> None:
    """Draw a motion into a picture file.

    Args:
        height: of the ground at points (n, 2) [m].
        begin: of the strip [s]; by default the strip is in the middle of the motion.
        end: of the strip [s]; by default about a stride and a half after its beginning.

    Raises:
        MotionError: matplotlib is not installed, or the suffix is not that of a picture format.
    """
    create_figure(path, 1.0, 1.0, MotionError)  # raises errors before the layout is computed
    plot_width = PICTURE_WIDTH - sum(SIDE_MARGINS)
    layout = _lay_out_picture(motion, height, begin, end)
    figure = create_figure(path, PICTURE_WIDTH, layout.total_height, MotionError)

    def add_axes(top: float, height_inches: float) -> Axes:
        """Return axes of the full width at a distance from the top of the picture [inch]."""
        return figure.add_axes(
            (
                SIDE_MARGINS[0] / PICTURE_WIDTH,
                1.0 - (top + height_inches) / layout.total_height,
                plot_width / PICTURE_WIDTH,
                height_inches / layout.total_height,
            )
        )

    if layout.has_panorama:
        ax = add_axes(PANORAMA_TOP, layout.panorama_height)
        draw_panorama(ax, motion, layout.strip, bounds=layout.panorama, height=height)
    strip_axes = create_strip_axes(
        figure, layout.strip, layout.scale, left=SIDE_MARGINS[0], top=layout.strip_top
    )
    draw_strip(motion, strip_axes, layout.strip, height)
    _draw_forces(add_axes(layout.plots_top, PLOT_HEIGHT), motion)
    footprint_top = layout.plots_top + PLOT_HEIGHT + PLOT_GAP
    _draw_footprints(add_axes(footprint_top, PLOT_HEIGHT), motion, height)
    figure.savefig(path)
    if path.suffix.lower() == ".png":
        quantize_colors(path, PALETTE_SIZE)


def _lay_out_picture(
    motion: Motion, height: HeightFunction, begin: float | None, end: float | None
) -> _PictureLayout:
    plot_width = PICTURE_WIDTH - sum(SIDE_MARGINS)
    strip = lay_out_strip(motion, _choose_frames(motion, begin, end, MAX_STRIP_FRAMES), height)
    count = int(
        np.clip(
            round(plot_width / (ROW_HEIGHT * strip.cell_width / strip.row_heights[0])),
            MIN_STRIP_FRAMES,
            MAX_STRIP_FRAMES,
        )
    )
    if count < MAX_STRIP_FRAMES:
        strip = lay_out_strip(motion, _choose_frames(motion, begin, end, count), height)
    scale = (plot_width - (count - 1) * CELL_GAP) / count / strip.cell_width
    scale = min(scale, MAX_ROW_HEIGHT / max(strip.row_heights))
    strip = strip.with_width((plot_width - (count - 1) * CELL_GAP) / count / scale)
    panorama = fit_panorama_bounds(motion, strip)
    panorama_height = min(
        plot_width * (panorama.high - panorama.low) / (panorama.right - panorama.left),
        MAX_PANORAMA_HEIGHT,
    )
    panorama = panorama.with_width((panorama.high - panorama.low) * plot_width / panorama_height)
    # the bodies of a motion that hardly travels would overlap
    has_panorama = len(select_frames(motion, strip, panorama)) >= MIN_PANORAMA_BODIES
    return _PictureLayout(strip, scale, panorama, panorama_height, has_panorama)


def _choose_frames(
    motion: Motion, begin: float | None, end: float | None, count: int
) -> NDArray[np.int64]:
    """Return the indices of the frames of a strip (count,)."""
    length = (motion.frames - 1) / motion.fps
    span = min(STRIP_DURATION * np.sqrt(estimate_leg_length(motion) / HUMAN_LEG_LENGTH), length)
    begin = 0.5 * (length - span) if begin is None else begin
    end = begin + span if end is None else end
    if not 0 <= begin < end:
        raise MotionError(
            f"There is nothing to show from {begin:g} s to {end:g} s; the motion ends at "
            f"{length:.2f} s."
        )
    return np.clip(
        np.round(np.linspace(begin, end, count) * motion.fps), 0, motion.frames - 1
    ).astype(int)


def _draw_forces(ax: Axes, motion: Motion) -> None:
    """Draw the vertical force on each limb and their sum over time [body weight]."""
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
    """Draw soles, path, center of mass and ground from above."""
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
        # draw the middle line of a sole, without its corners, such as heel.L
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
    """Set limits that contain a rectangle, at the same scale of both axes."""
    box = ax.get_window_extent()
    scale = max((high[0] - low[0]) / box.width, (high[1] - low[1]) / box.height)
    middle = 0.5 * (low + high)
    ax.set_xlim(middle[0] - 0.5 * scale * box.width, middle[0] + 0.5 * scale * box.width)
    ax.set_ylim(middle[1] - 0.5 * scale * box.height, middle[1] + 0.5 * scale * box.height)
