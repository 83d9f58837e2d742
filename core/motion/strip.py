"""A strip of frames by a camera that is locked to the course. Needs matplotlib."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .body_drawing import body_extent, draw_figure, head_centres
from .course_camera import CourseCamera, Height, course_camera
from .ground_drawing import Window, draw_ground, nice_step, pixel_size
from .motion import Motion
from .scenery import draw_hurdles, draw_push, draw_rungs, footprint_marks, path_marks, shadow_marks
from .view import MIDDLE, View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

MARGIN = 0.05  # around the body, of its height
SOIL = 0.06  # that a picture shows below the lowest ground, of the body's size
WATER = 0.05  # that gaps are deep, of the body's size
LONG = 0.6  # share of a cell's width that counts as the size of a body that is longer than high
AROUND = 0.4  # how far around the course gaps are looked for, of the body's size
GRID = 0.35  # between two lines of the ground at most, of the body's size
SEAM = 0.035  # between two cells [inch]
BETWEEN_ROWS = 0.16  # [inch]
LABEL = "#555555"
TRAIL = "#6f6f6f"


@dataclass(frozen=True)
class Look:
    """One row of a strip.

    Args:
        name: of the row.
        azimuth: against the course, -90 from its right side [degree].
        elevation: [degree].
        near, far: reach of the ground to the viewer and behind the body, in sizes of the body.
    """

    name: str
    azimuth: float
    elevation: float
    near: float
    far: float


SIDE = Look("side", azimuth=-90.0, elevation=6.0, near=0.3, far=0.45)
FRONT = Look("front", azimuth=0.0, elevation=6.0, near=0.2, far=0.9)
PERSPECTIVE = Look("perspective", azimuth=-48.0, elevation=20.0, near=0.4, far=0.6)
LOOKS = (SIDE, FRONT, PERSPECTIVE)


@dataclass(frozen=True)
class Frame:
    """What each cell of a row shows around the camera's place [m]."""

    left: float
    right: float
    low: float
    high: float

    def widened(self, width: float) -> Frame:
        """Return the frame at a width, with the same middle [m]."""
        middle = 0.5 * (self.left + self.right)
        return replace(self, left=middle - 0.5 * width, right=middle + 0.5 * width)


@dataclass(frozen=True)
class Layout:
    """A strip of frames as it is drawn.

    Args:
        camera: of all cells.
        frames: (k,) numbers of the motion's frames, a column each.
        looks: a row each.
        cells: (rows,) what each row's cells show; all are of one width.
        tall: height of the body [m].
        gaps: whether there is ground with gaps near it.
    """

    camera: CourseCamera
    frames: NDArray[np.int64]
    looks: tuple[Look, ...]
    cells: tuple[Frame, ...]
    tall: float
    gaps: bool

    def widened(self, width: float) -> Layout:
        """Return the strip with cells of a width [m]."""
        return replace(self, cells=tuple(cell.widened(width) for cell in self.cells))

    def window(self, cell: Frame, look: Look, pixel: float) -> Window:
        """Return what is drawn of the ground with pixels of a size [m]."""
        shown = self.camera.place[self.frames[0] : self.frames[-1] + 1, 2]
        return Window(
            cell.left,
            cell.right,
            cell.low,
            cell.high,
            near=look.near * self.size,
            far=look.far * self.size,
            pixel=pixel,
            heading=self.camera.heading,
            grid=nice_step(GRID * self.size),
            floor=float(shown.min()) - WATER * self.size,
        )

    @property
    def size(self) -> float:
        """Size of the body, by which ground and margins are scaled [m]."""
        return max(self.tall, LONG * self.width)

    @property
    def soil(self) -> float:
        """How far a picture reaches below the lowest ground [m]."""
        return (SOIL + (WATER if self.gaps else 0.0)) * self.size

    @property
    def width(self) -> float:
        """Width of a cell [m]."""
        return self.cells[0].right - self.cells[0].left

    @property
    def heights(self) -> tuple[float, ...]:
        """Height of each row [m]."""
        return tuple(cell.high - cell.low for cell in self.cells)


def body_height(motion: Motion) -> float:
    """Return how high, or long if that is more, the body is as it goes [m]."""
    low = np.minimum(motion.contact_position[..., 2].min(1), motion.link_position[..., 2].min(1))
    return 1.1 * float(np.percentile(motion.link_position[..., 2].max(1) - low, 95))


