"""A motion as a fixed camera sees it from the side: bodies along the ground, and their arcs."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .body_drawing import body_extent, draw_figure, head_centres
from .course_camera import Height, stride_time
from .ground_drawing import Mark, draw_ground, pixel_size
from .motion import Motion
from .scenery import draw_hurdles, draw_rungs, footprint_marks, path_marks, shadow_marks
from .strip import LABEL, MARGIN, SIDE, TRAIL, Frame, Layout
from .view import View, colour_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

LEAST = 5.0  # width over the body's height, which a body that stays is shown with
MOST = 10.5  # beyond this the body would be too small to judge
OVERLAP = 0.06  # of two bodies at most, of the body's height


def panorama_view(layout: Layout) -> View:
    """Return the look of a fixed camera from the side at the middle of the strip."""
    return layout.camera.view(
        int(layout.frames[len(layout.frames) // 2]), SIDE.azimuth, SIDE.elevation
    )


def panorama_frame(motion: Motion, layout: Layout) -> Frame:
    """Return what the picture shows: as much around the strip as there is room for."""
    view = panorama_view(layout)
    course, _ = view.project(layout.camera.place)
    size = 0.5 * (
        layout.tall + max(layout.tall, layout.width)
    )  # long bodies need more room, but not for their height
    reach = float(np.clip(np.ptp(course[:, 0]) + layout.width, LEAST * size, MOST * size))
    middle = 0.5 * (course[layout.frames[0], 0] + course[layout.frames[-1], 0])
    least = course[:, 0].min() + 0.5 * (reach - layout.width)
    most = course[:, 0].max() - 0.5 * (reach - layout.width)
    # a motion that begins or ends near the strip is shown up to there
    middle = float(np.clip(middle, least, most)) if least < most else 0.5 * float(least + most)
    inside = np.flatnonzero(np.abs(course[:, 0] - middle) < 0.5 * reach)
    extents = np.array([body_extent(motion, int(k), view) for k in inside[::4]])
    low = min(float(extents[:, 0, 1].min()), float(course[inside, 1].min()))
    high = float(extents[:, 1, 1].max())
    return Frame(
        middle - 0.5 * reach,
        middle + 0.5 * reach,
        low - layout.soil,
        high + 2 * MARGIN * layout.tall,
    )


def draw_panorama(ax: Axes, motion: Motion, layout: Layout, frame: Frame, height: Height) -> None:
    """Draw bodies side by side, with the trails of head, pelvis and feet."""
    view = panorama_view(layout)
    chosen = frames_apart(motion, layout, frame)
    window = layout.window(frame, SIDE, pixel_size(ax, frame.right - frame.left))
    marks: list[Mark] = [*path_marks(motion), *footprint_marks(motion, np.inf)]
    for k in chosen:
        marks += shadow_marks(motion, k)
    draw_ground(ax, height, view, window, marks)
    _draw_trails(ax, motion, view, frame)
    draw_rungs(ax, motion, view, window)
    draw_hurdles(ax, motion, height, view, window, motion.com[int(layout.frames[0])])
    for k in chosen:
        draw_figure(ax, motion, k, view)
        low, high = body_extent(motion, k, view)
        middle = 0.5 * float(low[0] + high[0])
        ax.text(
            middle,
            high[1] + 0.3 * MARGIN * layout.tall,
            f"{k / motion.fps:.1f} s",
            fontsize=5.5,
            ha="center",
            va="bottom",
            color=LABEL,
        )
    ax.set_xlim(frame.left, frame.right)
    ax.set_ylim(frame.low, frame.high)
    ax.axis("off")


def frames_apart(motion: Motion, layout: Layout, frame: Frame) -> list[int]:
    """Return frames whose bodies hardly overlap in the picture, in the order of time.

    They are odd numbers of eighths of a stride apart: at equal parts of a stride they would show
    one pose again and again.
    """
    view = panorama_view(layout)
    eighth = stride_time(motion) * motion.fps / 8
    chosen: list[int] = []
    taken: list[tuple[float, float]] = []
    first = 0
    step = 0
    while (k := round(first + step * eighth)) < motion.frames:
        low, high = body_extent(motion, k, view)
        fits = low[0] > frame.left and high[0] < frame.right
        lap = OVERLAP * layout.tall
        if fits and all(high[0] - lap < left or low[0] + lap > right for left, right in taken):
            chosen.append(k)
            taken.append((float(low[0]), float(high[0])))
            first = k
            step = -1  # so that the next is one eighth later
        step += 2 if chosen else 1
    return chosen


def _draw_trails(ax: Axes, motion: Motion, view: View, frame: Frame) -> None:
    """Draw the paths of head, pelvis and the middle of every sole."""
    trails: list[tuple[Array, str, float]] = [
        (head_centres(motion), TRAIL, 0.7),
        (motion.link_position[:, 0], TRAIL, 0.7),
    ]
    for limb in dict.fromkeys(motion.contact_limb):
        points = np.array([name == limb for name in motion.contact_limb])
        trails.append((motion.contact_position[:, points].mean(1), colour_of(limb), 0.5))
    for places, colour, width in trails:
        flat, _ = view.project(places)
        shown = (flat[:, 0] > frame.left) & (flat[:, 0] < frame.right)
        flat[~shown] = np.nan
        ax.plot(*flat.T, color=colour, linewidth=width, alpha=0.75, zorder=1)
