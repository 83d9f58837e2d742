"""A strip of frames by a camera that follows the course, drawn with matplotlib."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .body_drawing import draw_figure, locate_head, measure_body_extent
from .course_camera import CourseCamera, HeightFunction, build_course_camera
from .ground_drawing import GroundWindow, choose_grid_step, compute_pixel_size, draw_ground
from .motion import Motion
from .scenery import (
    build_footprint_marks,
    build_link_marks,
    build_path_marks,
    build_shadow_marks,
    draw_hurdles,
    draw_push,
    draw_rungs,
)
from .surface import make_height_function
from .view import MIDDLE_COLOR, View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

# Sizes and colors by eye, relative to the body so that every body fills its cell.
BODY_MARGIN = 0.05  # Margin around the body [body height]
GROUND_DEPTH = 0.06  # Depth of the picture below the lowest ground [body size]
WATER_DEPTH = 0.05  # Depth of the water in gaps [body size]
# Size of a body that is longer than high [cell width]
LONG_BODY_SHARE = 0.6
GAP_SEARCH_RADIUS = 0.4  # Distance from the course within which gaps are detected [body size]
MAX_GRID_STEP = 0.35  # Greatest distance between lines of the grid [body size]
CELL_GAP = 0.035  # Distance between cells [inch]
ROW_GAP = 0.16  # Distance between rows [inch]
LABEL_COLOR = "#555555"
TRAIL_COLOR = "#6f6f6f"


@dataclass(frozen=True)
class CameraAngle:
    """One row of a strip.

    Args:
        name: of the row.
        azimuth: from the course; -90 is a view from its right side [deg].
        elevation: [deg].
        near, far: extent of the ground toward the viewer and behind the body [body size].
    """

    name: str
    azimuth: float
    elevation: float
    near: float
    far: float


SIDE = CameraAngle("side", azimuth=-90.0, elevation=6.0, near=0.3, far=0.45)
FRONT = CameraAngle("front", azimuth=0.0, elevation=6.0, near=0.2, far=0.9)
PERSPECTIVE = CameraAngle("perspective", azimuth=-48.0, elevation=20.0, near=0.4, far=0.6)
CAMERA_ANGLES = (SIDE, FRONT, PERSPECTIVE)


@dataclass(frozen=True)
class CellBounds:
    """Limits of the cells of a row in picture coordinates [m]."""

    left: float
    right: float
    low: float
    high: float

    def with_width(self, width: float) -> CellBounds:
        """Return the limits with another width and the same middle [m]."""
        middle = 0.5 * (self.left + self.right)
        return replace(self, left=middle - 0.5 * width, right=middle + 0.5 * width)


@dataclass(frozen=True)
class StripLayout:
    """The layout of a strip of frames.

    Args:
        camera: of all cells.
        frames: (k,) frame of each column.
        camera_angles: of each row.
        cells: limits of the cells of each row, all of the same width.
        body_height: height of the body [m].
        has_gaps: whether the ground near the course has gaps.
    """

    camera: CourseCamera
    frames: NDArray[np.int64]
    camera_angles: tuple[CameraAngle, ...]
    cells: tuple[CellBounds, ...]
    body_height: float
    has_gaps: bool

    def with_width(self, width: float) -> StripLayout:
        """Return the layout with another width of the cells [m]."""
        return replace(self, cells=tuple(cell.with_width(width) for cell in self.cells))

    def build_window(
        self, cell: CellBounds, camera_angle: CameraAngle, pixel: float
    ) -> GroundWindow:
        """Return the part of the ground in a cell, with pixels of a size [m]."""
        shown_heights = self.camera.course_points[self.frames[0] : self.frames[-1] + 1, 2]
        return GroundWindow(
            cell.left,
            cell.right,
            cell.low,
            cell.high,
            near=camera_angle.near * self.body_size,
            far=camera_angle.far * self.body_size,
            pixel=pixel,
            heading=self.camera.heading,
            grid=choose_grid_step(MAX_GRID_STEP * self.body_size),
            floor=float(shown_heights.min()) - WATER_DEPTH * self.body_size,
        )

    @property
    def body_size(self) -> float:
        """Scale of ground and margins [m]."""
        return max(self.body_height, LONG_BODY_SHARE * self.cell_width)

    @property
    def ground_depth(self) -> float:
        """Depth of the picture below the lowest ground [m]."""
        return (GROUND_DEPTH + (WATER_DEPTH if self.has_gaps else 0.0)) * self.body_size

    @property
    def cell_width(self) -> float:
        """Width of a cell [m]."""
        return self.cells[0].right - self.cells[0].left

    @property
    def row_heights(self) -> tuple[float, ...]:
        """Height of each row [m]."""
        return tuple(cell.high - cell.low for cell in self.cells)


def measure_body_height(motion: Motion) -> float:
    """Return the height of the moving body [m]."""
    low = np.minimum(motion.contact_position[..., 2].min(1), motion.link_position[..., 2].min(1))
    return 1.1 * float(np.percentile(motion.link_position[..., 2].max(1) - low, 95))


def lay_out_strip(
    motion: Motion,
    frames: NDArray[np.int64],
    height: HeightFunction,
    camera_angles: tuple[CameraAngle, ...] = CAMERA_ANGLES,
) -> StripLayout:
    """Return the layout of a strip, with cells that just contain the body in all frames."""
    camera = build_course_camera(motion, height, frames)
    measured_height = measure_body_height(motion)
    limits = []
    for camera_angle in camera_angles:
        extents = [
            measure_body_extent(
                motion,
                int(k),
                camera.view_at(int(k), camera_angle.azimuth, camera_angle.elevation),
            )
            for k in frames
        ]
        low = np.min([extent.low for extent in extents], 0) - BODY_MARGIN * measured_height
        high = np.max([extent.high for extent in extents], 0) + BODY_MARGIN * measured_height
        limits.append((low[0], high[0], min(low[1], 0.0), high[1]))
    width = max(right - left for left, right, _, _ in limits)
    cells = tuple(CellBounds(*limit).with_width(width) for limit in limits)
    layout = StripLayout(
        camera, frames, camera_angles, cells=cells, body_height=measured_height, has_gaps=False
    )
    search_offsets = (
        GAP_SEARCH_RADIUS
        * layout.body_size
        * np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    )
    positions = camera.course_points[frames, None, :2] + search_offsets
    layout = replace(layout, has_gaps=bool(np.isnan(height(positions.reshape(-1, 2))).any()))
    return replace(
        layout, cells=tuple(replace(cell, low=cell.low - layout.ground_depth) for cell in cells)
    )


def create_strip_axes(
    figure: Figure, layout: StripLayout, scale: float, left: float, top: float
) -> NDArray[np.object_]:
    """Return axes for the cells of a strip (rows, columns).

    Args:
        scale: of the picture [inch/m].
        left, top: of the strip, from the upper left corner of the figure [inch].
    """
    figure_width, figure_height = figure.get_size_inches()
    cell_width = scale * layout.cell_width
    axes = np.empty((len(layout.camera_angles), len(layout.frames)), object)
    for row, row_height in enumerate(layout.row_heights):
        for column in range(len(layout.frames)):
            rectangle = (
                left + column * (cell_width + CELL_GAP),
                figure_height - top - scale * row_height,
                cell_width,
                scale * row_height,
            )
            axes[row, column] = figure.add_axes(
                (
                    rectangle[0] / figure_width,
                    rectangle[1] / figure_height,
                    rectangle[2] / figure_width,
                    rectangle[3] / figure_height,
                )
            )
        top += scale * row_height + ROW_GAP
    return axes


def draw_strip(
    motion: Motion, axes: NDArray[np.object_], layout: StripLayout, height: HeightFunction
) -> None:
    """Draw the cells of a strip.

    Args:
        axes: (rows, columns) of matplotlib axes.
        height: of the ground at points (n, 2) [m].
    """
    for row, (camera_angle, cell) in enumerate(
        zip(layout.camera_angles, layout.cells, strict=True)
    ):
        for column, k in enumerate(layout.frames):
            ax: Axes = axes[row, column]
            view = layout.camera.view_at(int(k), camera_angle.azimuth, camera_angle.elevation)
            window = layout.build_window(
                cell, camera_angle, compute_pixel_size(ax, layout.cell_width)
            )
            marks = [
                *build_link_marks(motion, int(k)),
                *build_path_marks(motion),
                *build_footprint_marks(motion, k / motion.fps),
                *build_shadow_marks(motion, int(k)),
            ]
            surface = make_height_function(motion, int(k), height)
            draw_ground(ax, surface, view, window=window, marks=marks)
            _draw_trails(ax, motion, layout.frames, view)
            draw_rungs(ax, motion, view, window)
            draw_hurdles(ax, motion, height, view=view, window=window, body=motion.com[k])
            draw_figure(ax, motion, int(k), view)
            draw_push(ax, motion, int(k), view)
            ax.set_xlim(cell.left, cell.right)
            ax.set_ylim(cell.low, cell.high)
            ax.axis("off")
            if row == 0:
                ax.set_title(f"{k / motion.fps:.2f} s", fontsize=7, pad=2, color=LABEL_COLOR)
        axes[row, 0].annotate(
            camera_angle.name,
            (0.0, 0.5),
            (-6, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            rotation=90,
            fontsize=7,
            ha="right",
            va="center",
            color=LABEL_COLOR,
        )


def _draw_trails(ax: Axes, motion: Motion, frames: NDArray[np.int64], view: View) -> None:
    """Draw the trails of head and pelvis over the frames of the strip."""
    shown = slice(int(frames[0]), int(frames[-1]) + 1)
    for trail in (locate_head(motion)[shown], motion.link_position[shown, 0]):
        projected = view.project(trail).coordinates
        ax.plot(*projected.T, color=TRAIL_COLOR, linewidth=0.5, alpha=0.7, zorder=1)
    ax.axvline(0.0, color=MIDDLE_COLOR, linewidth=0.5, linestyle=(0, (2, 3)), zorder=0.5)