def lay_out(
    motion: Motion, frames: NDArray[np.int64], height: Height, looks: tuple[Look, ...] = LOOKS
) -> Layout:
    """Return the strip of some frames, its cells just as large as what the body does in them."""
    camera = course_camera(motion, height, frames)
    tall = body_height(motion)
    limits = []
    for look in looks:
        extents = np.array(
            [
                body_extent(motion, int(k), camera.view(int(k), look.azimuth, look.elevation))
                for k in frames
            ]
        )
        low = extents[:, 0].min(0) - MARGIN * tall
        high = extents[:, 1].max(0) + MARGIN * tall
        limits.append((low[0], high[0], min(low[1], 0.0), high[1]))
    width = max(right - left for left, right, _, _ in limits)
    cells = tuple(Frame(*limit).widened(width) for limit in limits)
    layout = Layout(camera, frames, looks, cells, tall, gaps=False)
    around = AROUND * layout.size * np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    places = camera.place[frames, None, :2] + around
    layout = replace(layout, gaps=bool(np.isnan(height(places.reshape(-1, 2))).any()))
    return replace(layout, cells=tuple(replace(cell, low=cell.low - layout.soil) for cell in cells))


def strip_axes(
    figure: Figure, layout: Layout, scale: float, left: float, top: float
) -> NDArray[np.object_]:
    """Return axes for the cells of a strip, (rows, columns).

    Args:
        scale: of the picture [inch/m].
        left, top: of the strip, from the figure's upper left corner [inch].
    """
    wide, high = figure.get_size_inches()
    cell = scale * layout.width
    axes = np.empty((len(layout.looks), len(layout.frames)), object)
    for row, tall in enumerate(layout.heights):
        for column in range(len(layout.frames)):
            place = (left + column * (cell + SEAM), high - top - scale * tall, cell, scale * tall)
            axes[row, column] = figure.add_axes(
                (place[0] / wide, place[1] / high, place[2] / wide, place[3] / high)
            )
        top += scale * tall + BETWEEN_ROWS
    return axes


def draw_strip(motion: Motion, axes: NDArray[np.object_], layout: Layout, height: Height) -> None:
    """Draw the cells of a strip: one row a look, one column a frame.

    Args:
        axes: (rows, columns) of matplotlib axes.
        height: of the ground at places (n, 2) [m].
    """
    for row, (look, cell) in enumerate(zip(layout.looks, layout.cells, strict=True)):
        for column, k in enumerate(layout.frames):
            ax: Axes = axes[row, column]
            view = layout.camera.view(int(k), look.azimuth, look.elevation)
            window = layout.window(cell, look, pixel_size(ax, layout.width))
            marks = [
                *path_marks(motion),
                *footprint_marks(motion, k / motion.fps),
                *shadow_marks(motion, int(k)),
            ]
            draw_ground(ax, height, view, window, marks)
            _draw_trails(ax, motion, layout.frames, view)
            draw_rungs(ax, motion, view, window)
            draw_hurdles(ax, motion, height, view, window, motion.com[k])
            draw_figure(ax, motion, int(k), view)
            draw_push(ax, motion, int(k), view)
            ax.set_xlim(cell.left, cell.right)
            ax.set_ylim(cell.low, cell.high)
            ax.axis("off")
            if row == 0:
                ax.set_title(f"{k / motion.fps:.2f} s", fontsize=7, pad=2, color=LABEL)
        axes[row, 0].annotate(
            look.name,
            (0.0, 0.5),
            (-6, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            rotation=90,
            fontsize=7,
            ha="right",
            va="center",
            color=LABEL,
        )


def _draw_trails(ax: Axes, motion: Motion, frames: NDArray[np.int64], view: View) -> None:
    """Draw the paths of head and pelvis through the world over the strip."""
    shown = slice(int(frames[0]), int(frames[-1]) + 1)
    for trail in (head_centres(motion)[shown], motion.link_position[shown, 0]):
        flat, _ = view.project(trail)
        ax.plot(*flat.T, color=TRAIL, linewidth=0.5, alpha=0.7, zorder=1)
    ax.axvline(0.0, color=MIDDLE, linewidth=0.5, linestyle=(0, (2, 3)), zorder=0.5)
